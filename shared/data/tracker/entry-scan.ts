import { bounded } from '#shared/data/dynamo/consumption.ts';
import { mapInParallel } from '#shared/data/dynamo/parallel.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import { type CountedPeriod, periodsOf } from '#shared/domain/tracker/counted-page.ts';
import { readCalendarDays } from './calendar.ts';
import { type DayPart, readDay } from './day-entries.ts';
import type { StoredEntry } from './entry-items.ts';
import { type DateRange, isFiltered, type LinkFilter, readDays, spanOf } from './ledger-reading.ts';

/** Reads all entries of a range, a day at a time, for what no count tells. The range is bounded by its entries. */

export interface Scan extends DateRange, LinkFilter {}

/** The most entries that one request may read. */
const MAX_SCANNED_ENTRIES = 50_000;

/** What does not agree is read again: others were writing to these very days meanwhile. */
export const MAX_ATTEMPTS = 5;

/**
 * What the entries of each day come to, newest day first.
 *
 * @param digest of the entries of one day, in no particular order
 * @throws Problem `range_too_large`
 */
export function scanEntries<Digest>(
  organizationId: string,
  scan: Scan,
  digest: (entries: readonly StoredEntry[]) => Digest,
): Promise<Digest[]> {
  return boundedScan(() => digestDays(organizationId, scan, digest));
}

async function digestDays<Digest>(
  organizationId: string,
  scan: Scan,
  digest: (entries: readonly StoredEntry[]) => Digest,
): Promise<Digest[]> {
  for (let attempt = 1; ; attempt++) {
    const days = await countDays(organizationId, scan);
    const read = await mapInParallel(days, async ({ period, parts, count }) => {
      const entries = await readDay(organizationId, period, parts, scan);
      return { digest: digest(entries), isAsCounted: entries.length === count };
    });
    if (read.every(({ isAsCounted }) => isAsCounted) || attempt === MAX_ATTEMPTS) {
      return read.map((day) => day.digest);
    }
  }
}

/** Reads days, again where others write to them. @throws Problem `range_too_large` when that takes too much */
export function boundedScan<T>(read: () => Promise<T>): Promise<T> {
  return bounded(read, () => rangeTooLarge('The range takes more than the 100 MB that a request reads'));
}

/**
 * The days that hold entries to read, newest first.
 *
 * @throws Problem `range_too_large`
 */
export async function countDays(organizationId: string, scan: Scan): Promise<CountedPeriod<DayPart>[]> {
  const parts: readonly DayPart[] = isFiltered(scan)
    ? await readDays(organizationId, scan, scan, ['e'])
    : await readCalendarDays(organizationId, spanOf(scan));
  const days = periodsOf(parts, ({ date }) => date);
  const count = days.reduce((sum, day) => sum + day.count, 0);
  if (count <= MAX_SCANNED_ENTRIES) return days;
  throw rangeTooLarge(`The range holds ${count} entries, and a request reads ${MAX_SCANNED_ENTRIES}`);
}

/** @param reason without the period at its end */
function rangeTooLarge(reason: string): Problem {
  return fault('range_too_large', 'dateFrom', `${reason}: ask for a narrower one.`);
}
