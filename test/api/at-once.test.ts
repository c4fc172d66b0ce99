import { describe, expect, it } from 'vitest';
import { useInstances } from '#test/support/api.ts';
import type { Client, Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

/** Many requests at the same moment, about each kind of resource. */

type Resource = readonly [title: string, path: string, make: (by: Client) => Promise<Json>, changes: readonly object[]];

const RESOURCES: readonly Resource[] = [
  ['a product', '/products', given.product, [{ name: 'N' }, { sku: 'S' }, { category: 'C' }, { unit: 'U' }]],
  ['a client', '/clients', given.client, [{ name: 'N' }, { phone: '1' }, { city: 'C' }, { note: 'T' }]],
  [
    'a draft',
    '/invoices',
    given.invoice,
    [{ notes: 'N' }, { dueDate: '2099-01-01' }, { purchaseOrder: 'P' }, { locale: 'de' }],
  ],
  [
    'a project',
    '/v1/work/tracker/projects',
    given.project,
    [
      { code: 'C' },
      { description: 'D' },
      { color: 'red' },
      { billable: true },
      { status: 'completed' },
      { tags: ['t'] },
    ],
  ],
  [
    'an entry',
    '/v1/work/tracker/entries',
    given.entry,
    [{ description: 'D' }, { durationMinutes: 30 }, { billable: false }, { rate: '80' }],
  ],
];

const many = <T>(count: number, make: (i: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)));

describe.each(RESOURCES)('%s', (_, path, make, changes) => {
  useInstances();

  it('is counted each time that it is made', async () => {
    const ana = await given.user();
    await many(20, () => make(ana));
    const { data, meta } = (await ana.get(path)).body;
    expect([data.length, meta.total]).toEqual([20, 20]);
  });

  it('keeps all changes of different members', async () => {
    const ana = await given.user();
    const { id } = await make(ana);
    const replies = await many(changes.length, (i) => ana.patch(`${path}/${id}`, changes[i]));
    expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect((await ana.get(`${path}/${id}`)).body.data).toMatchObject(Object.assign({}, ...changes));
  });

  it('is deleted once, also while others change it', async () => {
    const ana = await given.user();
    const { id } = await make(ana);
    const [deletions, changed] = await Promise.all([
      many(10, () => ana.delete(`${path}/${id}`)),
      many(changes.length, (i) => ana.patch(`${path}/${id}`, changes[i])),
    ]);
    expect(deletions.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
    for (const { status } of changed) expect([200, 404]).toContain(status);
    expect((await ana.get(path)).body).toMatchObject({ data: [], meta: { total: 0 } });
  });
});
