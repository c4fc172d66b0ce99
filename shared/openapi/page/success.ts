import type { Header, Response } from '../types.ts';
import type { Component, Node, React, ResponsesProps } from './swagger-ui.ts';
import { type Tab, tabs } from './tabs.ts';

interface SuccessProps extends ResponsesProps {
  readonly status: string;
  readonly response: Response;
  readonly isFirst: boolean;
}

/** Only the first success is open, because the others have the same body. */
export function success(react: React): Component {
  const { createElement: h } = react;
  const Tabs = tabs(react);

  /** The choice is also the `Accept` header of a request that is tried. */
  function MediaTypes({ path, method, types, type, oas3Actions }: SuccessProps & MediaTypeChoice) {
    const choose = (value: string) => oas3Actions.setResponseContentType({ value, path, method });
    const buttons = types.map((each) =>
      h('button', { key: each, type: 'button', 'aria-pressed': each === type, onClick: () => choose(each) }, each),
    );
    return h('div', { className: 'choice', role: 'group', 'aria-label': 'Media type' }, buttons);
  }

  function contents(props: SuccessProps, type: string): Tab[] {
    const { status, response, responses, specPath, getComponent, getConfigs, specSelectors } = props;
    const { example, examples } = response.content[type] ?? {};
    const HighlightCode = getComponent('HighlightCode', true);
    const shown = examples
      ? Object.values(examples).flatMap((each) => ('value' in each ? [[each.summary, each.value] as const] : []))
      : [['Example', example] as const];
    const steps = [status, 'content', type, 'schema'];
    const model = { schema: responses.getIn(steps), specPath: specPath.push(...steps), includeReadOnly: true };
    return [
      ...shown
        .filter(([, value]) => value !== undefined)
        .map(([title, value]) => ({
          title,
          content:
            typeof value === 'string'
              ? h('pre', null, value)
              : h(HighlightCode, { language: 'json' }, JSON.stringify(value, null, 2)),
        })),
      {
        title: 'Schema',
        content: h(getComponent('ModelWrapper'), { ...model, getComponent, getConfigs, specSelectors }),
      },
    ];
  }

  function headerList({ response: { headers }, getComponent }: SuccessProps): Node {
    const Markdown = getComponent('Markdown', true);
    const described = Object.entries(headers).flatMap(([name, header]): [string, Header][] =>
      'schema' in header ? [[name, header]] : [],
    );
    const names = described.map(([name]) => name).join(', ');
    const rows = described.flatMap(([name, { description, example }]) => [
      h('dt', { key: name }, name),
      h('dd', { key: `${name} is` }, h(Markdown, { source: `${description} Example: \`${example}\`` })),
    ]);
    return h('details', { className: 'headers' }, h('summary', null, `Headers: ${names}`), h('dl', null, rows));
  }

  return function Success(props: SuccessProps) {
    const { path, method, status, response, isFirst, oas3Selectors, getComponent } = props;
    const Markdown = getComponent('Markdown', true);
    const types = Object.keys(response.content);
    const wanted = oas3Selectors.responseContentType(path, method);
    const type = types.find((each) => each === wanted) ?? types[0];
    return h(
      'details',
      { className: 'success', open: isFirst },
      h('summary', null, h('b', null, status), ' ', h(Markdown, { source: response.description })),
      types.length > 1 && h(MediaTypes, { ...props, types, type }),
      type !== undefined && h(Tabs, { key: type, label: 'Response', tabs: contents(props, type) }),
      headerList(props),
    );
  };
}

interface MediaTypeChoice {
  readonly types: readonly string[];
  readonly type: string;
}
