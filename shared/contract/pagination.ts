import * as v from 'valibot';
import { limit, offset } from './fields.ts';
import { type Rule, rule } from './rule.ts';

/**
 * Lists that are read in one of two ways (service interface, "Pagination"; decisions, sections 4 and 9): by offset, or with
 * `pagination=cursor` as a connection in the manner of Relay, whose cursors keep their place while rows come and go.
 */

/** A page by offset. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  /** How many there are on all pages. */
  readonly total: number;
}

/** A page by cursor. */
export interface Connection<Node> {
  /** In the list's order, whichever end the page was taken from. */
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: PageInfo;
  /** How many there are on all pages. */
  readonly totalCount: number;
}

export interface PageInfo {
  /** Whether rows follow the page, and whether rows precede it, wherever it was taken from. */
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Null on an empty page. */
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** Which part of a list a page by cursor shows. */
export interface Window {
  readonly first?: number;
  readonly last?: number;
  readonly after?: string;
  readonly before?: string;
}

export type Direction = 'asc' | 'desc';

/** What a page by cursor holds unless `first` or `last` says otherwise. */
export const DEFAULT_PAGE_SIZE = 50;

/**
 * The parameters of such a list, beside its filters. The query needs {@link oneEnded} as well.
 *
 * @param orders what it can be ordered by; the first is the default
 */
/* @__NO_SIDE_EFFECTS__ */
export function paginationEntries<const Orders extends readonly [string, ...string[]]>(orders: Orders) {
  return {
    pagination: v.optional(
      v.pipe(
        v.picklist(['offset', 'cursor']),
        v.description('How the list is read; decides the shape of the response.'),
      ),
      'offset',
    ),
    limit: limit(100, DEFAULT_PAGE_SIZE),
    offset,
    first: pageSize(
      `With \`pagination=cursor\`: so many rows from the start of the list, or behind \`after\`; ${DEFAULT_PAGE_SIZE} by default.`,
    ),
    last: pageSize(
      'With `pagination=cursor`: so many rows from the end of the list, or in front of `before`. Not together with `first`.',
    ),
    after: cursor('With `pagination=cursor`: only rows behind this cursor.'),
    before: cursor('With `pagination=cursor`: only rows in front of this cursor.'),
    orderBy: v.optional(v.pipe(v.picklist(orders), v.description('With `pagination=cursor`.')), orders[0]),
    orderDirection: v.optional(v.pipe(v.picklist(['asc', 'desc']), v.description('With `pagination=cursor`.')), 'desc'),
  };
}

/** A page has one end that it is counted from. */
/* @__NO_SIDE_EFFECTS__ */
export function oneEnded<Query extends Window>(): Rule<Query> {
  return rule(
    'exclusive',
    '"first" or "last", not both',
    {},
    ({ first, last }: Query) => first === undefined || last === undefined,
    'last',
  );
}

/* @__NO_SIDE_EFFECTS__ */
function pageSize(description: string) {
  return v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100), v.description(description)));
}

/* @__NO_SIDE_EFFECTS__ */
function cursor(description: string) {
  return v.optional(v.pipe(v.string(), v.description(description)));
}
