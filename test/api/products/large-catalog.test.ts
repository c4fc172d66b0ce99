import { beforeAll, describe, expect, it } from 'vitest';
import { seedProducts } from '#scripts/bench/seed.ts';
import type { Json, Sending } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const PRODUCTS = 10_000;

describe('a catalog of ten thousand products', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
    const { id: organizationId } = ana.organization;
    const description = 'Support by telephone and on site, within four hours of the call';
    await seedProducts({ organizationId, userId: ana.userId, products: PRODUCTS, description });
  }, 180_000);

  const names = async (path: string, query: Sending['query']) => {
    const { status, body } = await ana.get(path, query);
    expect(status).toBe(200);
    return { names: body.data.map(({ name }: Json) => name), total: body.meta.total };
  };

  it.each([
    [{ limit: 2 }, ['Product 9999', 'Product 9998']],
    [{ limit: 2, offset: 4_000 }, ['Product 5999', 'Product 5998']],
    [{ limit: 2, offset: 9_000 }, ['Product 999', 'Product 998']],
    [{ limit: 2, offset: 9_999 }, ['Product 0']],
    [{ limit: 2, offset: 10_000 }, []],
    [{ limit: 1, offset: 4_000, includeInactive: true }, ['Product 5999']],
    [{ limit: 1, offset: 9_999, includeInactive: true }, ['Product 0']],
  ])('is listed at %o', async (query, expected) => {
    expect(await names('/products', query)).toEqual({ names: expected, total: PRODUCTS });
  });

  it('is filtered by name and searched by text', async () => {
    expect(await names('/products', { q: 'product 77', limit: 1, offset: 110 })).toEqual({
      names: ['Product 77'],
      total: 111,
    });
    expect(await names('/products', { q: 'o', limit: 1, offset: 5_000 })).toEqual({
      names: ['Product 4999'],
      total: PRODUCTS,
    });
    expect(await names('/products/search', { q: 'FOUR HOURS', limit: 1, offset: 9_999 })).toEqual({
      names: ['Product 0'],
      total: PRODUCTS,
    });
    expect(await names('/products/search', { q: 'nowhere' })).toEqual({ names: [], total: 0 });
  });
});
