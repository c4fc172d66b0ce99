import { describe, expect, it } from 'vitest';
import { newProduct, reviseProduct } from '#shared/domain/products/product.ts';

const owner = { organizationId: 'org', userId: 'ana', currency: 'EUR' };
const draft = { name: 'Consulting', description: '', sku: null, category: null, price: '1', unit: '', taxRate: null };
const now = new Date('2026-01-01T00:00:00.000Z');
const later = new Date('2026-01-02T00:00:00.000Z');

describe('product', () => {
  it("starts active and unused, in its own currency or else the organization's", () => {
    expect(newProduct(draft, owner, 'id', now)).toMatchObject({ isActive: true, usageCount: 0, currency: 'EUR' });
    expect(newProduct({ ...draft, currency: 'JPY' }, owner, 'id', now).currency).toBe('JPY');
  });

  it('is stamped when something is sent, and the same product when nothing is', () => {
    const product = newProduct(draft, owner, 'id', now);
    expect(reviseProduct(product, {}, later)).toBe(product);
    expect(reviseProduct(product, { price: '2' }, later)).toEqual({
      ...product,
      price: '2',
      updatedAt: later.toISOString(),
    });
  });
});
