import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client, Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';

/** `externalId` of products, clients and invoices. */

interface Kind {
  readonly path: string;
  readonly body: (by: User) => Promise<Readonly<Record<string, unknown>>>;
}

const KINDS: readonly (readonly [string, Kind])[] = [
  ['product', { path: '/products', body: async () => ({ name: 'Consulting', price: '120.00' }) }],
  ['client', { path: '/clients', body: async () => ({ name: 'Northwind Traders' }) }],
  [
    'invoice',
    {
      path: '/invoices',
      body: async (by) => ({ clientId: (await given.client(by)).id, lineItems: [{ name: 'Hosting', price: '1' }] }),
    },
  ],
];

const found = async (by: Client, path: string, externalId: string, query = {}) =>
  (await by.send('GET', path, { query: { externalId, ...query } })).body;

describe.each(KINDS)('the external id of a %s', (_, { path, body: bodyOf }) => {
  let ana: User;
  let body: Readonly<Record<string, unknown>>;

  beforeAll(async () => {
    ana = await given.user();
    body = await bodyOf(ana);
  });

  const post = (externalId: unknown, by: Client = ana, own = body) => by.post(path, { ...own, externalId });
  const made = async (externalId: unknown): Promise<Json> => {
    const reply = await post(externalId);
    expect(reply.status).toBe(201);
    return reply.body.data;
  };

  const taken = (holderId: string) => ({
    code: 'external_id_taken',
    holderId,
    errors: [{ path: 'externalId', code: 'external_id_taken' }],
  });

  it('is null unless it is given, and kept without the space around it', async () => {
    expect((await ana.post(path, body)).body.data.externalId).toBeNull();
    expect((await ana.post(path, body)).body.data.externalId).toBeNull();
    const named = await made(' \u00a0crm  7\t');
    expect(named.externalId).toBe('crm  7');
    expect((await ana.get(`${path}/${named.id}`)).body.data).toEqual(named);
  });

  it('goes to one of twenty that ask for it at once; the others hear who has it', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => post('contested')));
    const [winner, ...others] = replies.sort((a, b) => a.status - b.status);
    expect(winner?.status).toBe(201);
    for (const reply of others) {
      expect(reply).toMatchObject({ status: 409, body: taken(winner?.body.data.id) });
    }
    expect(others).toHaveLength(19);
    expect((await found(ana, path, 'contested')).data).toEqual([winner?.body.data]);
  });

  it('goes to one of twenty objects that are given it at once', async () => {
    const objects = await Promise.all(Array.from({ length: 20 }, () => made(null)));
    const replies = await Promise.all(
      objects.map(({ id }) => ana.patch(`${path}/${id}`, { externalId: 'wanted by all' })),
    );
    const winners = replies.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    for (const reply of replies.filter((each) => each !== winners[0])) {
      expect(reply).toMatchObject({ status: 409, body: taken(winners[0]?.body.data.id) });
    }
  });

  it('is compared exactly, and of this kind and organization alone', async () => {
    const [eve, ends] = [await given.user(), [`Ä-${randomUUID()}`, '𐐀'.repeat(255)]];
    for (const externalId of ends) {
      const { id } = await made(externalId);
      expect(await post(externalId)).toMatchObject({ status: 409, body: taken(id) });
      expect((await post(externalId.toLowerCase())).status).toBe(201);
      expect((await post(externalId, eve, await bodyOf(eve))).status).toBe(201);
    }
    expect((await post(ends[0]?.normalize('NFD'))).status).toBe(201);
    for (const [name, other] of KINDS.filter(([, each]) => each.path !== path)) {
      const reply = await post('of all kinds', ana, await other.body(ana));
      expect(reply.status, name).not.toBe(409);
    }
  });

  it('is free once its object has another one, or none, or is deleted', async () => {
    const first = await made('wandering');
    const second = await made(null);
    const change = (id: string, externalId: unknown) => ana.patch(`${path}/${id}`, { externalId });
    expect(await change(second.id, 'wandering')).toMatchObject({ status: 409, body: taken(first.id) });
    expect((await ana.get(`${path}/${second.id}`)).body.data).toEqual(second);
    expect((await change(first.id, 'settled')).body.data.externalId).toBe('settled');
    expect((await change(second.id, 'wandering')).body.data.externalId).toBe('wandering');
    expect((await change(second.id, null)).body.data.externalId).toBeNull();
    const third = await made('wandering');
    expect((await ana.delete(`${path}/${third.id}`)).status).toBe(200);
    await made('wandering');
    expect((await change(first.id, 'settled')).status).toBe(200);
    expect(await post('settled')).toMatchObject({ status: 409, body: taken(first.id) });
  });

  it('is free once its object is deleted, though it got it only right before', async () => {
    const { id } = await made(null);
    beforeTransaction(() => ana.patch(`${path}/${id}`, { externalId: 'late' }));
    expect((await ana.delete(`${path}/${id}`)).status).toBe(200);
    await made('late');
  });

  it('finds its object at once, wherever that lies, and nothing else', async () => {
    const named = await made('needle');
    for (let others = 0; others < 3; others++) await made(null);
    const page = { meta: { total: 1, limit: 1, offset: 0 } };
    expect(await found(ana, path, ' needle ', { limit: 1 })).toMatchObject({ data: [named], ...page });
    expect(await found(ana, path, 'needle', { limit: 1, offset: 1 })).toMatchObject({ data: [], meta: { total: 1 } });
    expect(await found(ana, path, 'Needle')).toMatchObject({ data: [], meta: { total: 0 } });
    expect(await found(ana, path, 'needle', { q: 'no such text' })).toMatchObject({ data: [], meta: { total: 0 } });
    // Of all of them.
    expect(await found(ana, path, 'needle', { q: 'n' })).toMatchObject({ data: [named], meta: { total: 1 } });
    expect((await found(await given.user(), path, 'needle')).data).toEqual([]);
    expect(await found(ana, path, '')).toMatchObject({ status: 422, errors: [{ path: 'externalId', code: 'length' }] });
  });
});

