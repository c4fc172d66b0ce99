import { isDeepStrictEqual } from 'node:util';
import { findDeleted } from '#shared/data/directory/deleted-clients.ts';
import type { Directory } from '#shared/data/directory/directory.ts';
import { dayPrefix } from '#shared/data/dynamo/keys.ts';
import { mapInParallel } from '#shared/data/dynamo/parallel.ts';
import { readHolds } from '#shared/data/holds/holds.ts';
import { fold } from '#shared/domain/text.ts';
import type { CountedPeriod } from '#shared/domain/tracker/counted-page.ts';
import type { Holds } from '#shared/domain/tracker/hold.ts';
import { type BillingStatus, billingStatusOf } from '#shared/domain/tracker/present-entry.ts';
import { matches, newestFirst, readDayItems } from './day-entries.ts';
import { parseEntry, type StoredEntry, searchTextOf } from './entry-items.ts';
import { boundedScan, countDays, MAX_ATTEMPTS, type Scan, scanEntries } from './entry-scan.ts';

/** Finds entries by what no sum is kept of, by reading all days of the range that may hold them. */

export interface EntryFilter extends Scan {
  /** Searched in the description and in the client label. */
  readonly q?: string;
  readonly userId?: string;
  readonly billingStatus?: BillingStatus;
}

/** Whether the entries themselves have to be read to know which ones are meant. */
export function isSearch({ q, userId, billingStatus }: EntryFilter): boolean {
  return [q || undefined, userId, billingStatus].some((value) => value !== undefined);
}

interface Found {
  /** All matches, newest first. */
  readonly items: readonly StoredEntry[];
  /** The holds by which the billing status was decided; undefined if it was not asked for. */
  readonly holds?: Holds;
}

/** All entries of a range that match. @throws Problem `range_too_large` */
export async function searchEntries(
  organizationId: string,
  search: EntryFilter,
  reading: Promise<Directory>,
): Promise<Found> {
  const { q, userId, billingStatus } = search;
  const isOfUser = (entry: StoredEntry) => userId === undefined || entry.userId === userId;
  const found = q
    ? (await boundedScan(() => searchText(organizationId, search, q, reading))).filter(isOfUser)
    : (await scanEntries(organizationId, search, (entries) => entries.filter(isOfUser))).flat();
  const items = found.sort(newestFirst);
  if (billingStatus === undefined) return { items };
  const holds = await readHolds(organizationId, items);
  return { items: items.filter((entry) => billingStatusOf(entry, holds) === billingStatus), holds };
}

/**
 * DynamoDB filters, so what is read of a day does not tell whether it is as counted. The days are counted again
 * instead.
 */
async function searchText(
  organizationId: string,
  search: EntryFilter,
  q: string,
  reading: Promise<Directory>,
): Promise<StoredEntry[]> {
  const wanting = findWanted(organizationId, q, reading);
  // The promise is awaited below, unless something else fails before.
  wanting.catch(() => undefined);
  let days = await countDays(organizationId, search);
  for (let attempt = 1; ; attempt++) {
    const wanted = await wanting;
    const found = await mapInParallel(days, ({ period }) => searchDay(organizationId, period, search, wanted));
    const after = await countDays(organizationId, search);
    if (isSame(days, after) || attempt === MAX_ATTEMPTS) return found.flat();
    days = after;
  }
}

/** Whether no entry has come, gone or moved between two readings of the counts. */
function isSame(before: readonly CountedPeriod<unknown>[], after: readonly CountedPeriod<unknown>[]): boolean {
  const counts = (days: readonly CountedPeriod<unknown>[]) => days.map(({ period, count }) => [period, count]);
  return isDeepStrictEqual(counts(before), counts(after));
}

interface Wanted {
  /** The searched text, folded. */
  readonly text: string;
  /** Clients whose name holds the text: all of their entries match. */
  readonly clientIds: ReadonlySet<string>;
}

async function findWanted(organizationId: string, q: string, reading: Promise<Directory>): Promise<Wanted> {
  const [{ clients }, deleted] = await Promise.all([reading, findDeleted(organizationId, q)]);
  const text = fold(q);
  const present = [...clients.values()].filter(({ name }) => fold(name).includes(text)).map(({ id }) => id);
  return { text, clientIds: new Set([...present, ...deleted]) };
}

/** DynamoDB's own limit. */
const MAX_OPERANDS = 100;

async function searchDay(
  organizationId: string,
  date: string,
  search: EntryFilter,
  wanted: Wanted,
): Promise<StoredEntry[]> {
  const prefix = search.clientId === undefined ? '' : dayPrefix(search.clientId);
  const items = await readDayItems(organizationId, date, prefix, filteringOf(wanted));
  return items
    .map((item) => parseEntry(organizationId, item))
    .filter((entry) => matches(entry, search) && holds(entry, wanted));
}

/** Lets DynamoDB filter, so only matches travel. With too many clients, entries are compared here instead. */
function filteringOf({ text, clientIds }: Wanted) {
  if (clientIds.size > MAX_OPERANDS) return {};
  const clients = [...clientIds].map((id, index) => [`:client${index}`, id] as const);
  const ofClients = clients.length > 0 ? ` OR clientId IN (${clients.map(([name]) => name).join(', ')})` : '';
  return {
    FilterExpression: `(contains(searchText, :text)${ofClients})`,
    ExpressionAttributeValues: { ':text': text, ...Object.fromEntries(clients) },
  };
}

function holds(entry: StoredEntry, { text, clientIds }: Wanted): boolean {
  return (entry.clientId !== null && clientIds.has(entry.clientId)) || searchTextOf(entry).includes(text);
}
