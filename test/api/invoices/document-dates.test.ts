import { describe, expect, it } from 'vitest';
import { dateIn } from '#shared/domain/time-zone.ts';
import { plusDays } from '#shared/domain/tracker/work-time.ts';
import type { Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const ORGANIZATION = '/v1/organization';

const today = () => new Date().toISOString().slice(0, 10);
const inDays = (days: number) => plusDays(today(), days);

const outcomeOf = ({ status, body }: Reply) => [status, body.code, body.errors?.[0]?.path];

const draftOf = (by: User, issueDate: string) => given.invoice(by, { issueDate });

it('the date of a refund is at most tomorrow, and a later one is not recorded', async () => {
  const ana = await given.user();
  const { id } = await given.sentInvoice(ana);
  await ana.post(`/invoices/${id}/pay`);
  await given.creditNote(ana, id);
  const before = (await ana.get(`/invoices/${id}`)).body.data;
  const refund = (date: string) => ana.post(`/invoices/${id}/refunds`, { amount: '1', date });
  expect(outcomeOf(await refund(inDays(2)))).toEqual([400, 'invalid_payment_date', 'date']);
  expect((await ana.get(`/invoices/${id}`)).body.data).toEqual(before);
  expect((await refund(inDays(1))).status).toBe(201);
});

describe('the issue date of a document', () => {
  it('may be before that of the last number, unless the organization wants its numbers in order', async () => {
    const ana = await given.user();
    expect((await ana.get(ORGANIZATION)).body.data.chronologicalNumbers).toBe(false);
    const send = async (issueDate: string) => ana.post(`/invoices/${(await draftOf(ana, issueDate)).id}/send`);
    expect((await send(inDays(-5))).status).toBe(200);
    expect((await send(inDays(-9))).status).toBe(200);
    expect((await ana.patch(ORGANIZATION, { chronologicalNumbers: true })).body.data.chronologicalNumbers).toBe(true);
    expect((await send(inDays(-9))).body.data.number).toBe('INV-000003');
    const refused = await send(inDays(-10));
    expect(outcomeOf(refused)).toEqual([400, 'issue_date_before_last', 'issueDate']);
    expect(refused.body.detail).toContain(inDays(-9));
    expect((await send(inDays(-8))).body.data.number).toBe('INV-000004');
    await ana.patch(ORGANIZATION, { chronologicalNumbers: false });
    expect((await send(inDays(-10))).body.data.number).toBe('INV-000005');
  });

  it('of a credit note is in the order of credit notes alone, and by default the first that may be', async () => {
    const ana = await given.user();
    await ana.patch(ORGANIZATION, { chronologicalNumbers: true });
    const sent = async () => {
      const { id } = await draftOf(ana, inDays(-20));
      return (await ana.post(`/invoices/${id}/send`)).body.data;
    };
    const [one, other, last] = [await sent(), await sent(), await sent()];
    const credit = (id: string, issueDate?: string) =>
      ana.post(`/invoices/${id}/credit-notes`, { reason: 'wrong', ...(issueDate && { issueDate }) });
    expect((await credit(one.id, inDays(10))).status).toBe(201);
    expect(outcomeOf(await credit(other.id, inDays(9)))).toEqual([400, 'issue_date_before_last', 'issueDate']);
    expect((await credit(other.id)).body.data).toMatchObject({ number: 'CN-000002', issueDate: inDays(10) });
    expect((await ana.post(`/invoices/${(await draftOf(ana, today())).id}/send`)).status).toBe(200);
    expect((await credit(last.id, inDays(11))).status).toBe(201);
  });

  it('is checked with the number that it gets: of twelve sent at once none is out of order', async () => {
    const ana = await given.user();
    await ana.patch(ORGANIZATION, { chronologicalNumbers: true });
    const drafts = await Promise.all(Array.from({ length: 12 }, (_, i) => draftOf(ana, inDays(-(i % 6)))));
    await Promise.all(drafts.map(({ id }) => ana.post(`/invoices/${id}/send`)));
    const { data } = (await ana.get('/invoices', { status: 'sent', limit: 50 })).body;
    const inOrder = data.toSorted((a: { number: string }, b: { number: string }) => (a.number < b.number ? -1 : 1));
    const dates = inOrder.map(({ issueDate }: { issueDate: string }) => issueDate);
    expect(dates.length).toBeGreaterThan(0);
    expect(dates).toEqual(dates.toSorted());
  });
});

/** On any day one of them has another date than UTC. */
it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'both count from today in the zone of the organization: %s',
  async (timeZone) => {
    const ana = await given.user();
    await ana.patch(ORGANIZATION, { timeZone });
    const later = (days: number) => plusDays(dateIn(timeZone, new Date()), days);
    const send = async (issueDate: string) => ana.post(`/invoices/${(await draftOf(ana, issueDate)).id}/send`);
    expect(outcomeOf(await send(later(32)))).toEqual([400, 'invalid_issue_date', 'issueDate']);
    const { status, body } = await send(later(31));
    expect(status).toBe(200);
    const place = `/invoices/${body.data.id}`;
    const pay = (date: string) => ana.post(`${place}/payments`, { amount: '1', date });
    expect(outcomeOf(await pay(later(2)))).toEqual([400, 'invalid_payment_date', 'date']);
    expect((await pay(later(1))).status).toBe(201);
    const credit = (issueDate: string) => ana.post(`${place}/credit-notes`, { reason: 'wrong', issueDate });
    expect(outcomeOf(await credit(later(32)))).toEqual([400, 'invalid_issue_date', 'issueDate']);
    expect((await credit(later(31))).status).toBe(201);
  },
);
