import { findDeleted } from '#shared/data/directory/deleted-clients.ts';
import type { Directory } from '#shared/data/directory/directory.ts';
import { readHolds } from '#shared/data/holds/holds.ts';
import type { ReadBound } from '#shared/data/table/read-bound.ts';
import { foldText } from '#shared/domain/text.ts';
import type { CountedPeriod } from '#shared/domain/tracker/counted-page.ts';
import { type Holds, invoiceOf } from '#shared/domain/tracker/hold.ts';
import { type BillingStatus, billingStatusOf } from '#shared/domain/tracker/present-entry.ts';
import { type DayPart, newestFirst, type Place, placesOf, readDayItems } from './day-entries.ts';
import { DayReadings, MAX_ATTEMPTS } from './day-readings.ts';
import { parseEntry, type StoredEntry, searchTextOf } from './entry-items.ts';
import { boundOfScan, entriesOf, type Pay, readScannableDays, type Scan, scanEntries } from './entry-scan.ts';
import { matches } from './ledger-reading.ts';

/** Filters by text, user, billing status or invoice, which the ledger does not count: all days that may match are read. */

export interface EntryFilter extends Scan {
  /** Searched in the description, in the client label and in the user label. */
  readonly q?: string;
  readonly userId?: string;
  readonly billingStatus?: BillingStatus;
  readonly invoiceId?: string;
}

/** Whether the entries themselves have to be read to know which ones are meant. */
export function isSearch({ q, userId, billingStatus, invoiceId }: EntryFilter): boolean {
  return [q || undefined, userId, billingStatus, invoiceId].some((value) => value !== undefined);
}

interface Found {
  readonly items: readonly StoredEntry[];
  /** The holds by which the invoice was decided; undefined if neither it nor the billing status was asked for. */
  readonly holds?: Holds;
}

/** @param pay for the entries of the range @throws Problem `range_too_large` */
export async function searchEntries(
  organizationId: string,
  search: EntryFilter,
  directory: Promise<Directory>,
  pay?: Pay,
): Promise<Found> {
  const { q, userId, billingStatus, invoiceId } = search;
  const isOfUser = (entry: StoredEntry) => userId === undefined || entry.userId === userId;
  const found = q
    ? (await searchText(organizationId, search, q, directory, pay)).filter(isOfUser)
    : (await scanEntries(organizationId, search, (entries) => entries.filter(isOfUser), pay)).flat();
  // An entry that moves from one day to another may be met on both. The later reading is how it is now.
  const items = [...new Map(found.map((entry) => [entry.id, entry])).values()].sort(newestFirst);
  if (billingStatus === undefined && invoiceId === undefined) return { items };
  const holds = await readHolds(organizationId, items);
  const isWanted = (entry: StoredEntry) =>
    (billingStatus === undefined || billingStatusOf(entry, holds) === billingStatus) &&
    (invoiceId === undefined || invoiceOf(entry, holds) === invoiceId);
  return { items: items.filter(isWanted), holds };
}

/** DynamoDB filters, so what is read of a day does not tell whether it is as counted. The days are counted again. */
async function searchText(
  organizationId: string,
  search: EntryFilter,
  q: string,
  directory: Promise<Directory>,
  pay?: Pay,
): Promise<StoredEntry[]> {
  const days = await readScannableDays(organizationId, search);
  await pay?.(entriesOf(days, search));
  let places = placesOn(days, search);
  if (places.length === 0) return [];
  const wanted = await findWanted(organizationId, q, directory);
  const readings = new DayReadings<StoredEntry[]>();
  for (let attempt = 1; ; attempt++) {
    const bound = boundOfScan();
    await readings.read(places, async (place) => {
      return { found: await searchPlace(organizationId, place, search, wanted, bound), count: place.count };
    });
    places = placesOn(await readScannableDays(organizationId, search), search);
    if (readings.areAsCounted(places) || attempt === MAX_ATTEMPTS) return readings.foundOn(places).flat();
  }
}

interface PlaceOnDay extends Place {
  readonly date: string;
  /** Names the place, not only the day: an entry that moves to another place changes the counts of both. */
  readonly period: string;
}

function placesOn(days: readonly CountedPeriod<DayPart>[], search: EntryFilter): PlaceOnDay[] {
  return days.flatMap(({ period: date, parts }) =>
    placesOf(parts, search).map((place) => ({ ...place, date, period: `${date}#${place.prefix}` })),
  );
}

interface Wanted {
  readonly text: string;
  /** Clients whose name holds the text: all of their entries match. */
  readonly clientIds: ReadonlySet<string>;
}

async function findWanted(organizationId: string, q: string, directory: Promise<Directory>): Promise<Wanted> {
  const [{ clients }, deleted] = await Promise.all([directory, findDeleted(organizationId, q)]);
  const text = foldText(q);
  const present = [...clients.values()].filter(({ name }) => foldText(name).includes(text)).map(({ id }) => id);
  return { text, clientIds: new Set([...present, ...deleted]) };
}

/** DynamoDB's own limit. */
const MAX_OPERANDS = 100;

async function searchPlace(
  organizationId: string,
  { date, prefix }: PlaceOnDay,
  search: EntryFilter,
  wanted: Wanted,
  bound: ReadBound,
): Promise<StoredEntry[]> {
  const items = await readDayItems(organizationId, date, prefix, { ...filteringOf(wanted), bound });
  return items
    .map((item) => parseEntry(organizationId, item))
    .filter((entry) => matches(entry, search) && hasText(entry, wanted));
}

/** DynamoDB filters, so only matches travel. With too many clients, entries are compared here instead. */
function filteringOf({ text, clientIds }: Wanted) {
  if (clientIds.size > MAX_OPERANDS) return {};
  const clients = [...clientIds].map((id, index) => [`:client${index}`, id] as const);
  const ofClients = clients.length > 0 ? ` OR clientId IN (${clients.map(([name]) => name).join(', ')})` : '';
  return {
    FilterExpression: `(contains(searchText, :text)${ofClients})`,
    ExpressionAttributeValues: { ':text': text, ...Object.fromEntries(clients) },
  };
}

function hasText(entry: StoredEntry, { text, clientIds }: Wanted): boolean {
  return (entry.clientId !== null && clientIds.has(entry.clientId)) || searchTextOf(entry).includes(text);
}
