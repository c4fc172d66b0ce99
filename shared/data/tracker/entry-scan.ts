import { ReadBound } from '#shared/data/table/read-bound.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import { type CountedPeriod, periodsOf } from '#shared/domain/tracker/counted-page.ts';
import { readCalendarDays } from './calendar.ts';
import { type DayPart, entriesToRead, partsOf, placesOf, readEntriesOfDay } from './day-entries.ts';
import { DayReadings, MAX_ATTEMPTS } from './day-readings.ts';
import type { StoredEntry } from './entry-items.ts';
import { type DateRange, type DimensionFilter, hasDimension, readDaysOfPages, spanOf } from './ledger-reading.ts';

/** Reads all entries of a range, a day at a time, for queries that counts cannot answer. */

export interface Scan extends DateRange, DimensionFilter {}

/** Pays before a reading begins. @param entries that have to be looked through, as counted */
export type Pay = (entries: number) => Promise<void>;

export const MAX_SCANNED_ENTRIES = 50_000;

/**
 * @param digest of the entries of one day, in no particular order
 * @throws Problem `range_too_large`
 */
export async function scanEntries<Digest>(
  organizationId: string,
  scan: Scan,
  digest: (entries: readonly StoredEntry[]) => Digest,
  pay?: Pay,
): Promise<Digest[]> {
  const readings = new DayReadings<Digest>();
  for (let attempt = 1; ; attempt++) {
    const days = await readScannableDays(organizationId, scan);
    await pay?.(entriesOf(days, scan));
    const bound = boundOfScan();
    await readings.read(days, async ({ period, parts }) => {
      const entries = await readEntriesOfDay(organizationId, period, parts, scan, bound);
      return { found: digest(entries), count: entries.length };
    });
    if (readings.areAsCounted(days) || attempt === MAX_ATTEMPTS) return readings.foundOn(days);
  }
}

export const boundOfScan = () =>
  new ReadBound(() => rangeTooLarge('The range takes more than the 100 MB that a request reads'));

/** 20 MB of the ledger are some 100,000 pages. They weigh one token, and those of a minute cost less than 50 cents. */
const MAX_UNITS_OF_SUMS = 5_000;

export const boundOfSums = () =>
  new ReadBound(() => rangeTooLarge('The range has more than the 20 MB of sums that a request adds up'), {
    readUnits: MAX_UNITS_OF_SUMS,
  });

/** Newest first. @throws Problem `range_too_large` where entries are too many to read them all */
export async function readScannableDays(organizationId: string, scan: Scan): Promise<CountedPeriod<DayPart>[]> {
  const days = await readCountedDays(organizationId, scan);
  const count = entriesOf(days, scan);
  if (count <= MAX_SCANNED_ENTRIES) return days;
  throw rangeTooLarge(`The range holds ${count} entries, and a request reads ${MAX_SCANNED_ENTRIES}`);
}

export function entriesOf(days: readonly CountedPeriod<DayPart>[], scan: Scan): number {
  return days.reduce((sum, { parts }) => sum + entriesToRead(placesOf(parts, scan)), 0);
}

/** Newest first. @throws Problem `range_too_large` */
export async function readCountedDays(organizationId: string, scan: Scan): Promise<CountedPeriod<DayPart>[]> {
  const bound = boundOfSums();
  const parts: readonly DayPart[] = hasDimension(scan)
    ? partsOf(await readDaysOfPages(organizationId, scan, { filter: scan, figures: ['e'], bound }), scan)
    : await readCalendarDays(organizationId, spanOf(scan), bound);
  return periodsOf(parts, ({ date }) => date).filter(({ count }) => count > 0);
}

function rangeTooLarge(reason: string): Problem {
  return fault('range_too_large', 'dateFrom', `${reason}: ask for a narrower one.`);
}
