import { beforeAll, describe, expect, it } from 'vitest';
import type { Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

type Query = Readonly<Record<string, string | number>>;

const NAMES = ['Delta', 'alpha', 'Charlie', 'bravo', 'ALPHA', 'Echo'];

describe('GET /clients with pagination=cursor', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
    for (const name of NAMES) await given.client(ana, { name });
  });

  const page = (query: Query = {}, by = ana) => by.get('/clients', { pagination: 'cursor', ...query });

  const names = ({ body }: Reply) => body.edges.map(({ node }: Json) => node.name);

  const cursorOf = async (name: string, query: Query = {}): Promise<string> => {
    const { body } = await page(query);
    return body.edges.find(({ node }: Json) => node.name === name).cursor;
  };

  const refusal = async (query: Query, by = ana) => {
    const reply = await page(query, by);
    expect(reply.status).toBe(422);
    expect(reply.body.code).toBe('validation_failed');
    return reply.body.errors.map(({ path, code }: Json) => `${path}: ${code}`);
  };

  it('answers a connection without an envelope, newest first, with links to both ends', async () => {
    const reply = await page();
    const { data } = (await ana.get('/clients')).body;
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      edges: data.map((node: Json) => ({ cursor: expect.stringMatching(/^[\w-]+$/), node })),
      pageInfo: {
        hasNextPage: false,
        hasPreviousPage: false,
        startCursor: reply.body.edges[0].cursor,
        endCursor: reply.body.edges[5].cursor,
      },
      totalCount: 6,
    });
    expect(linksOf(reply)).toEqual({
      first: expect.stringMatching(/^\/clients\?.*\bfirst=50\b/),
      last: expect.stringMatching(/^\/clients\?.*\blast=50\b/),
    });
  });

  it('answers an empty connection where there is no client', async () => {
    const reply = await page({}, await given.user());
    expect(reply.body).toEqual({
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      totalCount: 0,
    });
  });

  it('orders by creation and by name whatever its case, in both directions, descending by default', async () => {
    expect(names(await page({ orderBy: 'createdAt' }))).toEqual(NAMES.toReversed());
    expect(names(await page({ orderBy: 'createdAt', orderDirection: 'asc' }))).toEqual(NAMES);
    const byName = ['alpha', 'ALPHA', 'bravo', 'Charlie', 'Delta', 'Echo'];
    expect(names(await page({ orderBy: 'name', orderDirection: 'asc' }))).toEqual(byName);
    expect(names(await page({ orderBy: 'name' }))).toEqual(byName.toReversed());
  });

  it('orders names by their letters without marks', async () => {
    const bea = await given.user();
    const ordered = ['Apfel', 'Ärzte', 'Éclair', 'Esel', 'esel', 'Ésel', 'Łódź', 'Öl', 'Otto', 'Straßburg', 'Zebra'];
    for (const name of ordered) await given.client(bea, { name });
    expect(names(await page({ orderBy: 'name', orderDirection: 'asc' }, bea))).toEqual(ordered);
    expect(names(await page({ orderBy: 'name' }, bea))).toEqual(ordered.toReversed());
  });

  it('orders names beside which no id would fit into a key', async () => {
    const bea = await given.user();
    for (const end of ['b', 'a']) await given.client(bea, { name: '😀'.repeat(200) + end });
    for (let i = 0; i < 3; i++) await given.client(bea, { name: '😀'.repeat(255) });
    const order = { orderBy: 'name', orderDirection: 'asc' };
    const all = names(await page(order, bea));
    expect(all.map((name: string) => name.slice(400)).slice(0, 2)).toEqual(['a', 'b']);
    const walked = [];
    for (const { cursor } of (await page(order, bea)).body.edges) {
      const reply = await page({ ...order, last: 1, before: cursor }, bea);
      walked.push(...names(reply));
    }
    expect(walked).toEqual(all.slice(0, -1));
  });

  it('reads on from after and back from before, in the order of the list', async () => {
    const order = { orderBy: 'name', orderDirection: 'asc' };
    const after = await cursorOf('bravo', order);
    expect(names(await page({ ...order, first: 2, after }))).toEqual(['Charlie', 'Delta']);
    expect(names(await page({ ...order, last: 2, before: after }))).toEqual(['alpha', 'ALPHA']);
    expect(names(await page({ ...order, last: 2, after }))).toEqual(['Delta', 'Echo']);
    expect(names(await page({ ...order, last: 2 }))).toEqual(['Delta', 'Echo']);
    expect(names(await page({ ...order, after, before: await cursorOf('Echo', order) }))).toEqual(['Charlie', 'Delta']);
  });

  it('is walked from end to end and back by its links alone', async () => {
    const forwards: string[] = [];
    let reply = await page({ first: 4, orderBy: 'name', orderDirection: 'asc' });
    for (;;) {
      forwards.push(...names(reply));
      const { next } = linksOf(reply);
      if (!next) break;
      reply = await ana.get(next);
    }
    expect(forwards).toEqual(['alpha', 'ALPHA', 'bravo', 'Charlie', 'Delta', 'Echo']);
    expect(names(reply)).toEqual(['Delta', 'Echo']);
    reply = await ana.get(linksOf(reply).prev ?? '');
    expect(names(reply)).toEqual(['alpha', 'ALPHA', 'bravo', 'Charlie']);
    expect(linksOf(reply).prev).toBeUndefined();
    expect(names(await ana.get(linksOf(reply).last ?? ''))).toEqual(['bravo', 'Charlie', 'Delta', 'Echo']);
    expect(names(await ana.get(linksOf(reply).first ?? ''))).toEqual(['alpha', 'ALPHA', 'bravo', 'Charlie']);
  });

  it('keeps the other parameters in its links, and drops those of the page', async () => {
    const query = { q: 'a&b=c> "', orderBy: 'name', orderDirection: 'asc', first: 3, limit: 7, offset: 9 };
    for (const link of Object.values(linksOf(await page(query)))) {
      const parameters = new URL(link ?? '', 'http://host').searchParams;
      expect(Object.fromEntries(parameters)).toMatchObject({
        pagination: 'cursor',
        q: 'a&b=c> "',
        orderBy: 'name',
        orderDirection: 'asc',
      });
      expect(parameters.has('limit') || parameters.has('offset')).toBe(false);
      expect(parameters.get('first') ?? parameters.get('last')).toBe('3');
    }
  });

  it('pages through the matches of q, and counts only them', async () => {
    const query = { q: 'ALPH', first: 1, orderBy: 'name', orderDirection: 'asc' };
    const reply = await page(query);
    expect(names(reply)).toEqual(['alpha']);
    expect(reply.body).toMatchObject({ totalCount: 2, pageInfo: { hasNextPage: true, hasPreviousPage: false } });
    const next = await ana.get(linksOf(reply).next ?? '');
    expect(names(next)).toEqual(['ALPHA']);
    expect(next.body.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  it('keeps its place when the row of the cursor is deleted and others come', async () => {
    const bea = await given.user();
    for (const name of ['a', 'c', 'e']) await given.client(bea, { name });
    const order = { orderBy: 'name', orderDirection: 'asc' };
    const first = await page({ ...order, first: 2 }, bea);
    const [, { node: c, cursor: after }] = first.body.edges;
    await bea.delete(`/clients/${c.id}`);
    for (const name of ['b', 'd']) await given.client(bea, { name });
    expect(names(await page({ ...order, after }, bea))).toEqual(['d', 'e']);
    expect(names(await page({ ...order, last: 50, before: after }, bea))).toEqual(['a', 'b']);
  });

  it('links an empty page to what lies before it', async () => {
    const bea = await given.user();
    for (const name of ['a', 'b']) await given.client(bea, { name });
    const { body } = await page({}, bea);
    const reply = await page({ after: body.pageInfo.endCursor }, bea);
    expect(reply.body).toMatchObject({ edges: [], pageInfo: { hasPreviousPage: true, hasNextPage: false } });
    expect(names(await bea.get(linksOf(reply).prev ?? ''))).toEqual(['b', 'a']);
  });

  it.each([
    [{ first: 0 }, 'first: range'],
    [{ first: 101 }, 'first: range'],
    [{ first: 'ten' }, 'first: type'],
    [{ last: 0 }, 'last: range'],
    [{ last: 101 }, 'last: range'],
    [{ first: 1, last: 1 }, 'last: exclusive'],
    [{ orderBy: 'email' }, 'orderBy: enum'],
    [{ orderDirection: 'up' }, 'orderDirection: enum'],
    [{ after: '' }, 'after: cursor'],
    [{ after: 'x' }, 'after: cursor'],
    [{ before: 'eyJpZCI6MX0=' }, 'before: cursor'],
    [{ before: '\u0000' }, 'before: cursor'],
    [{ starting_after: 'x' }, 'starting_after: superseded'],
  ])('refuses %o', async (query: Query, violation) => {
    expect(await refusal(query)).toEqual([violation]);
  });

  it('reports two broken cursors at once', async () => {
    expect(await refusal({ after: 'x', before: 'y' })).toEqual(['after: cursor', 'before: cursor']);
  });

  it('refuses a cursor of another order, direction, filter or organization', async () => {
    const after = await cursorOf('bravo', { orderBy: 'name', orderDirection: 'asc', q: 'a' });
    const same = { orderBy: 'name', orderDirection: 'asc', q: 'A', after };
    expect((await page(same)).status).toBe(200);
    for (const other of [{ orderBy: 'createdAt' }, { orderDirection: 'desc' }, { q: 'b' }, { q: '' }])
      expect(await refusal({ ...same, ...other })).toEqual(['after: cursor']);
    expect(await refusal(same, await given.user())).toEqual(['after: cursor']);
  });

  it('takes one row and a hundred', async () => {
    expect(names(await page({ first: 1 }))).toHaveLength(1);
    expect(names(await page({ last: 100 }))).toHaveLength(6);
  });
});

/** The targets of a `Link` header by their relation. */
function linksOf({ headers }: Reply): Readonly<Record<string, string | undefined>> {
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, target, relation]) => [relation, target]));
}
