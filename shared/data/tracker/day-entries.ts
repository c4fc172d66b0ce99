import { type Dimensions, dayOrder, dayPartition, dayPrefix } from '#shared/data/layout/keys.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { type Item, type Query, queryAll } from '#shared/data/table/query.ts';
import type { ReadBound } from '#shared/data/table/read-bound.ts';
import { countOf } from '#shared/domain/tracker/counted-page.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import { ENTRY_ATTRIBUTES, parseEntry, type StoredEntry } from './entry-items.ts';
import { type Cell, type DimensionFilter, MAX_PIECES, matches } from './ledger-reading.ts';

/** A part of a day, as the ledger or the calendar counts it. The calendar does not tell dimensions apart. */
export interface DayPart {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** Those that match. */
  readonly entries: number;
  /** Those that do not match, which lie beside those that do. */
  readonly others?: number;
  readonly dimensions?: Dimensions;
}

/** @param cells of the ledger, with those that do not match */
export function partsOf(cells: readonly Cell[], filter: DimensionFilter): DayPart[] {
  return cells.map(({ date, entries, dimensions }) =>
    matches(dimensions, filter) ? { date, entries, dimensions } : { date, entries: 0, others: entries, dimensions },
  );
}

/** The entries of a client, of one of its projects, or of the whole day, which lie side by side. */
export interface Place {
  readonly prefix: string;
  readonly count: number;
  /** All that have to be read. */
  readonly toRead: number;
}

/** The entries of more than two projects cost less when the whole day is read. */
const MAX_OWNERS = 2;

export function placesOf(parts: readonly DayPart[], { clientId, projectId }: DimensionFilter): Place[] {
  if (clientId !== undefined && projectId === undefined) return [placeOf(dayPrefix(clientId), parts)];
  const places = [...Map.groupBy(parts, ownerPrefixOf)]
    .map(([prefix, ofOwner]) => placeOf(prefix, ofOwner))
    .filter(({ count }) => count > 0);
  // With a project, others are counted only where its pieces exceed MAX_PIECES. Then the whole day is cheaper.
  const most = projectId === undefined ? MAX_OWNERS : MAX_PIECES;
  return places.length <= most ? places : [placeOf('', parts)];
}

const ownerPrefixOf = ({ dimensions }: DayPart): string =>
  dimensions ? dayPrefix(dimensions.clientId, dimensions.projectId) : '';

function placeOf(prefix: string, parts: readonly DayPart[]): Place {
  const count = countOf(parts);
  return { prefix, count, toRead: parts.reduce((sum, { others = 0 }) => sum + others, count) };
}

export function entriesToRead(places: readonly Place[]): number {
  return places.reduce((sum, { toRead }) => sum + toRead, 0);
}

export async function readEntriesOfDay(
  organizationId: string,
  date: string,
  parts: readonly DayPart[],
  filter: DimensionFilter,
  bound?: ReadBound,
): Promise<StoredEntry[]> {
  const readings = await mapInParallel(
    placesOf(parts, filter),
    ({ prefix }) => readDayItems(organizationId, date, prefix, { bound }),
    MAX_PIECES,
  );
  return readings
    .flat()
    .map((item) => parseEntry(organizationId, item))
    .filter((entry) => matches(entry, filter));
}

type DayReading = Pick<Query, 'bound' | 'FilterExpression' | 'ExpressionAttributeValues'>;

const NAMES = ENTRY_ATTRIBUTES.map((attribute) => `#${attribute}`);

export function readDayItems(
  organizationId: string,
  date: string,
  prefix: string,
  reading: DayReading,
): Promise<Item[]> {
  return queryAll(dayQuery(organizationId, date, prefix, reading));
}

export function dayQuery(organizationId: string, date: string, prefix: string, reading: DayReading): Query {
  return {
    ...reading,
    KeyConditionExpression: prefix === '' ? 'pk = :day' : 'pk = :day AND begins_with(sk, :prefix)',
    ProjectionExpression: NAMES.join(', '),
    ExpressionAttributeNames: Object.fromEntries(ENTRY_ATTRIBUTES.map((attribute) => [`#${attribute}`, attribute])),
    ExpressionAttributeValues: {
      ':day': dayPartition(organizationId, date),
      ...(prefix !== '' && { ':prefix': prefix }),
      ...reading.ExpressionAttributeValues,
    },
  };
}

/** By date, then start, then creation. Entries without a start come last on their day. */
export function newestFirst(one: Entry, other: Entry): number {
  const [a, b] = [orderOf(one), orderOf(other)];
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

const orderOf = (entry: Entry): string => `${entry.entryDate}#${dayOrder(entry)}`;
