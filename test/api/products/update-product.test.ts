import { beforeAll, describe, expect, it } from 'vitest';
import { given, type User } from '#test/support/given.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';

describe('PATCH /products/{id}', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('answers the use by an invoice that was made right before it was written', async () => {
    const { id: productId } = await given.product(ana);
    beforeTransaction(() => given.invoice(ana, { lineItems: [{ productId }] }));
    expect((await ana.patch(`/products/${productId}`, { unit: 'day' })).body.data.usageCount).toBe(1);
  });

  it('changes what is sent and nothing else', async () => {
    const product = await given.product(ana, { sku: 'CONS-1', taxRate: '19' });
    const reply = await ana.patch(`/products/${product.id}`, { price: '135.5', taxRate: null });
    expect(reply.status).toBe(200);
    const changed = { price: '135.5', taxRate: null, taxCategory: null, updatedAt: expect.any(String) };
    expect(reply.body.data).toEqual({ ...product, ...changed });
    expect((await ana.get(`/products/${product.id}`)).body.data).toEqual(reply.body.data);
  });

  it('retires a product and brings it back', async () => {
    const bea = await given.user();
    const product = await given.product(bea);
    const total = async () => (await bea.get('/products')).body.meta.total;
    await bea.patch(`/products/${product.id}`, { isActive: false });
    await bea.patch(`/products/${product.id}`, { isActive: false });
    expect(await total()).toBe(0);
    await bea.patch(`/products/${product.id}`, { isActive: true });
    expect(await total()).toBe(1);
  });

  it('counts right when fifty tabs flip isActive at once', async () => {
    const bea = await given.user();
    const product = await given.product(bea);
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => bea.patch(`/products/${product.id}`, { isActive: i % 2 === 0 })),
    );
    const { body } = await bea.get('/products');
    expect(body.meta.total).toBe(body.data.length);
  });
});