describe('GET with pagination=cursor', () => {
  it.each(['/clients', '/invoices'])('%s finds one object, in any order and with any filter', async (path) => {
    const ana = await given.user();
    const client = await given.client(ana, { externalId: 'one' });
    const invoice = await given.invoice(ana, { externalId: 'one', clientId: client.id });
    await given.invoice(ana);
    const named = path === '/clients' ? client : invoice;
    const orders = path === '/clients' ? ['createdAt', 'name'] : ['createdAt', 'number', 'total', 'dueDate'];
    for (const orderBy of orders) {
      const page = await found(ana, path, 'one', { pagination: 'cursor', orderBy });
      expect(page).toMatchObject({ totalCount: 1, edges: [{ node: { id: named.id } }] });
      const { endCursor: after } = page.pageInfo;
      expect((await found(ana, path, 'one', { pagination: 'cursor', orderBy, after })).edges).toEqual([]);
      for (const other of [{ externalId: 'two' }, { externalId: 'one', q: 'x' }, {}])
        expect((await ana.get(path, { pagination: 'cursor', orderBy, after, ...other })).status).toBe(422);
      const none = await found(ana, path, 'two', { pagination: 'cursor', orderBy });
      expect(none).toMatchObject({ totalCount: 0, edges: [], pageInfo: { hasNextPage: false } });
    }
  });
});

it('GET /products finds an inactive product by its external id', async () => {
  const ana = await given.user();
  const { id } = await given.product(ana, { externalId: 'retired' });
  await ana.patch(`/products/${id}`, { isActive: false });
  expect((await found(ana, '/products', 'retired')).data).toMatchObject([{ id, isActive: false }]);
});

