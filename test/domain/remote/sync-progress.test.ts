import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  afterSlice,
  NO_PROGRESS,
  type Progress,
  questionOf,
  readingOf,
  withSmallerSlice,
} from '#shared/domain/remote/sync-progress.ts';
import { FIRST_WORK_DATE, LAST_WORK_DATE, plusDays } from '#shared/domain/tracker/work-time.ts';

/** Hours and minutes of one day. */
const at = (time: string) => `2026-11-20T${time}:00.000Z`;

const synced: Progress = { ...NO_PROGRESS, syncedUntil: at('10:00'), comparedAt: at('10:00') };

/** The progress once the next slice is imported, or halved. */
const imported = (progress: Progress, time = at('11:00')) => afterSlice(progress, readingOf(progress, time), time);
const halved = (progress: Progress, time = at('11:00')) => withSmallerSlice(progress, readingOf(progress, time), time);

const MOST_QUESTIONS = 1_000;

/** All that is asked when every slice fits. */
function questionsOf(progress: Progress, time: string) {
  const questions = [];
  for (let next: Progress | undefined = progress; next; ) {
    questions.push(questionOf(readingOf(next, time)));
    const reached = imported(next, time);
    next = reached.reading ? reached : undefined;
    if (questions.length > MOST_QUESTIONS) throw new Error('A sync comes to no end.');
  }
  return questions;
}

describe('what a sync asks', () => {
  const lastDays = (from: string) => ({ from, to: '2026-11-21' });

  it('is what has changed, with an hour of overlap, and the last ninety days when these have not been compared for a week', () => {
    const changed = { updatedSince: at('09:00') };
    const comparedAt = (comparedAt: string) => questionsOf({ ...synced, comparedAt }, at('11:00'));
    expect(comparedAt('2026-11-13T11:00:00.000Z')).toEqual([changed, lastDays('2026-08-22')]);
    expect(comparedAt('2026-11-13T11:00:00.001Z')).toEqual([changed]);
  });

  it('is remembered as a comparison where it is one, and the first is', () => {
    expect(imported(NO_PROGRESS)).toEqual({ ...synced, syncedUntil: at('11:00'), comparedAt: at('11:00') });
    expect(imported(synced)).toEqual({ ...synced, syncedUntil: at('11:00') });
    const comparing = imported({ ...synced, comparedAt: '2026-11-01T00:00:00.000Z' });
    expect(imported(comparing, at('12:00'))).toEqual({ ...synced, syncedUntil: at('11:00'), comparedAt: at('11:00') });
  });
});

describe('what a sync cannot import', () => {
  it('adds up over its slices, and counts once what a comparison finds again', () => {
    const begun: Progress = { ...NO_PROGRESS, syncedUntil: at('10:00'), comparedAt: '2026-11-01T00:00:00.000Z' };
    const read = (progress: Progress | undefined, unusable: number) => {
      if (!progress) throw new Error('There is a half.');
      return afterSlice(progress, readingOf(progress, at('11:00')), at('11:00'), unusable);
    };
    const changes = read(read(halved(begun), 2), 1);
    expect(changes).toMatchObject({ unusableEntries: 3, reading: { updatedSince: null } });
    for (const [found, most] of [
      [2, 3],
      [4, 4],
    ] as const) {
      expect(read(changes, found)).toMatchObject({ unusableEntries: most, reading: null });
    }
  });
});

