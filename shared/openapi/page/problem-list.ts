import type { Example, Response } from '../types.ts';
import type { Component, Node, React, SystemProps } from './swagger-ui.ts';

interface ProblemListProps extends Pick<SystemProps, 'specSelectors'> {
  readonly problems: readonly { readonly status: string; readonly response: Response }[];
}

interface ShownProblem {
  readonly status: string;
  readonly code: string;
  readonly example: Example;
}

/** The problems of an operation with their examples. General ones are only named, and described on their own pages. */
export function problemList({ createElement: h }: React): Component {
  function own({ status, code, example: { summary, value } }: ShownProblem): Node {
    return h(
      'details',
      { key: code },
      h('summary', null, h('b', null, status), ' ', h('code', null, code), ' ', h('span', null, `${summary}.`)),
      h('pre', null, JSON.stringify(value, null, 2)),
      h('p', null, h('a', { href: `/problems/${code}` }, 'Cause and remedy')),
    );
  }

  function general({ status, code, example: { summary } }: ShownProblem): Node {
    return h(
      'li',
      { key: code },
      h('b', null, status),
      ' ',
      h('a', { href: `/problems/${code}`, title: summary }, code),
    );
  }

  return function ProblemList({ problems, specSelectors }: ProblemListProps) {
    const shown = problems.flatMap(({ status, response }) =>
      Object.entries(response.content['application/problem+json']?.examples ?? {}).flatMap(
        ([code, example]): ShownProblem[] => ('value' in example ? [{ status, code, example }] : []),
      ),
    );
    const isGeneral = ({ code }: ShownProblem) =>
      specSelectors.specJson().getIn(['x-problems', code, 'isGeneral']) === true;
    return h(
      'section',
      { className: 'problems' },
      h('h4', null, 'Problems'),
      ...shown.filter((each) => !isGeneral(each)).map(own),
      h('p', null, 'General problems:'),
      h('ul', null, shown.filter(isGeneral).map(general)),
    );
  };
}
