/**
 * Where a page of a list lies when it is known how many items each period has, a day or a month: whole periods before the page are skipped by
 * their counts, and only those of the page need to be looked into.
 */

export interface CountedPeriod<Part> {
  /** `YYYY-MM-DD` or `YYYY-MM` */
  readonly period: string;
  /** What the period's items are spread over, with the number of items in each. */
  readonly parts: readonly Part[];
  readonly count: number;
}

/** Of a period's items, newest first: those from `skip` on, `take` of them. */
export interface PeriodWindow<Part> extends CountedPeriod<Part> {
  readonly skip: number;
  readonly take: number;
}

interface Counted {
  readonly entries: number;
}

/**
 * Gathers counted parts by period, newest first.
 *
 * @param periodOf days and months may be among each other as long as no day is of one of the months
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

/** @param periods newest first */
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
