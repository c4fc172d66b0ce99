import { beforeAll, describe, expect, it } from 'vitest';
import { bookEntries } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/** The entries that `invoice_empty` says were left out. */

const MARCH = { dateFrom: '2026-03-01', dateTo: '2026-03-31', groupBy: 'project' };
const NOTHING = { notBillable: 0, noRate: 0, otherCurrency: 0, invoiced: 0 };
const DAY = '2026-03-02';

describe('POST /invoices with nothing to bill', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  async function skipped(clientId: string, timeEntries: Json = {}): Promise<Json> {
    const { status, body } = await ana.post('/invoices', { clientId, timeEntries: { ...MARCH, ...timeEntries } });
    expect([status, body.code]).toEqual([400, 'invoice_empty']);
    return body.skipped;
  }

  const book = (clientId: string, more: Json = {}) => given.entry(ana, { clientId, entryDate: DAY, rate: 60, ...more });

  it('counts each entry of the client once, by the first reason', async () => {
    const { id } = await given.client(ana);
    await book(id);
    await given.invoice(ana, { clientId: id, lineItems: [], timeEntries: MARCH });
    await book(id, { billable: false, rate: null, currency: 'EUR' });
    await book(id, { billable: false, entryDate: '2026-03-31' });
    await book(id, { rate: null });
    await book(id, { rate: null, currency: 'EUR', entryDate: '2026-03-01' });
    await book(id, { currency: 'EUR' });
    await book(id, { currency: 'JPY', entryDate: '2026-03-20' });
    await book(id, { currency: 'JPY', rate: 0 });
    await book(id, { billable: false, entryDate: '2026-04-01' });
    await book((await given.client(ana)).id, { billable: false });
    expect(await skipped(id)).toEqual({ notBillable: 2, noRate: 2, otherCurrency: 3, invoiced: 1 });
  });

  it('counts the only entry of a client once, whose currency is another and which has no rate', async () => {
    const { id } = await given.client(ana);
    await book(id, { rate: null, currency: 'EUR' });
    expect(await skipped(id)).toEqual({ ...NOTHING, noRate: 1 });
  });

  it('counts only the project that is asked for, also in months without billable time', async () => {
    const { id: clientId } = await given.client(ana);
    const [one, other] = [await given.project(ana, { clientId }), await given.project(ana, { clientId })];
    for (const entryDate of ['2026-01-05', '2026-03-05', '2026-08-05'])
      await book(clientId, { projectId: one.id, entryDate, billable: false });
    await book(clientId, { projectId: one.id, entryDate: '2026-06-05', rate: null });
    await book(clientId, { projectId: other.id, billable: false });
    const year = { dateFrom: '2026-01-01', dateTo: '2026-12-31' };
    expect(await skipped(clientId, { ...year, projectId: one.id })).toEqual({ ...NOTHING, notBillable: 3, noRate: 1 });
    expect(await skipped(clientId, { projectId: other.id })).toEqual({ ...NOTHING, notBillable: 1 });
    expect(await skipped(clientId, year)).toEqual({ ...NOTHING, notBillable: 4, noRate: 1 });
  });

  it('tells no rates apart where more than 500 entries lie on the days of other currencies', async () => {
    const { id: clientId } = await given.client(ana);
    const project = await given.project(ana, { clientId, currency: 'EUR' });
    await book(clientId, { currency: 'EUR', rate: null });
    await bookEntries(ana, project, 499, [DAY]);
    await book(clientId, { billable: false, entryDate: '2026-03-20' });
    expect(await skipped(clientId)).toEqual({ notBillable: 168, noRate: 1, otherCurrency: 332, invoiced: 0 });
    await book(clientId, { currency: 'EUR', rate: null });
    expect(await skipped(clientId)).toEqual({ notBillable: 168, noRate: 0, otherCurrency: 334, invoiced: 0 });
  });
});
