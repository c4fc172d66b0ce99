import { beforeAll, describe, expect, it } from 'vitest';
import { seedProducts } from '#scripts/bench/seed.ts';
import type { Json, Sending } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const PRODUCTS = 3_000;

describe('a catalog of three thousand products', () => {
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
    [{ limit: 2 }, ['Product 2999', 'Product 2998']],
    [{ limit: 2, offset: 1_200 }, ['Product 1799', 'Product 1798']],
    [{ limit: 2, offset: 2_700 }, ['Product 299', 'Product 298']],
    [{ limit: 2, offset: 2_999 }, ['Product 0']],
    [{ limit: 2, offset: 3_000 }, []],
    [{ limit: 1, offset: 1_200, includeInactive: true }, ['Product 1799']],
    [{ limit: 1, offset: 2_999, includeInactive: true }, ['Product 0']],
  ])('is listed at %o', async (query, expected) => {
    expect(await names('/products', query)).toEqual({ names: expected, total: PRODUCTS });
  });

  it('is filtered by name and searched by text', async () => {
    expect(await names('/products', { q: 'product 77', limit: 1, offset: 10 })).toEqual({
      names: ['Product 77'],
      total: 11,
    });
    expect(await names('/products', { q: 'o', limit: 1, offset: 1_500 })).toEqual({
      names: ['Product 1499'],
      total: PRODUCTS,
    });
    expect(await names('/products/search', { q: 'FOUR HOURS', limit: 1, offset: 2_999 })).toEqual({
      names: ['Product 0'],
      total: PRODUCTS,
    });
    expect(await names('/products/search', { q: 'nowhere' })).toEqual({ names: [], total: 0 });
  });
});
