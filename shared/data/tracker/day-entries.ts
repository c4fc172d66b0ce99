import { type Dimensions, dayOrder, dayPartition, dayPrefix } from '#shared/data/layout/keys.ts';
import { type Item, queryAll } from '#shared/data/table/query.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import { ENTRY_ATTRIBUTES, parseEntry, type StoredEntry } from './entry-items.ts';
import { type LinkFilter, matches } from './ledger-reading.ts';

/** The entries of a day. They lie side by side in the table. */

/** What the ledger or the calendar counts on a day. The calendar does not tell dimensions apart. */
export interface DayPart {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly entries: number;
  readonly dimensions?: Dimensions;
}

/** The entries of more than two projects cost less when the whole day is read. */
const MAX_OWNERS = 2;

/**
 * The entries of a day that match a filter, in no particular order.
 *
 * @param parts what is known to match on this day
 */
export async function readDay(
  organizationId: string,
  date: string,
  parts: readonly DayPart[],
  filter: LinkFilter,
): Promise<StoredEntry[]> {
  const readings = await Promise.all(
    prefixesOf(parts, filter).map((prefix) => readDayItems(organizationId, date, prefix)),
  );
  return readings
    .flat()
    .map((item) => parseEntry(organizationId, item))
    .filter((entry) => matches(entry, filter));
}

/** What the sort keys begin with; the empty text for the whole day. */
function prefixesOf(parts: readonly DayPart[], { clientId }: LinkFilter): string[] {
  if (clientId !== undefined) return [dayPrefix(clientId)];
  const prefixes = new Set(
    parts.map(({ dimensions }) => (dimensions ? dayPrefix(dimensions.clientId, dimensions.projectId) : '')),
  );
  return prefixes.size > MAX_OWNERS ? [''] : [...prefixes];
}

type DayQuery = Parameters<typeof queryAll>[0];

type Filtering = Pick<DayQuery, 'FilterExpression' | 'ExpressionAttributeValues'>;

const NAMES = ENTRY_ATTRIBUTES.map((attribute) => `#${attribute}`);

/** The items of a day, for {@link parseEntry}. @param filtering what the items must meet beside their key */
export function readDayItems(
  organizationId: string,
  date: string,
  prefix = '',
  filtering: Filtering = {},
): Promise<Item[]> {
  return queryAll(dayQuery(organizationId, date, prefix, filtering));
}

/** @param prefix of the sort keys; empty for the whole day */
export function dayQuery(organizationId: string, date: string, prefix: string, filtering: Filtering = {}): DayQuery {
  return {
    KeyConditionExpression: prefix === '' ? 'pk = :day' : 'pk = :day AND begins_with(sk, :prefix)',
    FilterExpression: filtering.FilterExpression,
    ProjectionExpression: NAMES.join(', '),
    ExpressionAttributeNames: Object.fromEntries(ENTRY_ATTRIBUTES.map((attribute) => [`#${attribute}`, attribute])),
    ExpressionAttributeValues: {
      ':day': dayPartition(organizationId, date),
      ...(prefix !== '' && { ':prefix': prefix }),
      ...filtering.ExpressionAttributeValues,
    },
  };
}

/** Newest first: by date, then start, then creation. Entries without a start come last on their day. */
export function newestFirst(one: Entry, other: Entry): number {
  const [a, b] = [orderOf(one), orderOf(other)];
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

const orderOf = (entry: Entry): string => `${entry.entryDate}#${dayOrder(entry)}`;
