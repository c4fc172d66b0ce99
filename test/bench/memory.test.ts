import { expect, it } from 'vitest';
import { memoryTable, requestMilliseconds } from '#scripts/bench/memory.ts';

const asked = { roundTrips: 2, readUnits: 1, writeUnits: 0, queueRequests: 0, kmsCalls: 0 };
const measured = { operation: 'getThing', memoryMegabytes: 512, load: 35, first: 20, next: 8, ...asked };

it('a function has a processor by its memory, and waits for the table as long with any', () => {
  expect(requestMilliseconds(8, 2, 1_769 / 2)).toBeCloseTo(16 + 30, 5);
  expect(requestMilliseconds(8, 2, 1_769)).toBeCloseTo(8 + 30, 5);
});

it('a second processor does not make it faster', () => {
  expect(requestMilliseconds(8, 2, 2 * 1_769)).toBeCloseTo(8 + 30, 5);
});

it('the table has the time of a cold and of a warm request, and what a million warm ones cost', () => {
  // Half a gigabyte, and 1,769 / 512 of the processor time. It loads with a whole processor.
  expect(memoryTable([measured])).toContain('| getThing | 203, 85 ms, 0.28 | 134, 58 ms, 0.38 |');
});
