import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  availableTokens,
  bucketSize,
  nextLeaseSize,
  secondsUntilFull,
  secondsUntilTokens,
  tokenInterval,
  WINDOW_MICROSECONDS,
} from '#shared/domain/keys/token-bucket.ts';

const rateLimit = fc.integer({ min: 1, max: 1_000_000 });
const aheadOfNow = fc.integer({ min: 0, max: WINDOW_MICROSECONDS });
const START = 1_790_000_000_000_000;

/** Takes one token, as the database does. */
function take(fullAt: number, now: number, limit: number): number {
  return Math.max(fullAt, now) + tokenInterval(limit);
}

describe('token bucket', () => {
  it('holds the whole limit when nothing was taken', () => {
    for (const limit of [1, 5, 60, 600, 10_000]) expect(availableTokens(0, START, limit)).toBe(limit);
  });

  it('holds none while it is full later than after a whole minute, as of another clock', () => {
    expect(availableTokens(START + 2 * WINDOW_MICROSECONDS, START, 60)).toBe(0);
  });

  it('loses one token each time one is taken, down to none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (limit) => {
        let fullAt = 0;
        let before = availableTokens(fullAt, START, limit);
        while (before > 0) {
          fullAt = take(fullAt, START, limit);
          const after = availableTokens(fullAt, START, limit);
          if (after !== before - 1) return false;
          before = after;
        }
        return true;
      }),
    );
  });

  it('never lets more than the limit and what refilled pass, whatever the rhythm', () => {
    fc.assert(
      fc.property(rateLimit, fc.array(fc.integer({ min: 0, max: 3_000_000 }), { maxLength: 200 }), (limit, pauses) => {
        let fullAt = 0;
        let now = START;
        let taken = 0;
        for (const pause of pauses) {
          now += pause;
          if (availableTokens(fullAt, now, limit) === 0) continue;
          fullAt = take(fullAt, now, limit);
          taken += 1;
        }
        return taken <= limit + Math.ceil((now - START) / tokenInterval(limit));
      }),
    );
  });

  it('holds as many tokens as are asked for after the seconds that it names, up to all that it can hold', () => {
    fc.assert(
      fc.property(rateLimit, fc.double({ min: 0, max: 1, noNaN: true }), aheadOfNow, (limit, share, ahead) => {
        const fullAt = START + ahead;
        const wanted = Math.max(1, Math.round(share * bucketSize(limit)));
        const seconds = secondsUntilTokens(wanted, fullAt, START, limit);
        return seconds >= 1 && availableTokens(fullAt, START + seconds * 1_000_000, limit) >= wanted;
      }),
    );
  });

  it.each([
    [1, 60_000_000, 1, 60],
    [60, 60_000_000, 60, 60],
    [1, 60_000_001, 2, 61],
    [1, 1_000_000, 1, 1],
    [1, -60_000_000, 1, 0],
  ])(
    'of one token a second: %i are there, as it is full in %i microseconds, after %i s, and all after %i s',
    (tokens, ahead, seconds, full) => {
      expect(secondsUntilTokens(tokens, START + ahead, START, 60)).toBe(seconds);
      expect(secondsUntilFull(START + ahead, START)).toBe(full);
    },
  );

  it('never holds more than its size, and its size unless something was taken', () => {
    fc.assert(
      fc.property(rateLimit, aheadOfNow, (limit, ahead) => {
        const size = bucketSize(limit);
        return availableTokens(START, START, limit) === size && availableTokens(START + ahead, START, limit) <= size;
      }),
    );
  });

  it('leases one token first, doubles while they are used up, and halves when some are left over', () => {
    const sizes = [1];
    for (let i = 0; i < 8; i++) sizes.push(nextLeaseSize(sizes.at(-1) ?? 1, 0, 600));
    expect(sizes).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    expect(nextLeaseSize(32, 5, 600)).toBe(16);
    expect(nextLeaseSize(1, 1, 600)).toBe(1);
    expect(nextLeaseSize(1, 0, 5)).toBe(1);
  });
});
