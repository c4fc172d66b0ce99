import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';

describe('DELETE /products/{id}', () => {
  it('removes the product for good', async () => {
    const ana = await given.user();
    const product = await given.product(ana);
    const reply = await ana.delete(`/products/${product.id}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ success: true, id: product.id });
    expect((await ana.get(`/products/${product.id}`)).status).toBe(404);
    for (const [path, query] of [
      ['/products', {}],
      ['/products', { q: product.name }],
      ['/products', { q: product.name, includeInactive: true }],
      ['/products/search', { q: product.name }],
    ] as const)
      expect((await ana.get(path, query)).body).toMatchObject({ data: [], meta: { total: 0 } });
  });

  it('leaves nothing where an invoice copies the product at that moment, and is refused', async () => {
    const ana = await given.user();
    const [{ id: clientId }, { id: productId }] = [await given.client(ana), await given.product(ana)];
    beforeTransaction(() => ana.delete(`/products/${productId}`));
    const errors = [{ path: 'lineItems.0.productId', code: 'reference_not_found' }];
    const refused = await ana.post('/invoices', { clientId, lineItems: [{ productId }] });
    expect(refused).toMatchObject({ status: 400, body: { errors } });
    expect((await ana.get(`/products/${productId}`)).status).toBe(404);
    expect((await ana.get('/invoices')).body.meta.total).toBe(0);
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
