import { problemList } from './problem-list.ts';
import { samples } from './samples.ts';
import { success } from './success.ts';
import type { Component, React, ResponsesProps } from './swagger-ui.ts';

const FIRST_PROBLEM = 400;

/** In place of Swagger UI's table of responses: the request as code, the success beside it, and the problems below. */
export function responses(react: React): Component {
  const { createElement: h } = react;
  const [Samples, Success, ProblemList] = [samples(react), success(react), problemList(react)];

  return function Responses(props: ResponsesProps) {
    const all = Object.entries(props.responses.toJS()).map(([status, response]) => ({ status, response }));
    const successes = all.filter(({ status }) => Number(status) < FIRST_PROBLEM);
    const problems = all.filter(({ status }) => Number(status) >= FIRST_PROBLEM);
    return h(
      'div',
      { className: 'responses-wrapper' },
      props.tryItOutResponse && h(props.getComponent('liveResponse'), { ...props, response: props.tryItOutResponse }),
      h(
        'div',
        { className: 'columns' },
        h(Samples, { ...props }),
        h(
          'section',
          null,
          h('h4', null, 'Response'),
          ...successes.map((each, position) =>
            h(Success, { ...props, ...each, key: each.status, isFirst: position === 0 }),
          ),
        ),
      ),
      h(ProblemList, { problems, specSelectors: props.specSelectors }),
    );
  };
}
