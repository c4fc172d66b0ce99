import { mapInParallel } from '#shared/data/table/parallel.ts';
import type { CountedPeriod } from '#shared/domain/tracker/counted-page.ts';

/** On some days others write all the time. */
export const MAX_ATTEMPTS = 5;

/** To read more changed entries again would take longer than the next change. */
const MAX_READ_AGAIN = 5_000;

type Day = Pick<CountedPeriod<unknown>, 'period' | 'count'>;

interface Reading<Found> {
  readonly found: Found;
  /** The entries that were met, or those that were counted before. */
  readonly count: number;
}

/** Others may write meanwhile: then a day that has changed is read again, and no other. */
export class DayReadings<Found> {
  readonly #readings = new Map<string, Reading<Found>>();

  async read<Counted extends Day>(
    days: readonly Counted[],
    readEntriesOfDay: (day: Counted) => Promise<Reading<Found>>,
    concurrency?: number,
  ): Promise<void> {
    const missing = days.filter(({ period }) => !this.#readings.has(period));
    const changed = days.filter((day) => this.#readings.has(day.period) && !this.#isAsCounted(day));
    const isTooMuch = changed.reduce((sum, { count }) => sum + count, 0) > MAX_READ_AGAIN;
    const pending = isTooMuch ? missing : [...missing, ...changed];
    const readings = await mapInParallel(pending, readEntriesOfDay, concurrency);
    for (const [position, reading] of readings.entries()) {
      const { period = '' } = pending[position] ?? {};
      // `foundOn` keeps the order of reading: the later reading of an entry counts.
      this.#readings.delete(period);
      this.#readings.set(period, reading);
    }
  }

  areAsCounted(days: readonly Day[]): boolean {
    return days.every((day) => this.#isAsCounted(day));
  }

  foundOn(days: readonly Day[]): Found[] {
    const periods = new Set(days.map(({ period }) => period));
    return [...this.#readings].flatMap(([period, { found }]) => (periods.has(period) ? [found] : []));
  }

  #isAsCounted({ period, count }: Day): boolean {
    return this.#readings.get(period)?.count === count;
  }
}