describe('a sync that finds more than is taken at once', () => {
  /** The slices in which all dates are imported when the provider has so many entries on some dates. */
  function slicesOf(begun: Progress, entries: ReadonlyMap<string, number>, maximum: number) {
    const slices: { from: string; to: string }[] = [];
    let [progress, asked]: [Progress, number] = [begun, 0];
    do {
      asked += 1;
      const { from = FIRST_WORK_DATE, to = LAST_WORK_DATE } = questionOf(readingOf(progress, at('11:00')));
      const days = [...entries].filter(([date]) => date >= from && date <= to);
      const isTooMuch = days.reduce((sum, [, count]) => sum + count, 0) > maximum;
      if (!isTooMuch) slices.push({ from, to });
      const reached = isTooMuch ? halved(progress) : imported(progress);
      if (!reached) return { slices, asked, stuckAt: { from, to } };
      progress = reached;
      if (asked > MOST_QUESTIONS) throw new Error('A sync comes to no end.');
    } while (progress.reading);
    return { slices, asked, end: progress };
  }

  const crowd = fc.array(
    fc.tuple(
      fc.oneof(
        fc.integer({ min: -100, max: 1 }).map((days) => plusDays('2026-11-20', days)),
        fc.constantFrom(FIRST_WORK_DATE, '1999-12-31', '2126-01-01', LAST_WORK_DATE),
      ),
      fc.integer({ min: 1, max: 10 }),
    ),
    { maxLength: 60 },
  );

  it.each([
    ['the first', NO_PROGRESS, '2026-10-21', '2026-11-21'],
    ['a later', synced, FIRST_WORK_DATE, LAST_WORK_DATE],
    ['a comparing', imported({ ...synced, comparedAt: null }), '2026-08-22', '2026-11-21'],
  ])('asks for each date once, in slices that fit: %s one', (_which, begun, first, last) => {
    fc.assert(
      fc.property(crowd, fc.integer({ min: 10, max: 30 }), (days, maximum) => {
        const { slices, asked, end } = slicesOf(begun, new Map(days), maximum);
        expect(slices[0]?.from).toBe(first);
        expect(slices.at(-1)?.to).toBe(last);
        for (const [position, { from }] of slices.slice(1).entries()) {
          expect(from).toBe(plusDays(slices[position]?.to ?? '', 1));
        }
        expect(asked).toBeLessThanOrEqual(2 * slices.length);
        expect(end?.reading).toBeNull();
      }),
    );
  });

  it('takes 25,000 changes of a month with few questions, though it does not know when they were worked', () => {
    const month = new Map(Array.from({ length: 30 }, (_, age) => [plusDays('2026-11-20', -age), 834]));
    const { slices, asked } = slicesOf(synced, month, 10_000);
    expect(slices.length).toBeLessThanOrEqual(14);
    expect(asked).toBeLessThanOrEqual(27);
  });

  it('has advanced, at its end, to its own beginning, however long it takes: what changes meanwhile is asked for again', () => {
    const first = halved(synced);
    if (!first) throw new Error('There is a half.');
    let last = imported(first, at('12:00'));
    expect(last.syncedUntil).toBe(synced.syncedUntil);
    last = imported(last, at('15:00'));
    expect(last).toEqual({ ...synced, syncedUntil: at('11:00') });
  });

  it('stands still at a day that does not fit', () => {
    const crowded = new Map([['2026-11-19', 11]]);
    expect(slicesOf(NO_PROGRESS, crowded, 10).stuckAt).toEqual({ from: '2026-11-19', to: '2026-11-19' });
    expect(slicesOf(synced, crowded, 10).stuckAt).toEqual({ from: '2026-11-19', to: '2026-11-19' });
  });

  it('leaves such a day out of a comparison, and says so until a comparison has all days', () => {
    const comparing = imported({ ...synced, comparedAt: null });
    for (const day of ['2026-08-22', '2026-10-10', '2026-11-21']) {
      const { end, slices } = slicesOf(comparing, new Map([[day, 11]]), 10);
      expect(end).toEqual({ ...synced, syncedUntil: at('11:00'), comparedAt: at('11:00'), hasGap: true });
      expect(slices.some(({ from, to }) => from <= day && day <= to)).toBe(false);
    }
    const later = imported({ ...synced, comparedAt: null, hasGap: true });
    expect(later.hasGap).toBe(true);
    expect(imported(later).hasGap).toBe(false);
  });
});
