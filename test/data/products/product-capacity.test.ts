import { beforeAll, describe, expect, it, vi } from 'vitest';
import { seedProducts } from '#scripts/bench/seed.ts';
import { listProducts } from '#shared/contract/products/list-products.ts';
import { searchProducts } from '#shared/contract/products/search-products.ts';
import { updateProduct } from '#shared/contract/products/update-product.ts';
import { readMatchingProducts, readProducts } from '#shared/data/products/product-list.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

/**
 * What the catalog may cost, with 1,000 active products of ordinary size and none, a few or many inactive ones between
 * them.
 */

const PRODUCTS = 1_000;
const DESCRIPTION =
  'Support by telephone and on site, within four hours of the call, on working days from eight to five.';

describe('a catalog of a thousand products', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user({ rateLimit: 1_000 });
    const catalog = { organizationId: ana.organization.id, userId: ana.userId, description: DESCRIPTION };
    await seedProducts({ ...catalog, products: PRODUCTS });
  }, 60_000);

  it.each([
    ['the first page', {}, 1, 1, 10],
    ['the second page', { offset: '50' }, 2, 2, 20],
    ['a page that reaches behind it', { offset: '51' }, 3, 3, 40],
    ['a page in the middle', { offset: '500' }, 3, 3, 40],
    ['the last page', { offset: '950' }, 3, 3, 40],
    ['a page behind the end', { offset: '1000' }, 1, 1, 1],
    ['the first page of all', { includeInactive: 'true' }, 1, 1, 10],
    ['the last page of all', { offset: '950', includeInactive: 'true' }, 3, 3, 40],
    ['the first page of a name', { q: 'PRODUCT' }, 2, 2, 40],
    ['a page of a name in the middle', { q: 'product', offset: '500' }, 2, 2, 40],
    ['a page of a name among all', { q: 'product', offset: '950', includeInactive: 'true' }, 2, 2, 40],
  ])('lists %s within its budget', async (_, query: Record<string, string>, calls, roundTrips, readUnits) => {
    const read = () => invoke(listProducts, ana, { query });
    if ('q' in query) await read();
    const cost = await costOf(async () => {
      const { data, meta } = await read();
      const newest = PRODUCTS - 1 - meta.offset;
      expect(meta.total).toBe(PRODUCTS);
      const shown = Array.from({ length: Math.min(50, newest + 1) }, (_, i) => `Product ${newest - i}`);
      expect(data.map(({ name }: Json) => name)).toEqual(shown);
    });
    expect(cost).toMatchObject({ calls, roundTrips });
    expect(cost.readUnits).toBeLessThanOrEqual(readUnits);
  });

  it.each([
    ['few products by their name', listProducts, 'product 77', 11, 2, 50],
    ['texts that all products have', searchProducts, 'four hours', PRODUCTS, 2, 70],
    ['texts that few products have', searchProducts, 'product 77', 11, 2, 70],
    ['texts that no product has', searchProducts, 'nowhere', 0, 1, 70],
  ])('finds %s in at most two round trips, once it has counted', async (_, endpoint, q, total, calls, readUnits) => {
    const find = async () => expect((await invoke(endpoint, ana, { query: { q } })).meta.total).toBe(total);
    await find();
    const cost = await costOf(find);
    expect(cost).toMatchObject({ calls, roundTrips: calls });
    expect(cost.readUnits).toBeLessThanOrEqual(readUnits);
  });
});

describe('a catalog with inactive products', () => {
  let ana: User;
  const inactive = new Set<number>();

  beforeAll(async () => {
    ana = await given.user({ rateLimit: 1_000 });
    const catalog = { organizationId: ana.organization.id, userId: ana.userId, description: DESCRIPTION };
    await seedProducts({ ...catalog, products: 200 });
    const { data } = await invoke(listProducts, ana, { query: { limit: '100' } });
    // Every tenth of the newest fifty, and all of the fifty behind them.
    for (const [position, { id, name }] of data.entries()) {
      if (position < 50 && position % 10 !== 0) continue;
      inactive.add(Number(name.split(' ')[1]));
      await invoke(updateProduct, ana, { params: { id }, body: { isActive: false } });
    }
  }, 60_000);

  const active = () => Array.from({ length: 200 }, (_, i) => 199 - i).filter((i) => !inactive.has(i));

  it.each([
    ['a page with few of them', { limit: '40' }, 1, 1, 10],
    ['a page with many of them', { limit: '50', offset: '0' }, 3, 3, 20],
    ['a later page with many of them', { limit: '80', offset: '40' }, 5, 5, 60],
    ['a second page with many of them', { limit: '20', offset: '40' }, 4, 4, 30],
    ['a page behind them', { limit: '60', offset: '60' }, 3, 3, 20],
  ])('lists %s without any', async (_, query: Record<string, string>, calls, roundTrips, readUnits) => {
    const cost = await costOf(async () => {
      const { data, meta } = await invoke(listProducts, ana, { query });
      const [from, size] = [Number(query.offset ?? 0), Number(query.limit)];
      expect(meta.total).toBe(active().length);
      expect(data.map(({ name }: Json) => name)).toEqual(
        active()
          .slice(from, from + size)
          .map((i) => `Product ${i}`),
      );
    });
    expect(cost).toMatchObject({ calls, roundTrips });
    expect(cost.readUnits).toBeLessThanOrEqual(readUnits);
  });
});

it.each([
  ['half of all, as one range', 8, 2],
  ['fewer, one by one', 9, 9],
])('finds eight products of a name, %s', async (_, others, readUnits) => {
  const ana = await given.user();
  const names = [...Array(8).fill('Apple'), ...Array(others).fill('Pear')];
  for (const name of names) await given.product(ana, { name });
  const find = () => invoke(listProducts, ana, { query: { q: 'apple' } });
  await find();
  expect((await costOf(find)).readUnits).toBe(readUnits);
});

it('a search for products pays for those that it looks through', async () => {
  const ana = await given.user();
  const [, retired] = [await given.product(ana), await given.product(ana)];
  await ana.patch(`/products/${retired.id}`, { isActive: false });
  const pay = vi.fn(async () => {});
  const page = { organizationId: ana.organization.id, q: 'x', limit: 1, offset: 0, pay };
  await readMatchingProducts(page);
  for (const includeInactive of [false, true]) await readProducts({ ...page, includeInactive });
  expect(pay.mock.calls).toEqual([[1], [1], [2]]);
});

it('lists products so large that DynamoDB hands out no whole page of them at a time', async () => {
  const ana = await given.user();
  const catalog = { organizationId: ana.organization.id, userId: ana.userId, products: 100 };
  await seedProducts({ ...catalog, description: '\u{1f9ee}'.repeat(2_000) });
  for (const includeInactive of ['false', 'true']) {
    const { data } = await invoke(listProducts, ana, { query: { limit: '100', includeInactive } });
    expect(data.map(({ name }: Json) => name)).toEqual(Array.from({ length: 100 }, (_, i) => `Product ${99 - i}`));
  }
});
