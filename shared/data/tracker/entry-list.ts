import { type Directory, readDirectory } from '#shared/data/directory/directory.ts';
import { ReadBound } from '#shared/data/table/read-bound.ts';
import { assertRowsFit, MAX_EXPORT_ROWS } from '#shared/domain/export.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import type { Holds } from '#shared/domain/tracker/hold.ts';
import { countOf, type DimensionFilter, planPage, type Segment, toReadOf } from '#shared/domain/tracker/list-plan.ts';
import {
  boundOfScan,
  countDays,
  countPage,
  type ListWindow,
  MAX_SCANNED_ENTRIES,
  type Pay,
  type RangeFilter,
} from './entry-counts.ts';
import type { StoredEntry } from './entry-items.ts';
import { type EntryFilter, isSearch, searchEntries } from './entry-search.ts';
import { type LinkedObjects, readLinks } from './links.ts';
import { MAX_ATTEMPTS, newestFirst, orderFrom, SegmentReader } from './read-segments.ts';

/**
 * Counts of months and days, from the calendar or with a filter from the ledger, give the total, and skip what lies
 * before the page. Only the days of the page are read, and of a crowded day one end: a page costs the same for any
 * number of entries and any offset. Only a search reads all that it may find (`entry-search.ts`).
 *
 * Entries may move meanwhile. If the counts of a day disagree, that day is read again.
 */

interface EntryPage {
  readonly items: readonly StoredEntry[];
  readonly total: number;
  readonly holds?: Holds;
}

const NOTHING: EntryPage = { items: [], total: 0 };

export const WHOLE_LIST: ListWindow = { offset: 0, limit: MAX_EXPORT_ROWS, isExport: true };

/** @throws Problem `range_too_large` where it would have to read too much; `export_too_large` */
export async function readEntryList(
  organizationId: string,
  wanted: EntryFilter,
  window: ListWindow,
  pay?: Pay,
): Promise<EntryPage & { readonly links: LinkedObjects }> {
  const directory = readDirectory(organizationId);
  const filter = withBillable(wanted);
  // Nothing is read, but a search or a file still weighs its least.
  if (!filter) await pay?.(0);
  const [isOwned, found] = await Promise.all([
    ownsFilterLinks(filter ?? {}, directory),
    filter ? findPage(organizationId, filter, directory, window, pay) : NOTHING,
  ]);
  const { items, total, holds } = isOwned ? found : NOTHING;
  // No file has metadata, and one of 10,000 rows would have to read much.
  const shown = window.isExport ? items.map(({ hasMetadata: _, ...entry }) => entry) : items;
  return { items, total, links: await readLinks(organizationId, shown, directory, holds) };
}

/**
 * Only billable entries can be on an invoice: the sums alone answer `non_billable`, and any other status is searched
 * among billable entries.
 *
 * @returns undefined if no entry can match
 */
function withBillable({ billingStatus, ...filter }: EntryFilter): EntryFilter | undefined {
  if (billingStatus === undefined && filter.invoiceId === undefined) return filter;
  const billable = billingStatus !== 'non_billable';
  if (filter.billable !== undefined && filter.billable !== billable) return undefined;
  return { ...filter, billable, ...(billable && { billingStatus }) };
}

/** Nobody sees entries by another organization's project or client, or by a deleted one. */
async function ownsFilterLinks(
  { projectId, clientId }: DimensionFilter,
  directory: Promise<Directory>,
): Promise<boolean> {
  const { projects, clients } = await directory;
  return (projectId === undefined || projects.has(projectId)) && (clientId === undefined || clients.has(clientId));
}

async function findPage(
  organizationId: string,
  filter: EntryFilter,
  directory: Promise<Directory>,
  window: ListWindow,
  pay?: Pay,
): Promise<EntryPage> {
  if (!isSearch(filter)) return readCountedPage(organizationId, filter, window, pay);
  const { offset, limit, isExport } = window;
  const { items, holds } = await searchEntries(organizationId, filter, directory, pay);
  if (isExport) assertRowsFit(items.length);
  return { items: items.slice(offset, offset + limit), total: items.length, holds };
}

/** A page has at most so many days; a file reads as many at a time. */
const DAYS_AT_ONCE = 200;

async function readCountedPage(
  organizationId: string,
  filter: RangeFilter,
  window: ListWindow,
  pay?: Pay,
): Promise<EntryPage> {
  const sorted = (entries: StoredEntry[], { from }: Segment) => entries.sort(orderFrom(from));
  const reader = new SegmentReader(organizationId, { filter }, sorted);
  for (let attempt = 1; ; attempt++) {
    const bound = window.isExport ? boundOfScan() : new ReadBound(() => pageTooFar('100 MB'));
    const { page, total, isConsistent } = await countPage(organizationId, filter, window, bound);
    const segments = planPage(page);
    const toRead = toReadOf(segments);
    if (toRead > MAX_SCANNED_ENTRIES) throw pageTooFar(`${MAX_SCANNED_ENTRIES} entries`);
    await pay?.(toRead);
    await reader.read(segments, bound, DAYS_AT_ONCE);
    const isAsCounted =
      isConsistent && reader.areAsCounted(segments) && (await areEndsAsCounted(organizationId, filter, segments));
    // After the last attempt, the page is answered as it was read.
    if (!isAsCounted && attempt < MAX_ATTEMPTS) continue;
    const items = segments.flatMap((segment) => {
      const { skip, take } = segment;
      return reader.digestsOf([segment]).flatMap((entries) => entries.slice(skip, skip + take));
    });
    return { items: items.sort(newestFirst), total };
  }
}

/** A day that is read from one end does not show whether it has changed, so it is counted again. */
async function areEndsAsCounted(
  organizationId: string,
  filter: RangeFilter,
  segments: readonly Segment[],
): Promise<boolean> {
  const ends = segments.filter(({ isReadFromOneEnd }) => isReadFromOneEnd);
  if (ends.length === 0) return true;
  // The newest comes first.
  const range = { from: ends.at(-1)?.date, to: ends.at(0)?.date };
  const counts = await countDays(organizationId, { ...filter, ...range });
  return ends.every(
    ({ date, count }) =>
      countOf(
        counts.filter(({ period }) => period === date),
        filter,
      ) === count,
  );
}

function pageTooFar(most: string): Problem {
  const remedy = 'ask for one nearer to the first or the last entry, for fewer days, or for one client or project';
  return fault(
    'range_too_large',
    'offset',
    `The page lies among more than the ${most} that a request reads: ${remedy}.`,
  );
}
