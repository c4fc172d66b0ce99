/** A list is read by offset, or as a Relay-style page, which keeps its place while rows come and go. */

export interface Listed<Item> {
  readonly items: readonly Item[];
  /** On all pages. */
  readonly total: number;
}

export interface CursorPage<Node> {
  /** In the list's order, even if counted from the end. */
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: PageInfo;
  /** On all pages. */
  readonly totalCount: number;
}

export interface PageInfo {
  /** Whether rows follow and precede the page, whatever end it was counted from. */
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Null on an empty page. */
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

export interface Window {
  readonly first?: number;
  readonly last?: number;
  readonly after?: string;
  readonly before?: string;
}

export type Direction = 'asc' | 'desc';

/** What is wanted of a list that is read in either way. */
export interface Paging<Order> extends Slice, Window {
  readonly pagination: 'offset' | 'cursor';
  readonly orderBy: Order;
  readonly orderDirection?: Direction;
}

/** Names are read from A to Z, and what has a time or a number from the newest. */
export function directionOf({
  orderBy,
  orderDirection,
}: Pick<Paging<string>, 'orderBy' | 'orderDirection'>): Direction {
  return orderDirection ?? (orderBy === 'name' ? 'asc' : 'desc');
}

export const DEFAULT_PAGE_SIZE = 50;
