import { expect, it } from 'vitest';
import { isLocked, isPeriodLocked, periodLocked, stopLocked } from '#shared/domain/lock.ts';
import { Problem } from '#shared/domain/problems.ts';

it('a period is closed through its last day', () => {
  const days = ['2026-10-30', '2026-10-31', '2026-11-01'];
  expect(days.map((date) => isLocked(date, '2026-10-31'))).toEqual([true, true, false]);
  expect(isLocked('0001-01-01', null)).toBe(false);
});

it('a closed period is named where it refuses something, beside the timer that runs on', () => {
  const locked = periodLocked('2026-10-31');
  const detail = 'The period up to 2026-10-31 is closed: entries stay as they are there.';
  const extensions = { lockedThrough: '2026-10-31' };
  expect([locked.code, locked.details]).toEqual(['period_locked', { detail, extensions }]);
  const stopped = stopLocked(locked, { id: 'timer' });
  const more = { ...extensions, session: { id: 'timer' } };
  expect([stopped.code, stopped.details]).toEqual(['period_locked', { detail, extensions: more }]);
  expect([locked, new Problem('not_found', locked.details), new Error('x')].map(isPeriodLocked)).toEqual([
    true,
    false,
    false,
  ]);
});
