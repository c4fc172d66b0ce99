import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { forgetHeldBack, heldBackPut, readHeldBack } from '#shared/data/remote/held-back.ts';
import { transact } from '#shared/data/table/transaction.ts';

it('what was held back of an account is read by day, the first one first', async () => {
  const organizationId = randomUUID();
  const [origin, other] = [
    { organizationId, accountId: 'a' },
    { organizationId, accountId: 'b' },
  ];
  const rows = ['c', 'b', 'a'].map((entryId, position) => ({
    ...{ entryId, date: `2026-11-0${position + 1}`, content: 'x', heldBackAt: '2026-11-20T12:00:00.000Z' },
    ...{ externalId: null, holdId: null, lockedDate: '2026-11-01' },
  }));
  await transact(rows.toReversed().map((row) => heldBackPut(origin, row)));
  expect((await readHeldBack(origin)).map(({ date }) => date)).toEqual(rows.map(({ date }) => date));
  await forgetHeldBack(origin, rows.slice(0, 1));
  expect((await readHeldBack(origin)).map(({ entryId }) => entryId)).toEqual(['b', 'a']);
  expect(await readHeldBack(other)).toEqual([]);
});
