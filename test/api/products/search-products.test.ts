import { beforeAll, describe, expect, it } from 'vitest';
import { seedProducts } from '#scripts/bench/seed.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

describe('GET /products/search', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
    await given.product(ana, { name: 'Workshop', description: 'A day on site', sku: 'WS-100', category: 'Training' });
    await given.product(ana, { name: 'Licence', description: 'For a YEAR', sku: 'LIC', category: null });
    const retired = await given.product(ana, { name: 'Old workshop', category: 'Training' });
    await ana.patch(`/products/${retired.id}`, { isActive: false });
  });

  const names = async (query: Record<string, string | number>) => {
    const { body } = await ana.get('/products/search', query);
    return body.data.map(({ name }: Json) => name);
  };

  it.each([
    ['name', 'WORKS', ['Workshop']],
    ['description', 'year', ['Licence']],
    ['sku', 'ws-1', ['Workshop']],
    ['category', 'train', ['Workshop']],
  ])('finds by %s, in any case, active products only', async (_field, q, expected) => {
    expect(await names({ q })).toEqual(expected);
  });

  it('finds all matches in a catalog whose texts take more than one call of the table', async () => {
    const bea = await given.user();
    const description = 'On site. '.repeat(220);
    await seedProducts({ organizationId: bea.organization.id, userId: bea.userId, products: 1_200, description });
    const { body } = await bea.get('/products/search', { q: 'product', limit: 1 });
    expect(body.meta.total).toBe(1_200);
  });

  it('never matches across two fields', async () => {
    for (const between of ['', ' ']) expect(await names({ q: `workshop${between}a day` })).toEqual([]);
  });

  it('pages, twenty by default', async () => {
    const { body } = await ana.get('/products/search', { q: 'i' });
    expect(body.meta).toEqual({ total: 2, limit: 20, offset: 0 });
    expect(await names({ q: 'i', limit: 1, offset: 1 })).toEqual(['Workshop']);
  });

  it.each([
    [{ q: ' ' }, 'blank'],
    [{ q: 'workshop\u0001a day' }, 'text_character'],
  ])('refuses %o', async (query, code) => {
    const reply = await ana.get('/products/search', query);
    expect(reply.status).toBe(422);
    expect(reply.body.errors).toEqual([{ path: 'q', message: expect.any(String), code }]);
  });

  it('sees what was just changed', async () => {
    const product = await given.product(ana, { name: 'Fresh' });
    await ana.patch(`/products/${product.id}`, { name: 'Refreshed', sku: 'ZEBRA' });
    expect(await names({ q: 'zebra' })).toEqual(['Refreshed']);
    await ana.delete(`/products/${product.id}`);
    expect(await names({ q: 'zebra' })).toEqual([]);
  });
});