describe('the external id of an invoice that was sent', () => {
  it('can be changed in any status, alone, also by a filter found, and stays taken when the invoice is void', async () => {
    const ana = await given.user();
    const sent = await given.sentInvoice(ana, { externalId: 'order 7' });
    expect(sent.externalId).toBe('order 7');
    const tag = (await ana.get(`/invoices/${sent.id}`)).headers.get('etag');
    const changed = await ana.patch(`/invoices/${sent.id}`, { externalId: 'order 8' });
    expect(changed).toMatchObject({ status: 200, body: { data: { externalId: 'order 8', number: sent.number } } });
    expect(changed.headers.get('etag')).not.toBe(tag);
    for (const others of [{ notes: 'x' }, { lineItems: [{ name: 'Other', price: '1' }] }]) {
      const reply = await ana.patch(`/invoices/${sent.id}`, { externalId: 'order 9', ...others });
      expect(reply).toMatchObject({ status: 409, body: { code: 'invoice_state_forbids' } });
    }
    await ana.post(`/invoices/${sent.id}/void`);
    const reply = await ana.post('/invoices', {
      clientId: sent.clientId,
      lineItems: [{ name: 'Again', price: '1' }],
      externalId: 'order 8',
    });
    expect(reply).toMatchObject({ status: 409, body: { code: 'external_id_taken', holderId: sent.id } });
    expect((await found(ana, '/invoices', 'order 8', { status: 'void' })).meta.total).toBe(1);
    expect((await found(ana, '/invoices', 'order 8', { status: 'draft' })).meta.total).toBe(0);
  });

  it('comes with new lines of a draft, or with none of both', async () => {
    const ana = await given.user();
    const [draft, other] = [await given.invoice(ana), await given.invoice(ana, { externalId: 'taken' })];
    const lineItems = [{ name: 'New', price: '2' }];
    const refused = await ana.patch(`/invoices/${draft.id}`, { externalId: 'taken', lineItems });
    expect(refused).toMatchObject({ status: 409, body: { holderId: other.id } });
    expect((await ana.get(`/invoices/${draft.id}`)).body.data).toEqual(draft);
    const changed = await ana.patch(`/invoices/${draft.id}`, { externalId: 'free', lineItems });
    expect(changed.body.data).toMatchObject({ externalId: 'free', total: '2.00' });
  });
});

it('an invoice whose external id is taken bills no time, which the next one bills at once', async () => {
  const ana = await given.user();
  const client = await given.client(ana);
  const entry = await given.entry(ana, { clientId: client.id, rate: 100 });
  const { id: holderId } = await given.invoice(ana, { externalId: 'order 7' });
  const draft = await given.invoice(ana, { clientId: client.id });
  const before = await ana.get(`/v1/work/tracker/entries/${entry.id}`);
  const body = { clientId: client.id, externalId: 'order 7', lineItems: [{ entryIds: [entry.id] }] };
  for (const reply of [await ana.post('/invoices', body), await ana.patch(`/invoices/${draft.id}`, body)]) {
    expect(reply).toMatchObject({ status: 409, body: { code: 'external_id_taken', holderId } });
  }
  const after = await ana.get(`/v1/work/tracker/entries/${entry.id}`);
  expect([after.body, after.headers.get('etag')]).toEqual([before.body, before.headers.get('etag')]);
  expect((await ana.post('/invoices', { ...body, externalId: 'order 8' })).status).toBe(201);
});

it('an invoice that is asked for again is told by its external id, although its time is billed', async () => {
  const ana = await given.user();
  const client = await given.client(ana);
  const { id } = await given.entry(ana, { clientId: client.id, rate: 100, entryDate: '2026-11-20' });
  const ofTime = { timeEntries: { dateFrom: '2026-11-01', dateTo: '2026-11-30', groupBy: 'day' } };
  const bill = (what: Json) => ana.post('/invoices', { clientId: client.id, externalId: 'november', ...what });
  const { id: holderId } = (await bill(ofTime)).body.data;
  for (const again of [ofTime, { lineItems: [{ entryIds: [id] }] }]) {
    expect(await bill(again)).toMatchObject({ status: 409, body: { code: 'external_id_taken', holderId } });
  }
});
