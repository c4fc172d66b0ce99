import * as v from 'valibot';
import { integerFrom } from '#shared/contract/fields.ts';
import { DEFAULT_PAGE_SIZE, type Window } from '#shared/domain/page.ts';
import { limit, offset } from './fields.ts';
import { described } from './meaning.ts';
import { type Rule, rule } from './rule.ts';

/**
 * Lists are read by offset, or with `pagination=cursor` as Relay-style pages, which keep their place while rows come
 * and go.
 */

export const EXAMPLE_CURSOR = 'q1ZKzs8rTs0rVrJSMjIwMFSqBQA';

/** Parameters that belong to one kind of paging, and are refused with the other. */
export const PARAMETERS_OF_PAGING = {
  offset: ['limit', 'offset'],
  cursor: ['first', 'last', 'after', 'before', 'orderBy', 'orderDirection'],
} as const;

/** The query needs {@link firstOrLast} as well. @param orders the first one is the default */
export function paginationEntries<const Orders extends readonly [string, ...string[]]>(orders: Orders) {
  return {
    pagination: v.optional(
      described(
        v.picklist(['offset', 'cursor']),
        'The way of paging, which decides the shape of the response, and which the response repeats. Parameters of the other way are refused.',
      ),
      'offset',
    ),
    limit: limit(100, DEFAULT_PAGE_SIZE),
    offset,
    first: pageSize(
      `With \`pagination=cursor\`: the number of rows from the start of the list, or behind \`after\`; ${DEFAULT_PAGE_SIZE} by default.`,
    ),
    last: pageSize(
      'With `pagination=cursor`: the number of rows from the end of the list, or in front of `before`. Not together with `first`.',
    ),
    after: cursor('With `pagination=cursor`: only rows behind this cursor.'),
    before: cursor('With `pagination=cursor`: only rows in front of this cursor.'),
    orderBy: v.optional(
      described(
        v.picklist(orders),
        `With \`pagination=cursor\`: the member that orders the list${orders.includes('number') ? '; `number` by series in the order of their first use, then by `n`' : ''}.`,
      ),
      orders[0],
    ),
    orderDirection: v.optional(
      described(
        v.picklist(['asc', 'desc']),
        `With \`pagination=cursor\`: ascending or descending; by default ${orders.includes('name') ? 'ascending by `name`, and descending otherwise' : 'descending'}.`,
      ),
    ),
  };
}

export function firstOrLast<Query extends Window>(): Rule<Query> {
  return rule(
    'exclusive',
    '"first" or "last", not both',
    {},
    ({ first, last }: Query) => first === undefined || last === undefined,
    'last',
  );
}

function pageSize(description: string) {
  return v.optional(v.pipe(integerFrom(1, 100), v.description(description), v.examples([DEFAULT_PAGE_SIZE])));
}

function cursor(description: string) {
  return v.optional(v.pipe(v.string(), v.description(description), v.examples([EXAMPLE_CURSOR])));
}
