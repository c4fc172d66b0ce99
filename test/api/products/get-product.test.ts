import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('GET /products/{id}', () => {
  it('answers what was just written', async () => {
    const ana = await given.user();
    const product = await given.product(ana, { sku: 'CONS-1' });
    const reply = await ana.get(`/products/${product.id}`);
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual(product);
  });

  it('finds an id in any case', async () => {
    const ana = await given.user();
    const product = await given.product(ana);
    expect((await ana.get(`/products/${product.id.toUpperCase()}`)).body.data).toEqual(product);
  });

  it.each(['not-a-uuid', randomUUID(), '%00', '..%2f..%2fetc', '%F0%9F%98%80'])('answers 404 for %s', async (id) => {
    const ana = await given.user();
    const reply = await ana.get(`/products/${id}`);
    expect(reply.status).toBe(404);
    expect(reply.body.code).toBe('not_found');
  });
});
