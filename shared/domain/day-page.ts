/**
 * Where a page of a list lies when it is known how many items each day has: whole days before the page are skipped by their counts, and
 * only the days of the page need to be read.
 */

export interface CountedDay<Part> {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** What the day's items are spread over, with the number of items in each. */
  readonly parts: readonly Part[];
  readonly count: number;
}

/** Of a day's items, newest first: those from `skip` on, `take` of them. */
export interface DayWindow<Part> extends CountedDay<Part> {
  readonly skip: number;
  readonly take: number;
}

interface Counted {
  readonly date: string;
  readonly entries: number;
}

/** Gathers counted parts by day, newest day first. */
export function daysOf<Part extends Counted>(parts: readonly Part[]): CountedDay<Part>[] {
  const days = Map.groupBy(parts, ({ date }) => date);
  return [...days]
    .map(([date, ofDay]) => ({ date, parts: ofDay, count: ofDay.reduce((sum, { entries }) => sum + entries, 0) }))
    .sort((one, other) => (one.date < other.date ? 1 : -1));
}

/** @param days newest first */
export function windowsOf<Part>(days: readonly CountedDay<Part>[], offset: number, limit: number): DayWindow<Part>[] {
  const windows: DayWindow<Part>[] = [];
  let before = 0;
  for (const day of days) {
    if (before >= offset + limit) break;
    const skip = Math.max(0, offset - before);
    const take = Math.min(day.count, offset + limit - before) - skip;
    if (take > 0) windows.push({ ...day, skip, take });
    before += day.count;
  }
  return windows;
}
