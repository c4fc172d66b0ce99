import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateProduct } from '#shared/contract/products/update-product.ts';
import { given, type User } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

describe('PATCH /products/{id}', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('changes what is sent and nothing else', async () => {
    const product = await given.product(ana, { sku: 'CONS-1', taxRate: '19' });
    const reply = await ana.patch(`/products/${product.id}`, { price: '135.5', taxRate: null });
    expect(reply.status).toBe(200);
    const changed = { price: '135.5', taxRate: null, taxCategory: null, updatedAt: expect.any(String) };
    expect(reply.body.data).toEqual({ ...product, ...changed });
    expect((await ana.get(`/products/${product.id}`)).body.data).toEqual(reply.body.data);
  });

  it('takes an empty change as none', async () => {
    const product = await given.product(ana);
    const reply = await ana.patch(`/products/${product.id}`, {});
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual(product);
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

  it('keeps all of many concurrent changes to different members', async () => {
    const product = await given.product(ana);
    const changes = [
      { name: 'N' },
      { sku: 'S' },
      { category: 'C' },
      { unit: 'U' },
      { price: '7' },
      { isActive: false },
    ];
    const replies = await Promise.all(changes.map((change) => ana.patch(`/products/${product.id}`, change)));
    expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect((await ana.get(`/products/${product.id}`)).body.data).toMatchObject(Object.assign({}, ...changes));
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

  it.each([
    [{ name: '' }, 'name', 'length'],
    [{ currency: 'nope' }, 'currency', 'currency'],
  ])('refuses %o', (change, path, code) => {
    expectBodyRefused(updateProduct, change, path, code);
  });

  it('looks for the product before it looks at the body', async () => {
    expect((await ana.patch(`/products/${randomUUID()}`, { name: '' })).status).toBe(404);
    expect((await ana.send('PATCH', `/products/${randomUUID()}`, { rawBody: '{' })).status).toBe(404);
  });
});
