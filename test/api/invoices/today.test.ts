import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createCreditNote } from '#shared/contract/invoices/create-credit-note.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { createPayment } from '#shared/contract/invoices/create-payment.ts';
import { createRefund } from '#shared/contract/invoices/create-refund.ts';
import { getInvoice } from '#shared/contract/invoices/get-invoice.ts';
import { listInvoices } from '#shared/contract/invoices/list-invoices.ts';
import { listPayments } from '#shared/contract/invoices/list-payments.ts';
import { payInvoice } from '#shared/contract/invoices/pay-invoice.ts';
import { updateInvoice } from '#shared/contract/invoices/update-invoice.ts';
import { previewRemoteSync } from '#shared/contract/remote/preview-remote-sync.ts';
import { costOf } from '#test/support/capacity.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke, invokeWith } from '#test/support/invoke.ts';
import { changeStoredOrganization } from '#test/support/stored.ts';

/** Today is that of the organization: at this instant, still the 22nd in Los Angeles, and already the 23rd in UTC. */

const now = new Date('2099-11-23T04:00:00.000Z');
const [yesterday, today] = ['2099-11-22', '2099-11-23'];

const zones = [
  ['America/Los_Angeles', yesterday],
  ['Asia/Tokyo', today],
  [null, today],
] as const;

let ana: User;

beforeEach(async () => {
  ana = await given.user();
});

/** A key is of no use before the moment at which it was used last. */
const moveTo = (timeZone: string | null) =>
  changeStoredOrganization(ana.organization.id, (organization) => ({ ...organization, timeZone }));

describe.each(zones)('in %s', (timeZone, date) => {
  const stopTheClock = async () => {
    await moveTo(timeZone);
    vi.useFakeTimers({ toFake: ['Date'], now });
  };

  it(`an invoice is issued on ${date}`, async () => {
    const { id: clientId } = await given.client(ana);
    await stopTheClock();
    const lineItems = [{ name: 'Hosting', price: '49.90' }];
    expect((await invoke(createInvoice, ana, { body: { clientId, lineItems } })).data.issueDate).toBe(date);
  });

  it(`payments are of ${date}`, async () => {
    const { id } = await given.sentInvoice(ana);
    await stopTheClock();
    const params = { id };
    await invoke(createPayment, ana, { params, body: { amount: '1.00' } });
    await invoke(payInvoice, ana, { params });
    const { data } = await invoke(listPayments, ana, { params });
    expect(data.map((payment: { date: string }) => payment.date)).toEqual([date, date]);
  });

  it(`credits and refunds are of ${date}`, async () => {
    const { id } = await given.sentInvoice(ana);
    await given.payment(ana, id, { amount: '10.00' });
    await stopTheClock();
    const params = { id };
    const { data: creditNote } = await invoke(createCreditNote, ana, { params, body: { reason: 'Cancelled' } });
    const { data: refund } = await invoke(createRefund, ana, { params, body: { amount: '10.00' } });
    expect([creditNote.issueDate, refund.date]).toEqual([date, date]);
  });

  it(`a preview ends on ${date}`, async () => {
    await given.connection(ana);
    await stopTheClock();
    const { data } = await invoke(previewRemoteSync, ana, { body: {} });
    expect(data.dateRange.to).toBe(date);
  });
});

it('the zone of the organization is read only for an invoice that is overdue by it', async () => {
  const callsFor = async (dueDate: string | null) => {
    const { id } = await given.sentInvoice(ana, { issueDate: '2026-11-01', dueDate });
    vi.useFakeTimers({ toFake: ['Date'], now });
    const { calls } = await costOf(() => invoke(getInvoice, ana, { params: { id } }));
    vi.useRealTimers();
    return calls;
  };
  await callsFor(null);
  const usual = await callsFor(null);
  expect([await callsFor('2099-11-21'), await callsFor(yesterday)]).toEqual([usual, usual + 1]);
});

it('an invoice is overdue, with another tag, as soon as its due date is over in the organization', async () => {
  const { id } = await given.sentInvoice(ana, { issueDate: '2026-11-01', dueDate: yesterday });
  const tags: (string | null)[] = [];
  for (const [timeZone, date] of zones) {
    await moveTo(timeZone);
    vi.useFakeTimers({ toFake: ['Date'], now });
    const isOverdue = date > yesterday;
    const authorization = `Bearer ${ana.apiKey}`;
    const shown = await invokeWith(getInvoice, authorization, { params: { id } });
    expect(shown.body.data.isOverdue).toBe(isOverdue);
    tags.push(shown.headers.get('etag'));
    const matching = { params: { id }, headers: { 'if-match': shown.headers.get('etag') ?? '' }, body: { notes: '' } };
    expect((await invokeWith(updateInvoice, authorization, matching)).status).toBe(409);
    const queries: Record<string, string>[] = [{}, { pagination: 'cursor' }, { overdue: String(isOverdue) }];
    for (const query of queries) {
      const { data, edges } = await invoke(listInvoices, ana, { query });
      const [found] = data ?? edges.map(({ node }: { node: unknown }) => node);
      expect(found).toMatchObject({ id, isOverdue });
    }
    expect((await invoke(listInvoices, ana, { query: { overdue: String(!isOverdue) } })).data).toEqual([]);
    vi.useRealTimers();
  }
  expect(tags).toEqual([expect.not.stringMatching(tags[1] ?? ''), tags[1], tags[1]]);
});
