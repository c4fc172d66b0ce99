/**
 * Finds a page of a list by counts. If the number of items in each period (a day or a month) is known, whole
 * periods before the page are skipped, and only the periods on the page are read.
 */

export interface CountedPeriod<Part> {
  /** `YYYY-MM-DD` or `YYYY-MM` */
  readonly period: string;
  /** The parts that hold the period's items, with the number of items in each. */
  readonly parts: readonly Part[];
  readonly count: number;
}

/** The items of a period, newest first: `take` of them from `skip` on. */
export interface PeriodWindow<Part> extends CountedPeriod<Part> {
  readonly skip: number;
  readonly take: number;
}

interface Counted {
  readonly entries: number;
}

/**
 * Groups counted parts by period, newest first.
 *
 * @param periodOf may mix days and months, if no day lies in one of the months
 */
export function periodsOf<Part extends Counted>(
  parts: readonly Part[],
  periodOf: (part: Part) => string,
): CountedPeriod<Part>[] {
  return [...Map.groupBy(parts, periodOf)]
    .map(([period, ofPeriod]) => ({ period, parts: ofPeriod, count: countOf(ofPeriod) }))
    .sort((one, other) => (one.period < other.period ? 1 : -1));
}

export function countOf(parts: readonly Counted[]): number {
  return parts.reduce((sum, { entries }) => sum + entries, 0);
}

/** The periods of a page, each with what the page takes of it. @param periods newest first */
export function windowsOf<Part>(
  periods: readonly CountedPeriod<Part>[],
  offset: number,
  limit: number,
): PeriodWindow<Part>[] {
  const windows: PeriodWindow<Part>[] = [];
  let before = 0;
  for (const period of periods) {
    if (before >= offset + limit) break;
    const skip = Math.max(0, offset - before);
    const take = Math.min(period.count, offset + limit - before) - skip;
    if (take > 0) windows.push({ ...period, skip, take });
    before += period.count;
  }
  return windows;
}
