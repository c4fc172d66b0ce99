import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { isDue, readDue } from '#shared/data/table/due.ts';
import { costOf } from '#test/support/capacity.ts';
import { putItems } from '#test/support/table-scan.ts';

const NOW = new Date('2026-11-20T12:00:00.000Z');
const SINCE = new Date('2026-11-20T11:00:00.000Z');

/** The first lies before both times, the second is due at one, the third at the other, and the fourth lies behind both. */
const DUE = ['10:59:59.999', '11:00:00.000', '12:00:00.000', '12:00:00.001'].map((time) => `2026-11-20T${time}Z#a#b`);

it('what is due up to now is found in all partitions at once, the longest due first, and what was due before if wanted', async () => {
  const partitions = Array.from({ length: 2 }, () => `DUE#${randomUUID()}`);
  await putItems(DUE.map((dueSk, i) => ({ pk: `DUE#${randomUUID()}`, sk: 'DUE', duePk: partitions[i % 2], dueSk })));
  expect(await readDue(partitions, NOW)).toEqual(DUE.slice(0, 3));
  expect(await readDue(partitions, NOW, SINCE)).toEqual(DUE.slice(1, 3));
  expect(await costOf(() => readDue(partitions, NOW))).toMatchObject({ calls: 2, roundTrips: 1 });
});

it('an item is due from its time on, and one that is in no index never', () => {
  expect([...DUE, undefined].map((dueSk) => isDue(dueSk, NOW))).toEqual([true, true, true, false, false]);
});
