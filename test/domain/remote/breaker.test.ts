import { expect, it } from 'vitest';
import { isOpen, pauseAfter, permittedSyncs } from '#shared/domain/remote/breaker.ts';

const FAILED_AT = new Date('2026-11-20T09:30:00.000Z');

it.each([
  [9, 0, false, Number.POSITIVE_INFINITY],
  [10, 599_999, true, 0],
  [10, 600_000, false, 3],
  [11, 0, true, 0],
])(
  'after %d failures in a row and %d ms: stopped %s, and %d syncs may begin',
  (failures, later, stopped, permitted) => {
    const breaker = { failures, openUntil: pauseAfter(FAILED_AT) };
    const now = new Date(FAILED_AT.getTime() + later);
    expect([isOpen(breaker, now), permittedSyncs(breaker, now)]).toEqual([stopped, permitted]);
  },
);
