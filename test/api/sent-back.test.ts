import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/** A front end reads a resource, changes a member, and sends all of it. */

const PROJECTS = '/v1/work/tracker/projects';
const ENTRIES = '/v1/work/tracker/entries';

describe('what was read can be sent back', () => {
  let ana: User;
  let client: Json;
  let project: Json;
  let entry: Json;
  let invoice: Json;
  let product: Json;

  beforeAll(async () => {
    ana = await given.user();
    client = await given.client(ana, { email: 'x@y.example', currency: 'USD' });
    project = await given.project(ana, { clientId: client.id, rate: 80.5 });
    const clockTimes = { startTime: '09:00', endTime: '17:00', durationMinutes: 400 };
    entry = await given.entry(ana, { projectId: project.id, ...clockTimes });
    product = await given.product(ana, { taxRate: '19' });
    const lineItems = [{ name: 'Travel', price: '12.5' }, { productId: product.id }];
    const billed = await given.entry(ana, { clientId: client.id, rate: 60, entryDate: '2026-03-02' });
    const timeEntries = { dateFrom: '2026-03-02', dateTo: '2026-03-02', groupBy: 'project', taxRate: '7' };
    invoice = await given.invoice(ana, { clientId: client.id, lineItems, timeEntries, discountPercent: '5' });
    expect(invoice.lineItems.at(-1).entryIds).toEqual([billed.id]);
  });

  async function sentBack(path: string) {
    const { data } = (await ana.get(path)).body;
    const reply = await ana.patch(path, data);
    const isTold = reply.headers.has('billwright-ignored');
    return { status: reply.status, isTold, before: data, after: { ...reply.body.data, updatedAt: data.updatedAt } };
  }

  it('a draft, and nothing changes but the ids of its lines', async () => {
    const { status, isTold, before, after } = await sentBack(`/invoices/${invoice.id}`);
    const lineItems = after.lineItems.map((line: Json, at: number) => ({ ...line, id: before.lineItems[at].id }));
    expect({ status, isTold, after: { ...after, lineItems } }).toEqual({ status: 200, isTold: false, after: before });
  });

  it('an entry with no rate in a project that has one, and it stays without', async () => {
    const { id } = await given.entry(ana, { projectId: project.id, rate: null });
    const { before, after } = await sentBack(`${ENTRIES}/${id}`);
    expect([before.rate, before.amount, after]).toEqual([null, null, before]);
  });

  it.each([
    ['product', '/products', () => product],
    ['client', '/clients', () => client],
    ['project', PROJECTS, () => ({ ...project, name: 'Another' })],
    ['entry', ENTRIES, () => entry],
  ])('as a new %s', async (_, path, read) => {
    const { id, ...values } = read();
    const made = await ana.post(path, { id, ...values });
    expect([made.status, made.body.data.id === id]).toEqual([201, false]);
    const { rate, defaultRate, price, entryDate } = values;
    expect(made.body.data).toMatchObject(JSON.parse(JSON.stringify({ rate, defaultRate, price, entryDate })));
  });

  it('as a timer, with the rate of an earlier one', async () => {
    const timer = await given.timer(ana, { rate: 90, billable: false });
    await ana.post(`/v1/work/tracker/timer/${timer.id}/discard`);
    const again = await ana.post('/v1/work/tracker/timer/start', timer);
    expect([again.status, again.body.data.rate]).toEqual([201, '90']);
    const stopped = await ana.post(`/v1/work/tracker/timer/${again.body.data.id}/stop`, { rate: null });
    expect([stopped.body.data.session.rate, stopped.body.data.workEntry.rate]).toEqual([null, null]);
  });

  it('the settings of the scheduled sync, and nothing changes', async () => {
    const by = await given.user();
    await given.connection(by);
    const settings = { syncEnabled: true, syncIntervalMinutes: 15 };
    const { data } = (await by.patch('/v1/work/tracker/remote/settings', settings)).body;
    const reply = await by.patch('/v1/work/tracker/remote/settings', data);
    expect([reply.status, reply.headers.has('billwright-ignored'), reply.body.data]).toEqual([200, false, data]);
  });

  it('as a new API key, but for its time to expire', async () => {
    const first = (await ana.post('/v1/api-keys', { name: 'Reports', scopes: ['products:read'], rateLimit: 30 })).body;
    const again = await ana.post('/v1/api-keys', { ...first.data, id: client.id });
    expect([again.status, again.headers.has('billwright-ignored')]).toEqual([201, false]);
    const { id, apiKey, createdAt, ...kept } = first.data;
    expect(again.body.data).toMatchObject(kept);
    expect([id, client.id]).not.toContain(again.body.data.id);
    expect([again.body.data.apiKey === apiKey, again.body.data.createdAt >= createdAt]).toEqual([false, true]);
  });

  it('as a payment', async () => {
    const { id } = await given.sentInvoice(ana);
    const first = await given.payment(ana, id, { amount: '5' });
    const again = await ana.post(`/invoices/${id}/payments`, first);
    expect([first.amount, again.status, again.body.data.amount]).toEqual(['5.00', 201, '5.00']);
  });
});
