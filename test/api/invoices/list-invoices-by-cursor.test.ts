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

  it('answers a connection without an envelope, newest first, with links to both ends', async () => {
    const reply = await page();
    const { data } = (await ana.get('/invoices')).body;
    expect(reply.body).toEqual({
      edges: data.map((node: Json) => ({ cursor: expect.stringMatching(/^[\w-]+$/), node })),
      pageInfo: {
        hasNextPage: false,
        hasPreviousPage: false,
        startCursor: reply.body.edges[0].cursor,
        endCursor: reply.body.edges[3].cursor,
      },
      totalCount: 4,
    });
    expect(linksOf(reply)).toEqual({
      first: expect.stringMatching(/^\/invoices\?.*\bfirst=50\b/),
      last: expect.stringMatching(/^\/invoices\?.*\blast=50\b/),
    });
  });

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

  it('is walked from end to end and back by its links alone, filters included', async () => {
    let reply = await page({ first: 2, orderBy: 'total', orderDirection: 'asc', status: 'sent' });
    expect(notes(reply)).toBe('ba');
    expect(reply.body.totalCount).toBe(3);
    reply = await ana.get(linksOf(reply).next ?? '');
    expect(notes(reply)).toBe('c');
    expect(linksOf(reply).next).toBeUndefined();
    reply = await ana.get(linksOf(reply).prev ?? '');
    expect(notes(reply)).toBe('ba');
    expect(notes(await ana.get(linksOf(reply).last ?? ''))).toBe('ac');
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

  it.each([
    [{ first: 0 }, 'first: range'],
    [{ last: 101 }, 'last: range'],
    [{ first: 1, last: 1 }, 'last: exclusive'],
    [{ orderBy: 'name' }, 'orderBy: enum'],
    [{ orderDirection: 'up' }, 'orderDirection: enum'],
    [{ after: 'x' }, 'after: cursor'],
    [{ before: 'eyJpZCI6MX0=' }, 'before: cursor'],
    [{ starting_after: 'x' }, 'starting_after: superseded'],
    [{ ending_before: 'x' }, 'ending_before: superseded'],
  ])('refuses %o', async (query: Query, violation) => {
    const reply = await page(query);
    expect(reply.status).toBe(422);
    expect(reply.body.errors.map(({ path, code }: Json) => `${path}: ${code}`)).toEqual([violation]);
  });

  it('refuses a cursor of another order, direction, filter, organization or kind of list', async () => {
    const order = { orderBy: 'total', orderDirection: 'asc', status: 'sent' };
    const after = (await page(order)).body.pageInfo.endCursor;
    const same = { ...order, after };
    expect((await page(same)).status).toBe(200);
    const others = [{ orderBy: 'number' }, { orderDirection: 'desc' }, { status: 'draft' }, { q: 'x' }];
    for (const other of others) expect((await page(Object.assign({}, same, other))).status).toBe(422);
    expect((await page(same, await given.user())).status).toBe(422);
    const byCreation = (await page()).body.pageInfo.endCursor;
    expect((await ana.get('/clients', { pagination: 'cursor', after: byCreation })).status).toBe(422);
  });
});

/** The targets of a `Link` header by their relation. */
function linksOf({ headers }: Reply): Readonly<Record<string, string | undefined>> {
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, target, relation]) => [relation, target]));
}
