import { describe, expect, it, onTestFinished } from 'vitest';
import { createCreditNote } from '#shared/contract/invoices/create-credit-note.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { undoRemoteSync } from '#shared/contract/remote/undo-remote-sync.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { freshTable } from '#test/support/fresh-table.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';

/**
 * Requests of many transactions, on a table that throttles as a fresh one does. It has a tenth of its units, and the
 * requests have less to do: `npm run bench -- fresh` measures the largest.
 */

const SHARE = 1 / 10;

const own = useOwnCloud();

function throttle() {
  const table = freshTable(SHARE);
  const end = own.cloud.intercept(table.interceptor);
  onTestFinished(end);
  return { ...table, end };
}

const NOVEMBER = { dateFrom: '2026-11-01', dateTo: '2026-11-30', groupBy: 'project' };

/** @returns the client of so many entries, of which two thirds are billable */
async function booked(by: User, entries: number, dates: readonly string[]): Promise<string> {
  const client = await given.client(by);
  await bookEntries(by, await given.project(by, { clientId: client.id }), entries, dates, 'x'.repeat(60));
  return client.id;
}

describe('on a table that throttles', () => {
  it('a billing of one day gets through, and so does a credit of it, which writes little', async () => {
    const ana = await given.user();
    const clientId = await booked(ana, 300, ['2026-11-02']);
    const billed = throttle();
    const { status, data } = await invoke(createInvoice, ana, { body: { clientId, timeEntries: NOVEMBER } });
    expect(status).toBe(201);
    expect(data.lineItems[0].entryIds).toHaveLength(200);
    expect(billed.figures().throttled).toBeGreaterThan(0);
    billed.end();
    expect((await ana.post(`/invoices/${data.id}/send`)).status).toBe(200);
    const credited = throttle();
    const lines = [{ lineItemId: data.lineItems[0].id, entryIds: data.lineItems[0].entryIds.slice(0, 100) }];
    const body = { reason: 'Corrected', lines };
    expect((await invoke(createCreditNote, ana, { params: { id: data.id }, body })).status).toBe(201);
    expect(credited.figures().units).toBeLessThan(60);
  });

  it('an undo says how far it came when its time is over, and goes on when it is sent again', async () => {
    const ana = await given.user();
    await given.connection(ana);
    const rows = Array.from({ length: 240 }, (_, i) => ({
      date: '2026-11-02',
      durationMinutes: 30,
      externalId: `${i}`,
    }));
    const { body } = await ana.post('/v1/work/tracker/remote/sync/confirm', { rows });
    const params = { id: body.data.importJobId };
    throttle();
    const headers = { 'idempotency-key': 'undo' };
    const undo = (remainingMilliseconds: number) =>
      invoke(undoRemoteSync, ana, { params, headers, remainingMilliseconds });
    // One second is for work, and three are kept.
    const first = await undo(5_000);
    expect(first).toMatchObject({ status: 503, code: 'temporarily_unavailable' });
    const [, removed] = /enough for (\d+) of 240 entries/.exec(first.detail) ?? [];
    expect(Number(removed)).toBeGreaterThan(0);
    expect((await ana.get('/v1/work/tracker/entries')).body.meta.total).toBe(240 - Number(removed));
    const last = await undo(29_000);
    expect(last).toMatchObject({ status: 200, data: { removedCount: 240 } });
    expect((await ana.get('/v1/work/tracker/entries')).body.meta.total).toBe(0);
  });
});
