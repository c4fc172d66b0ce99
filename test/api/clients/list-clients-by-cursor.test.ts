import { describe, expect, it } from 'vitest';
import type { Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

type Query = Readonly<Record<string, string | number>>;

describe('GET /clients with pagination=cursor', () => {
  const page = (by: User, query: Query) => by.get('/clients', { pagination: 'cursor', ...query });

  const names = ({ body }: Reply) => body.edges.map(({ node }: Json) => node.name);

  it('orders names by their letters without marks', async () => {
    const bea = await given.user();
    const ordered = ['Apfel', 'Ärzte', 'Éclair', 'Esel', 'esel', 'Ésel', 'Łódź', 'Öl', 'Otto', 'Straßburg', 'Zebra'];
    for (const name of ordered) await given.client(bea, { name });
    expect(names(await page(bea, { orderBy: 'name' }))).toEqual(ordered);
    expect(names(await page(bea, { orderBy: 'name', orderDirection: 'desc' }))).toEqual(ordered.toReversed());
  });

  it('orders names beside which no id would fit into a key', async () => {
    const bea = await given.user();
    for (const end of ['b', 'a']) await given.client(bea, { name: '😀'.repeat(200) + end });
    for (let i = 0; i < 3; i++) await given.client(bea, { name: '😀'.repeat(255) });
    const order = { orderBy: 'name', orderDirection: 'asc' };
    const all = names(await page(bea, order));
    expect(all.map((name: string) => name.slice(400)).slice(0, 2)).toEqual(['a', 'b']);
    const walked = [];
    for (const { cursor } of (await page(bea, order)).body.edges) {
      const reply = await page(bea, { ...order, last: 1, before: cursor });
      walked.push(...names(reply));
    }
    expect(walked).toEqual(all.slice(0, -1));
  });
});
