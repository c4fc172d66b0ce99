import type { Direction } from '#shared/contract/pagination.ts';
import { dayPrefix } from '#shared/data/layout/keys.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { type Item, type Query, queryPage } from '#shared/data/table/query.ts';
import type { ReadBound } from '#shared/data/table/read-bound.ts';
import type { CountedPeriod } from '#shared/domain/tracker/counted-page.ts';
import { type DayPart, dayQuery, entriesToRead, newestFirst, placesOf, readEntriesOfDay } from './day-entries.ts';
import { parseEntry, type StoredEntry } from './entry-items.ts';
import { type DimensionFilter, hasDimension, matches, readDaySums } from './ledger-reading.ts';

/**
 * The entries of a client's project are a row, in the order of lists. A page takes the outermost entries of all rows,
 * and reads little more of each, however many the day has.
 */

export interface EndOfDay {
  readonly direction: Direction;
  /** Entries from this end to the far edge of the page. */
  readonly wanted: number;
}

type Day = CountedPeriod<DayPart>;

export interface EndReading {
  /** Entries to look through, as far as counts tell. */
  readonly toRead: number;
  /** The outermost entries first. */
  readonly read: () => Promise<StoredEntry[]>;
}

export async function planEndOfDay(
  organizationId: string,
  day: Day,
  filter: DimensionFilter,
  end: EndOfDay,
  bound: ReadBound,
): Promise<EndReading> {
  const places = placesOf(day.parts, filter);
  const prefixes = await findRows(organizationId, day, filter, bound);
  if (!prefixes) {
    const readAll = () => readEntriesOfDay(organizationId, day.period, day.parts, filter, bound);
    return { toRead: entriesToRead(places), read: async () => outermost(await readAll(), end) };
  }
  const firstLimit = Math.min(end.wanted, Math.ceil(end.wanted / prefixes.size) + SPARE);
  // Among entries that do not match, the wanted ones may lie anywhere.
  const isEven = day.parts.every(({ others = 0 }) => others === 0);
  return {
    toRead: isEven ? Math.min(day.count, prefixes.size * firstLimit) : entriesToRead(places),
    read: () => readRows(organizationId, day, { prefixes, firstLimit, bound }, filter, end),
  };
}

interface Rows {
  readonly prefixes: ReadonlySet<string>;
  readonly firstLimit: number;
  readonly bound: ReadBound;
}

async function readRows(
  organizationId: string,
  day: Day,
  { prefixes, firstLimit, bound }: Rows,
  filter: DimensionFilter,
  end: EndOfDay,
): Promise<StoredEntry[]> {
  const queryOf = (prefix: string) => ({
    ...dayQuery(organizationId, day.period, prefix, { bound }),
    ScanIndexForward: end.direction === 'asc',
  });
  let found: StoredEntry[] = [];
  let Limit = firstLimit;
  let open: Row[] = [...prefixes].map((prefix) => ({ query: queryOf(prefix) }));
  while (open.length > 0) {
    const pages = await mapInParallel(open, async ({ query, startKey }) => {
      const { items, lastKey } = await queryPage({ ...query, Limit }, startKey);
      return { query, startKey: lastKey, entries: items.map((item) => parseEntry(organizationId, item)) };
    });
    const entries = pages.flatMap((page) => page.entries).filter((entry) => matches(entry, filter));
    found = outermost([...found, ...entries], end);
    const innermost = found[end.wanted - 1];
    open = pages.filter((page) => page.startKey && !isBeyond(page.entries.at(-1), innermost, end));
    Limit *= 2;
  }
  return found;
}

interface Row {
  readonly query: Query;
  readonly startKey?: Item;
}

/** Rows are not even, so more than its share of the wanted entries is read of each. */
const SPARE = 4;

/** Shorter rows are read together: to ask for one takes as long as to read so many entries. */
const MIN_ENTRIES_OF_ROW = 16;

const ifLong = (rows: Set<string>, entries: number): Set<string> | undefined =>
  entries >= rows.size * MIN_ENTRIES_OF_ROW ? rows : undefined;

/** A sample tells whether rows are long, before the ledger is asked for all of them. */
const SAMPLE = 64;

/** The prefix of each row's sort keys; undefined where rows are short. */
async function findRows(
  organizationId: string,
  { period, parts, count }: Day,
  filter: DimensionFilter,
  bound: ReadBound,
): Promise<Set<string> | undefined> {
  if (hasDimension(filter)) {
    const matching = parts.filter(({ entries }) => entries > 0);
    return ifLong(rowsOf(matching.flatMap(({ dimensions }) => dimensions ?? [])), count);
  }
  const { items } = await queryPage({ ...dayQuery(organizationId, period, '', { bound }), Limit: SAMPLE }, undefined);
  const sample = items.map((item) => parseEntry(organizationId, item));
  if (!ifLong(rowsOf(sample), sample.length)) return undefined;
  const cells = await readDaySums(organizationId, { from: period, to: period }, { filter, figures: ['e'], bound });
  return ifLong(rowsOf(cells.map(({ dimensions }) => dimensions)), count);
}

const rowsOf = (owners: readonly Pick<StoredEntry, 'clientId' | 'projectId'>[]): Set<string> =>
  new Set(owners.map(({ clientId, projectId }) => dayPrefix(clientId, projectId)));

const inwards = (direction: Direction) => (one: StoredEntry, other: StoredEntry) =>
  direction === 'desc' ? newestFirst(one, other) : newestFirst(other, one);

function outermost(entries: readonly StoredEntry[], { direction, wanted }: EndOfDay): StoredEntry[] {
  return entries.toSorted(inwards(direction)).slice(0, wanted);
}

/** Whether nothing behind an entry is wanted, because enough lies before it. */
function isBeyond(
  entry: StoredEntry | undefined,
  innermost: StoredEntry | undefined,
  { direction }: EndOfDay,
): boolean {
  return entry !== undefined && innermost !== undefined && inwards(direction)(innermost, entry) <= 0;
}
