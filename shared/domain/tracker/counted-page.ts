/** Finds a page by the number of items in each period (day or month): only the periods on the page are read. */

export interface CountedPeriod<Part> {
  readonly period: string;
  readonly parts: readonly Part[];
  readonly count: number;
}

export interface PeriodWindow<Part> extends CountedPeriod<Part> {
  readonly skip: number;
  readonly take: number;
}

interface Counted {
  readonly entries: number;
}

/** @param periodOf may mix days and months, if no day lies in one of the months */
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
