import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('DELETE /products/{id}', () => {
  it('removes the product for good', async () => {
    const ana = await given.user();
    const product = await given.product(ana);
    const reply = await ana.delete(`/products/${product.id}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ success: true, id: product.id });
    expect((await ana.get(`/products/${product.id}`)).status).toBe(404);
    expect((await ana.patch(`/products/${product.id}`, { name: 'Back' })).status).toBe(404);
    expect((await ana.delete(`/products/${product.id}`)).status).toBe(404);
    for (const [path, query] of [
      ['/products', {}],
      ['/products', { q: product.name }],
      ['/products', { q: product.name, includeInactive: true }],
      ['/products/search', { q: product.name }],
    ] as const)
      expect((await ana.get(path, query)).body).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it.each([true, false])('leaves the others in both totals, whether it was active: %s', async (isActive) => {
    const ana = await given.user();
    await given.product(ana);
    const { id } = await given.product(ana);
    await ana.patch(`/products/${id}`, { isActive });
    await ana.delete(`/products/${id}`);
    for (const includeInactive of [false, true])
      expect((await ana.get('/products', { includeInactive })).body.meta.total).toBe(1);
  });
});
