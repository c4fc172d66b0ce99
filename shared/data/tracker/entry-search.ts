import { isDeepStrictEqual } from 'node:util';
import type { Directory } from '#shared/data/clients/directory.ts';
import { dayPrefix } from '#shared/data/dynamo/keys.ts';
import { mapInParallel } from '#shared/data/dynamo/parallel.ts';
import { fault } from '#shared/domain/problems.ts';
import { fold } from '#shared/domain/text.ts';
import { countOf } from '#shared/domain/tracker/counted-page.ts';
import { readCalendarDays } from './calendar.ts';
import { type DayPart, matches, newestFirst, readDayItems } from './day-entries.ts';
import { parseEntry, type StoredEntry, searchTextOf } from './entry-items.ts';
import { type DateRange, isFiltered, type LinkFilter, readDays, spanOf } from './ledger-reading.ts';

/** Searches entries for a text, by reading all days of the range that may hold it. */

interface Search extends DateRange, LinkFilter {
  readonly q: string;
}

/** The most entries that a search may read. */
const MAX_SEARCHED_ENTRIES = 50_000;

/** The days are read again only if others were moving entries among them meanwhile. */
const MAX_ATTEMPTS = 5;

/**
 * All matches, newest first.
 *
 * @throws Problem `range_too_large`
 */
export async function searchEntries(
  organizationId: string,
  search: Search,
  reading: Promise<Directory>,
): Promise<StoredEntry[]> {
  let days = await daysToSearch(organizationId, search);
  for (let attempt = 1; ; attempt++) {
    assertSearchable(days);
    const wanted = wantedOf(search, await reading);
    const dates = [...new Set(days.map(({ date }) => date))];
    const found = await mapInParallel(dates, (date) => searchDay(organizationId, date, search, wanted));
    const after = await daysToSearch(organizationId, search);
    if (isSame(days, after) || attempt === MAX_ATTEMPTS) return found.flat().sort(newestFirst);
    days = after;
  }
}

function daysToSearch(organizationId: string, search: Search): Promise<readonly DayPart[]> {
  return isFiltered(search)
    ? readDays(organizationId, search, search, ['e'])
    : readCalendarDays(organizationId, spanOf(search));
}

function assertSearchable(days: readonly DayPart[]): void {
  const count = countOf(days);
  if (count <= MAX_SEARCHED_ENTRIES) return;
  throw fault(
    'range_too_large',
    'dateFrom',
    `The range holds ${count} entries, and a search reads ${MAX_SEARCHED_ENTRIES}: ask for a narrower one.`,
  );
}

/** Whether no entry has come, gone or moved between two readings of the counts. */
function isSame(before: readonly DayPart[], after: readonly DayPart[]): boolean {
  const counts = (days: readonly DayPart[]) => days.map(({ date, entries }) => `${date} ${entries}`).sort();
  return isDeepStrictEqual(counts(before), counts(after));
}

interface Wanted {
  /** The searched text, folded. */
  readonly text: string;
  /** Clients whose name holds the text: all of their entries match. */
  readonly clientIds: ReadonlySet<string>;
}

function wantedOf({ q }: Search, { clients, deletedNames }: Directory): Wanted {
  const text = fold(q);
  const names = [...[...clients.values()].map(({ id, name }) => [id, name] as const), ...deletedNames];
  return { text, clientIds: new Set(names.filter(([, name]) => fold(name).includes(text)).map(([id]) => id)) };
}

/** DynamoDB's own limit. */
const MAX_OPERANDS = 100;

async function searchDay(organizationId: string, date: string, search: Search, wanted: Wanted): Promise<StoredEntry[]> {
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
