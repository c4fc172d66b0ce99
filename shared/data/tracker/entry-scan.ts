import { planDays, type Segment, splitByRanges, toReadOf } from '#shared/domain/tracker/list-plan.ts';
import {
  boundOfScan,
  countDays,
  MAX_SCANNED_ENTRIES,
  type Pay,
  type RangeFilter,
  rangeTooLarge,
} from './entry-counts.ts';
import type { StoredEntry } from './entry-items.ts';
import { MAX_ATTEMPTS, SegmentReader, type SentFilter } from './read-segments.ts';

/** Reads all entries of a range, a day at a time, for queries that counts cannot answer. */

/** Newest first, and paid for. @throws Problem `range_too_large` where entries are too many to read them all */
export async function planScan(organizationId: string, filter: RangeFilter, pay?: Pay): Promise<Segment[]> {
  const segments = planDays(await countDays(organizationId, filter), filter);
  const toRead = toReadOf(segments);
  if (toRead > MAX_SCANNED_ENTRIES) {
    throw rangeTooLarge(`The range holds ${toRead} entries, and a request reads ${MAX_SCANNED_ENTRIES}`);
  }
  await pay?.(toRead);
  return segments;
}

/**
 * @param planned by {@link planScan}
 * @param digest of some entries of one day, in no particular order
 * @param condition that DynamoDB applies
 * @throws Problem `range_too_large`
 */
export async function scanEntries<Digest>(
  organizationId: string,
  filter: RangeFilter,
  planned: readonly Segment[],
  digest: (entries: readonly StoredEntry[]) => Digest,
  condition?: SentFilter,
): Promise<Digest[]> {
  const reader = new SegmentReader(organizationId, { filter, condition }, digest);
  let segments = condition ? splitByRanges(planned) : planned;
  for (let attempt = 1; ; attempt++) {
    await reader.read(segments, boundOfScan());
    // A condition hides how many entries a segment has, so they are counted again.
    if (!condition && reader.areAsCounted(segments)) return reader.digestsOf(segments);
    const again = await planScan(organizationId, filter);
    segments = condition ? splitByRanges(again) : again;
    if (reader.areAsCounted(segments) || attempt === MAX_ATTEMPTS) return reader.digestsOf(segments);
  }
}
