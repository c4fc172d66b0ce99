import { beforeAll, describe, expect, it } from 'vitest';
import { createProduct } from '#shared/contract/products/create-product.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

describe('POST /products', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('answers the whole product, with the defaults of what was left out', async () => {
    const reply = await ana.post('/products', { name: 'Consulting', price: '19.90' });
    expect(reply.status).toBe(201);
    expect(reply.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'Consulting',
      description: '',
      sku: null,
      category: null,
      price: '19.90',
      currency: 'USD',
      unit: '',
      taxRate: null,
      taxCategory: null,
      taxExemptionReason: null,
      isActive: true,
      usageCount: 0,
      userId: ana.userId,
      organizationId: ana.organization.id,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: reply.body.data.createdAt,
    });
  });

  it('takes the default currency of the organization', async () => {
    const kenji = await given.user({ currency: 'JPY' });
    expect((await given.product(kenji)).currency).toBe('JPY');
  });

  it('stores a currency in upper case, whatever case it came in', async () => {
    expect((await given.product(ana, { currency: 'eur' })).currency).toBe('EUR');
  });

  it('gives decimals back to the letter', async () => {
    for (const price of ['0', '19.90', '0.000001', '999999999999.999999', '007.50']) {
      expect((await given.product(ana, { price, taxRate: '7.70' })).price).toBe(price);
    }
  });

  it('ignores members that it does not know, and isActive', async () => {
    const product = await given.product(ana, { isActive: false, usageCount: 9, id: 'mine', surprise: true });
    expect(product).toMatchObject({ isActive: true, usageCount: 0 });
    expect(product).not.toHaveProperty('surprise');
    expect(product.id).not.toBe('mine');
  });

  it.each([
    ['name', { name: 'x'.repeat(255) }],
    ['name of 255 astral characters', { name: '😀'.repeat(255) }],
    ['description', { description: 'x'.repeat(2_000) }],
    ['sku', { sku: 'x'.repeat(100) }],
    ['category', { category: 'x'.repeat(100) }],
    ['unit', { unit: 'x'.repeat(50) }],
    ['taxRate', { taxRate: '100' }],
    ['taxExemptionReason', { taxExemptionReason: 'x'.repeat(300) }],
    ['nulls', { sku: null, category: null, taxRate: null, taxCategory: null, taxExemptionReason: null }],
  ])('accepts the longest %s', async (_field, values) => {
    expect(await given.product(ana, values)).toMatchObject(values);
  });

  it.each([
    ['name', { name: '' }, 'length'],
    ['name', { name: '\ud800' }, 'well_formed'],
    ['price', { price: '-1' }, 'decimal'],
    ['price', { price: '.5' }, 'decimal'],
    ['price', { price: '1.' }, 'decimal'],
    ['price', { price: '+1' }, 'decimal'],
    ['price', { price: '1e3' }, 'decimal'],
    ['price', { price: '1,000' }, 'decimal'],
    ['price', { price: '' }, 'decimal'],
    ['price', { price: '1234567890123' }, 'decimal'],
    ['price', { price: '1.1234567' }, 'decimal'],
    ['currency', { currency: 'XYZW' }, 'currency'],
    ['currency', { currency: 'AAA' }, 'currency'],
    ['taxRate', { taxRate: '100.01' }, 'decimal'],
    ['taxCategory', { taxCategory: 'reduced' }, 'enum'],
    ['taxExemptionReason', { taxExemptionReason: '' }, 'length'],
  ])('refuses a wrong %s: %o', (path, values, code) => {
    expectBodyRefused(createProduct, { name: 'Consulting', price: '1', ...values }, path, code);
  });

  it('reports every violation at once', async () => {
    const reply = await ana.post('/products', { name: '', price: 1, taxRate: 'x' });
    expect(reply.body.errors.map(({ path }: Json) => path)).toEqual(['name', 'price', 'taxRate']);
  });

  it('counts every product of concurrent creates', async () => {
    const bea = await given.user();
    await Promise.all(Array.from({ length: 30 }, () => given.product(bea)));
    const { body } = await bea.get('/products');
    expect(body.meta.total).toBe(30);
    expect(body.data).toHaveLength(30);
  });
});
