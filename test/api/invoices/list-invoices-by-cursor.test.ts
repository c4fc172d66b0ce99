import { beforeAll, describe, expect, it } from 'vitest';
import type { Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

type Query = Readonly<Record<string, string | number>>;

describe('GET /invoices with pagination=cursor', () => {
  let ana: User;

  /** In the order of creation; sent in another, and one not at all. */
  const MADE = [
    { notes: 'a', issueDate: '2026-11-03', dueDate: '2026-12-01', price: '100', currency: 'JPY' },
    { notes: 'b', issueDate: '2026-11-01', dueDate: null, price: '99.99', currency: 'USD' },
    { notes: 'c', issueDate: '2026-11-02', dueDate: '2026-11-02', price: '1000', currency: 'USD' },
    { notes: 'd', issueDate: '2026-11-01', dueDate: '2026-12-24', price: '99.999', currency: 'BHD' },
  ];
  const SENT = ['c', 'a', 'b'];

  beforeAll(async () => {
    ana = await given.user();
    const client = await given.client(ana);
    const ids = new Map<string, string>();
    for (const { price, ...values } of MADE) {
      const lineItems = [{ name: 'Work', price }];
      ids.set(values.notes, (await given.invoice(ana, { clientId: client.id, lineItems, ...values })).id);
    }
    for (const notes of SENT) await ana.post(`/invoices/${ids.get(notes)}/send`);
  });

  const page = (query: Query = {}, by = ana) => by.get('/invoices', { pagination: 'cursor', ...query });

  const notes = ({ body }: Reply) => body.edges.map(({ node }: Json) => node.notes).join('');

  it.each([
    ['createdAt', 'abcd'],
    ['issueDate', 'bdca'],
    ['dueDate', 'cadb'],
    ['number', 'cabd'],
    ['total', 'bdac'],
  ])('orders by %s in both directions, descending by default', async (orderBy, expected) => {
    expect(notes(await page({ orderBy, orderDirection: 'asc' }))).toBe(expected);
    expect(notes(await page({ orderBy }))).toBe([...expected].reverse().join(''));
  });

  it('pages through what its filters find, and counts only that', async () => {
    const query = { orderBy: 'total', orderDirection: 'asc', status: 'void,sent' };
    const reply = await page({ ...query, first: 2 });
    expect([notes(reply), reply.body.totalCount]).toEqual(['ba', 3]);
    const { endCursor } = reply.body.pageInfo;
    expect(notes(await page({ ...query, after: endCursor }))).toBe('c');
    expect(notes(await page({ ...query, status: 'sent,void,sent', after: endCursor }))).toBe('c');
    expect(notes(await ana.get(/<([^>]+)>; rel="next"/.exec(reply.headers.get('link') ?? '')?.[1] ?? ''))).toBe('c');
    expect((await page({ ...query, status: 'draft', after: endCursor })).status).toBe(422);
  });

  it('keeps its place while an invoice moves, goes and comes', async () => {
    const bea = await given.user();
    const made: Json[] = [];
    for (const name of ['p', 'q', 'r', 's']) {
      made.push(await given.invoice(bea, { notes: name, issueDate: `2026-11-0${made.length + 1}` }));
    }
    const order = { orderBy: 'issueDate', orderDirection: 'asc' };
    const [, { cursor: after }] = (await page({ ...order, first: 2 }, bea)).body.edges;
    await bea.delete(`/invoices/${made[1].id}`);
    await bea.patch(`/invoices/${made[3].id}`, { issueDate: '2026-11-01' });
    await given.invoice(bea, { notes: 't', issueDate: '2026-11-02' });
    expect(notes(await page({ ...order, after }, bea))).toBe('tr');
    expect(notes(await page({ ...order, last: 10, before: after }, bea))).toBe('ps');
  });
});
