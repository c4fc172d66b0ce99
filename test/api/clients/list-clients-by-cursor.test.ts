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

  it('orders by creation and by name whatever its case, in both directions, and from A by default', async () => {
    expect(names(await page({ orderBy: 'createdAt' }))).toEqual(NAMES.toReversed());
    expect(names(await page({ orderBy: 'createdAt', orderDirection: 'asc' }))).toEqual(NAMES);
    const byName = ['alpha', 'ALPHA', 'bravo', 'Charlie', 'Delta', 'Echo'];
    expect(names(await page({ orderBy: 'name' }))).toEqual(byName);
    expect(names(await page({ orderBy: 'name', orderDirection: 'asc' }))).toEqual(byName);
    expect(names(await page({ orderBy: 'name', orderDirection: 'desc' }))).toEqual(byName.toReversed());
  });

  it('orders names by their letters without marks', async () => {
    const bea = await given.user();
    const ordered = ['Apfel', 'Ärzte', 'Éclair', 'Esel', 'esel', 'Ésel', 'Łódź', 'Öl', 'Otto', 'Straßburg', 'Zebra'];
    for (const name of ordered) await given.client(bea, { name });
    expect(names(await page({ orderBy: 'name' }, bea))).toEqual(ordered);
    expect(names(await page({ orderBy: 'name', orderDirection: 'desc' }, bea))).toEqual(ordered.toReversed());
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
});
