import { dayOrder, dayPartition, dayPrefix } from '#shared/data/layout/keys.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { type Item, type Query, queryPage } from '#shared/data/table/query.ts';
import type { ReadBound } from '#shared/data/table/read-bound.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import {
  type Count,
  type DayRange,
  type DimensionFilter,
  MAX_PIECES,
  matches,
  planDays,
  type Segment,
} from '#shared/domain/tracker/list-plan.ts';
import { ENTRY_ATTRIBUTES, parseEntry, type StoredEntry } from './entry-items.ts';

/** Reads the entries of days, as they were planned from counts (`list-plan.ts`). */

/** DynamoDB applies it, so that only matches travel. */
export type SentFilter = Pick<Query, 'FilterExpression' | 'ExpressionAttributeValues'>;

interface Wanted {
  readonly filter: DimensionFilter;
  readonly condition?: SentFilter;
}

/** On some days others write all the time. */
export const MAX_ATTEMPTS = 5;

/** To read more changed entries again would take longer than the next change. */
const MAX_READ_AGAIN = 5_000;

/**
 * Others may write meanwhile. Each `read` reads what is missing, what has changed (unless that is too much), and again
 * all that was read from one end.
 */
export class SegmentReader<Digest> {
  readonly #readings = new Map<string, { readonly digest: Digest; readonly count: number }>();
  readonly #organizationId: string;
  readonly #wanted: Wanted;
  readonly #digest: (entries: StoredEntry[], segment: Segment) => Digest;

  /** @param digest of the entries of a segment, in no particular order */
  constructor(organizationId: string, wanted: Wanted, digest: (entries: StoredEntry[], segment: Segment) => Digest) {
    this.#organizationId = organizationId;
    this.#wanted = wanted;
    this.#digest = digest;
  }

  async read(segments: readonly Segment[], bound: ReadBound, concurrency?: number): Promise<void> {
    const isDue = (segment: Segment) => segment.isReadFromOneEnd || !this.#readings.has(nameOf(segment));
    const due = segments.filter(isDue);
    const changed = segments.filter((segment) => !isDue(segment) && !this.#isAsCounted(segment));
    const isTooMuch = changed.reduce((sum, { count }) => sum + count, 0) > MAX_READ_AGAIN;
    const pending = isTooMuch ? due : [...due, ...changed];
    const readings = await mapInParallel(pending, (segment) => this.#readOne(segment, bound), concurrency);
    for (const { name, ...reading } of readings) {
      // `digestsOf` keeps the order of reading: the later reading of an entry counts.
      this.#readings.delete(name);
      this.#readings.set(name, reading);
    }
  }

  /** What was read from one end, or with a condition, passes as counted: its reading cannot tell. */
  areAsCounted(segments: readonly Segment[]): boolean {
    return segments.every((segment) => this.#isAsCounted(segment));
  }

  digestsOf(segments: readonly Segment[]): Digest[] {
    const names = new Set(segments.map(nameOf));
    return [...this.#readings].flatMap(([name, { digest }]) => (names.has(name) ? [digest] : []));
  }

  async #readOne(segment: Segment, bound: ReadBound) {
    const entries = await readSegment(this.#organizationId, segment, this.#wanted, bound);
    const isMetWhole = !segment.isReadFromOneEnd && !this.#wanted.condition;
    const count = isMetWhole ? entries.length : segment.count;
    return { name: nameOf(segment), digest: this.#digest(entries, segment), count };
  }

  #isAsCounted(segment: Segment): boolean {
    return this.#readings.get(nameOf(segment))?.count === segment.count;
  }
}

const nameOf = ({ date, ranges }: Segment): string => [date, ...ranges.map(prefixOf)].join();

/** All entries of some days that match. */
export async function readDays(
  organizationId: string,
  counts: readonly Count[],
  filter: DimensionFilter,
  bound?: ReadBound,
): Promise<StoredEntry[]> {
  const read = (segment: Segment) => readSegment(organizationId, segment, { filter }, bound);
  return (await mapInParallel(planDays(counts, filter), read)).flat();
}

interface OpenRange {
  readonly query: Query;
  readonly startKey?: Item;
}

/**
 * Reads entries that match: all of ranges without a limit, and of others those before the far edge of the segment and a
 * few more.
 */
async function readSegment(
  organizationId: string,
  { date, ranges, from, skip, take, limit }: Segment,
  { filter, condition }: Wanted,
  bound?: ReadBound,
): Promise<StoredEntry[]> {
  const inwards = orderFrom(from);
  const found: StoredEntry[] = [];
  let Limit = limit;
  let open: OpenRange[] = ranges.map((range) => ({
    query: { ...rangeQuery(organizationId, date, range, condition), bound, ScanIndexForward: from === 'oldest' },
  }));
  while (open.length > 0) {
    const readOn = async ({ query, startKey }: OpenRange) => {
      const { items, LastEvaluatedKey } = await queryPage({ ...query, Limit, ExclusiveStartKey: startKey });
      return { query, startKey: LastEvaluatedKey, entries: items.map((item) => parseEntry(organizationId, item)) };
    };
    const pages = await mapInParallel(open, readOn, MAX_PIECES);
    for (const { entries } of pages) found.push(...entries.filter((entry) => matches(entry, filter)));
    const innermost = Limit === undefined ? undefined : found.sort(inwards)[skip + take - 1];
    open = pages.filter(({ startKey, entries }) => {
      const last = entries.at(-1);
      const isEnough = innermost && last && inwards(innermost, last) <= 0;
      return startKey && !isEnough;
    });
    if (Limit !== undefined) Limit *= 2;
  }
  return found;
}

/** The first entries of a day. */
export async function sampleDay(
  organizationId: string,
  date: string,
  entries: number,
  bound: ReadBound,
): Promise<StoredEntry[]> {
  const query = { ...rangeQuery(organizationId, date, {}), bound, Limit: entries };
  return (await queryPage(query)).items.map((item) => parseEntry(organizationId, item));
}

const NAMES = ENTRY_ATTRIBUTES.map((attribute) => `#${attribute}`);

type Range = Pick<DayRange, 'clientId' | 'projectId'>;

function rangeQuery(organizationId: string, date: string, range: Range, condition?: SentFilter): Query {
  const prefix = prefixOf(range);
  return {
    ...condition,
    KeyConditionExpression: prefix === '' ? 'pk = :day' : 'pk = :day AND begins_with(sk, :prefix)',
    ProjectionExpression: NAMES.join(', '),
    ExpressionAttributeNames: Object.fromEntries(ENTRY_ATTRIBUTES.map((attribute) => [`#${attribute}`, attribute])),
    ExpressionAttributeValues: {
      ':day': dayPartition(organizationId, date),
      ...(prefix !== '' && { ':prefix': prefix }),
      ...condition?.ExpressionAttributeValues,
    },
  };
}

const prefixOf = ({ clientId, projectId }: Range): string =>
  clientId === undefined ? '' : dayPrefix(clientId, projectId);

/** By date, then start, then creation. Entries without a start come last on their day. */
export const newestFirst = (one: Entry, other: Entry): number => (orderOf(one) < orderOf(other) ? 1 : -1);

const orderOf = (entry: Entry): string => `${entry.entryDate}#${dayOrder(entry)}`;

export const orderFrom = (from: Segment['from']) => (one: Entry, other: Entry) =>
  from === 'newest' ? newestFirst(one, other) : newestFirst(other, one);
