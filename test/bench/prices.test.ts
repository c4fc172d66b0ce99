import { expect, it } from 'vitest';
import { priceOf, requestMilliseconds, startPrice } from '#scripts/bench/prices.ts';

const usage = {
  roundTrips: 2,
  readUnits: 2,
  writeUnits: 7,
  queueRequests: 0,
  kmsCalls: 0,
  milliseconds: 10,
  memoryMegabytes: 512,
  isAuthenticated: true,
};

/** Gateway, call of the function, logs, answer and authentication. */
const BEGINNING = 1 + 0.2 + 0.85 * 0.5 + 2 * 0.09 + 0.015 * (0.125 + 0.625);
const TABLE = 2 * 0.125 + 7 * 0.625;
const MILLISECOND = 0.5 * 13.3334e-6 * 1_000;

it('a million requests cost what their parts cost by the price list', () => {
  // 5 ms and 15 for each round trip, of half a gigabyte.
  expect(priceOf(usage)).toBeCloseTo(BEGINNING + TABLE + 35 * MILLISECOND, 5);
});

it('Lambda is paid for the time that an operation took where that is longer than the assumption, each millisecond begun', () => {
  expect(priceOf({ ...usage, milliseconds: 99.2 })).toBeCloseTo(BEGINNING + TABLE + 100 * MILLISECOND, 5);
});

it('messages and calls of the key service come on top', () => {
  expect(priceOf({ ...usage, queueRequests: 2, kmsCalls: 1 })).toBeCloseTo(priceOf(usage) + 2 * 0.5 + 3, 5);
});

it('a start takes the time of Lambda and of the bundle', () => {
  expect(startPrice(50, 512)).toBeCloseTo(150 * MILLISECOND, 5);
});

it('an answer is paid by its size', () => {
  expect(priceOf({ ...usage, answerKilobytes: 60 })).toBeCloseTo(priceOf(usage) + 58 * 0.09, 5);
});

it('a function has a processor by its memory, and waits for the table as long with any', () => {
  expect(requestMilliseconds(8, 2, 1_769 / 2)).toBeCloseTo(16 + 30, 5);
  expect(requestMilliseconds(8, 2, 1_769)).toBeCloseTo(8 + 30, 5);
});

it('a second processor does not make it faster', () => {
  expect(requestMilliseconds(8, 2, 2 * 1_769)).toBeCloseTo(8 + 30, 5);
});
