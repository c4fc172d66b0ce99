import * as v from 'valibot';
import { type CursorPage, DEFAULT_PAGE_SIZE, type Direction, type Window } from '#shared/domain/page.ts';
import { faulty, type Violation } from '#shared/domain/problems.ts';
import { type Collection, type Filter, lookThrough, readCollection } from './collection.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { Item } from './query.ts';
import type { ReadBound } from './read-bound.ts';
import { keyAttributes } from './table-definition.ts';

/**
 * One more row than the page shows whether the list goes on, and one row read the other way whether anything lies
 * behind the cursor: a page costs the same wherever it lies. With a filter or a choice, or between two sort keys, all rows
 * are read anyway, for the total.
 */
export interface OrderedList extends Collection {
  readonly direction: Direction;
  readonly filter?: Filter;
  /** Picks the rows that the list has from those that are found. */
  readonly join?: (items: readonly Item[]) => Item[];
  readonly between?: { readonly from: string; readonly to: string };
  /** The limit of looking through all rows. */
  readonly bound?: ReadBound;
  /** The caller's wishes, if a cursor is bound to them and not to the filter, which may change by the day. */
  readonly wanted?: unknown;
  readonly total: () => Promise<number>;
}

/** @throws Problem `validation_failed` when a cursor is broken, or of another list, order, direction or filter */
export async function readConnection<Node>(
  list: OrderedList,
  window: Window,
  fromItem: (item: Item) => Node,
): Promise<CursorPage<Node>> {
  const identity = identityOf(list);
  const { after, before } = boundsOf(identity, window);
  const isForward = window.last === undefined;
  const reach = await readReach(list, {
    direction: isForward ? list.direction : opposite(list.direction),
    size: window.last ?? window.first ?? DEFAULT_PAGE_SIZE,
    start: isForward ? after : before,
    end: isForward ? before : after,
  });
  const rows = isForward ? reach.rows : reach.rows.toReversed();
  const edges = rows.map((row) => ({ cursor: encodeCursor(identity, sortKeyOf(list, row)), node: fromItem(row) }));
  return {
    edges,
    pageInfo: {
      hasNextPage: isForward ? reach.goesOn : reach.hasEarlier,
      hasPreviousPage: isForward ? reach.hasEarlier : reach.goesOn,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    totalCount: reach.total,
  };
}

interface Reach {
  readonly direction: Direction;
  readonly size: number;
  readonly start?: string;
  readonly end?: string;
}

interface Reached {
  readonly rows: readonly Item[];
  readonly goesOn: boolean;
  readonly hasEarlier: boolean;
  readonly total: number;
}

async function readReach(list: OrderedList, reach: Reach): Promise<Reached> {
  const { following, goesOn, hasEarlier, total } = await (list.filter || list.between || list.join
    ? readMatches(list, reach)
    : readNeighbourhood(list, reach));
  const rows = following.filter((row) => isWithin(list, row, reach));
  return { rows, goesOn: goesOn || rows.length < following.length, hasEarlier, total };
}

interface Surroundings {
  /** The rows behind the start, as many as a page has. */
  readonly following: readonly Item[];
  /** Whether there are more of them. */
  readonly goesOn: boolean;
  /** Whether any lie before these, the start included. */
  readonly hasEarlier: boolean;
  readonly total: number;
}

async function readNeighbourhood(list: OrderedList, { direction, size, start }: Reach): Promise<Surroundings> {
  const { partition, index } = list;
  const read = (way: Direction, upTo: number, inclusive: boolean) =>
    readCollection({
      partition,
      index,
      direction: way,
      upTo,
      behind: start === undefined ? undefined : { sortKey: start, inclusive },
    });
  const [found, earlier, total] = await Promise.all([
    read(direction, size + 1, false),
    start === undefined ? [] : read(opposite(direction), 1, true),
    list.total(),
  ]);
  return { following: found.slice(0, size), goesOn: found.length > size, hasEarlier: earlier.length > 0, total };
}

/** Keeps no more than a page. */
async function readMatches(list: OrderedList, { direction, size, start }: Reach): Promise<Surroundings> {
  const { partition, index, filter, join, between, bound } = list;
  const following: Item[] = [];
  let [goesOn, hasEarlier, total] = [false, false, 0];
  await lookThrough({ partition, index, filter, join, between, bound, direction }, (matches) => {
    const rows = matches.filter((row) => start === undefined || isBehind(sortKeyOf(list, row), start, direction));
    const room = size - following.length;
    following.push(...rows.slice(0, room));
    goesOn ||= rows.length > room;
    hasEarlier ||= rows.length < matches.length;
    total += matches.length;
  });
  return { following, goesOn, hasEarlier, total };
}

function isWithin(list: OrderedList, row: Item, { direction, end }: Reach): boolean {
  return end === undefined || isBehind(end, sortKeyOf(list, row), direction);
}

/** DynamoDB orders sort keys by their UTF-8 bytes; JavaScript compares strings differently. */
function isBehind(sortKey: string, other: string, direction: Direction): boolean {
  const order = Buffer.compare(Buffer.from(sortKey), Buffer.from(other));
  return direction === 'asc' ? order > 0 : order < 0;
}

function opposite(direction: Direction): Direction {
  return direction === 'asc' ? 'desc' : 'asc';
}

const string = v.string();

function sortKeyOf({ index }: Collection, row: Item): string {
  return v.parse(string, row[keyAttributes(index).sortKey]);
}

function identityOf({ partition, index, direction, filter, wanted = filter }: OrderedList): string {
  return JSON.stringify([partition, index, direction, wanted]);
}

function boundsOf(identity: string, window: Window): Pick<Window, 'after' | 'before'> {
  const faults: Violation[] = [];
  const bound = (path: 'after' | 'before') => {
    const cursor = window[path];
    const sortKey = cursor === undefined ? undefined : decodeCursor(identity, cursor);
    if (cursor !== undefined && sortKey === undefined) faults.push({ path, message: CURSOR_EXPECTED, code: 'cursor' });
    return sortKey;
  };
  const bounds = { after: bound('after'), before: bound('before') };
  const [first, ...others] = faults;
  if (first) throw faulty('validation_failed', [first, ...others]);
  return bounds;
}

const CURSOR_EXPECTED = 'Expected a cursor that this list has given out in the same order, direction and filter.';
