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
    expect((await ana.get('/products')).body).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('succeeds once when many delete at the same moment, also while others change the product', async () => {
    const ana = await given.user();
    const product = await given.product(ana);
    const [deletions, changes] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, () => ana.delete(`/products/${product.id}`))),
      Promise.all(
        Array.from({ length: 10 }, (_, i) => ana.patch(`/products/${product.id}`, { isActive: i % 2 === 0 })),
      ),
    ]);
    expect(deletions.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(deletions.filter(({ status }) => status === 404)).toHaveLength(19);
    for (const { status } of changes) expect([200, 404]).toContain(status);
    expect((await ana.get('/products', { includeInactive: true })).body).toMatchObject({
      data: [],
      meta: { total: 0 },
    });
    expect((await ana.get('/products')).body.meta.total).toBe(0);
  });
});
