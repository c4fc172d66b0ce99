import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { ledgerMonthKey } from '#shared/data/layout/keys.ts';
import { readImported } from '#shared/data/remote/imported-entries.ts';
import { database } from '#shared/data/table/database.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { startImport } from '#shared/work/remote/start-import.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';
import { ACCOUNT_ID, deliver, entriesOf, importBy, row, useHeldQueue } from '#test/support/imports.ts';

const queue = useHeldQueue();

it('a preview compares rows with 20,000 imported entries of its days, by their sums, and with no more', async () => {
  const organizationId = randomUUID();
  const page = { clientId: null, projectId: null, currency: 'USD', source: 'remote_api', billable: true };
  const count = (entries: number) =>
    transact([increase(ledgerMonthKey(organizationId, '2026-11', page), { e: entries, e05: entries })]);
  const pay = vi.fn(async () => {});
  const range = { from: '2026-11-05', to: '2026-11-05' };
  const read = (rows: readonly string[]) => readImported(organizationId, 'account', range, rows, pay);
  await transact([
    increase(ledgerMonthKey(organizationId, '2026-11', { ...page, source: 'manual' }), { e: 9, e05: 9 }),
  ]);
  await count(20_000);
  const send = vi.spyOn(database, 'send');
  await read([]);
  // Nothing but the counts travels.
  expect(send.mock.calls[0]?.[0].input).toMatchObject({ ProjectionExpression: '#sk, #e05' });
  send.mockRestore();
  await count(1);
  const message = expect.stringContaining('More than 20000 entries of this range of dates were imported before');
  await expect(read([])).rejects.toMatchObject({ code: 'too_many_remote_entries', message });
  await count(-20_000);
  await read([randomUUID(), randomUUID()]);
  expect(pay.mock.calls).toEqual([[20_000], [2]]);
});

it('a row whose entry lies on the days of the range costs no look-up of its own', async () => {
  const ana = await given.user();
  await startImport(importBy(ana, [row({ date: '2026-11-02' })]));
  for (const message of queue.messages) expect(await deliver(importChunk, message)).toBe(true);
  const [entry] = await entriesOf(ana, [row({ date: '2026-11-02' })]);
  const range = { from: '2026-11-02', to: '2026-11-02' };
  const callsFor = async (ids: readonly string[]) =>
    (await costOf(() => readImported(ana.organization.id, ACCOUNT_ID, range, ids))).calls;
  expect(await callsFor([`${entry?.id}`])).toBe(await callsFor([]));
  const ofAnother = await readImported(ana.organization.id, 'another account', range, []);
  expect([ofAnother.ofRange, [...ofAnother.ofRows.keys()]]).toEqual([[], [entry?.id]]);
});
