import { beforeAll, describe, expect, it } from 'vitest';
import { listProducts } from '#shared/contract/products/list-products.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { expectQueryRefused } from '#test/support/refusals.ts';

describe('GET /products', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
    for (const name of ['Apple pie', 'Banana split', 'Pineapple juice', 'Cherry tart', 'ÄPFEL'])
      await given.product(ana, { name });
    const retired = await given.product(ana, { name: 'Old apple' });
    await ana.patch(`/products/${retired.id}`, { isActive: false });
  });

  const names = async (query: Record<string, string | number | boolean>) => {
    const { body } = await ana.get('/products', query);
    return body.data.map(({ name }: Json) => name);
  };

  it('lists newest first, active only, fifty at the most, with the total', async () => {
    const { body } = await ana.get('/products');
    expect(body.data.map(({ name }: Json) => name)).toEqual([
      'ÄPFEL',
      'Cherry tart',
      'Pineapple juice',
      'Banana split',
      'Apple pie',
    ]);
    expect(body.meta).toEqual({ total: 5, limit: 50, offset: 0 });
  });

  it('includes inactive products when asked', async () => {
    const { body } = await ana.get('/products', { includeInactive: true });
    expect(body.meta.total).toBe(6);
    expect(body.data[0]).toMatchObject({ name: 'Old apple', isActive: false });
    expect((await ana.get('/products', { includeInactive: false })).body.meta.total).toBe(5);
  });

  it('finds a part of the name in any case, and nothing else', async () => {
    expect(await names({ q: 'APPLE' })).toEqual(['Pineapple juice', 'Apple pie']);
    expect(await names({ q: 'äpf' })).toEqual(['ÄPFEL']);
    expect(await names({ q: 'apple', includeInactive: true })).toEqual(['Old apple', 'Pineapple juice', 'Apple pie']);
    expect(await names({ q: 'consulting' })).toEqual([]);
  });

  it('takes an empty q as none', async () => {
    expect(await names({ q: '' })).toHaveLength(5);
  });

  it('pages without skipping or repeating, and past the end', async () => {
    const pages = [];
    for (const offset of [0, 2, 4, 6]) pages.push(await names({ limit: 2, offset }));
    expect(pages).toEqual([['ÄPFEL', 'Cherry tart'], ['Pineapple juice', 'Banana split'], ['Apple pie'], []]);
    expect((await ana.get('/products', { limit: 2, offset: 6 })).body.meta).toEqual({ total: 5, limit: 2, offset: 6 });
    expect(await names({ offset: Number.MAX_SAFE_INTEGER })).toEqual([]);
  });

  it('pages through the matches of q', async () => {
    expect(await names({ q: 'apple', limit: 1, offset: 1 })).toEqual(['Apple pie']);
  });

  it('ignores unknown parameters', async () => {
    expect((await ana.get('/products', { sort: 'name' })).status).toBe(200);
  });

  it.each([
    ['limit', '', 'type'],
    ['starting_after', 'x', 'superseded'],
    ['ending_before', '', 'superseded'],
  ])('refuses %s=%s', (name, value, code) => {
    expectQueryRefused(listProducts, { [name]: value }, name, code);
  });

  it('names the successors of the superseded parameters', async () => {
    const { body } = await ana.get('/products', { starting_after: 'x' });
    expect(body.errors[0]?.message).toMatch(/"after".*"before"/);
  });

  it('accepts the limits of its limits', async () => {
    expect((await ana.get('/products', { limit: 1 })).body.data).toHaveLength(1);
    expect((await ana.get('/products', { limit: 100 })).status).toBe(200);
  });
});
