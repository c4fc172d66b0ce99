import { describe, expect, it } from 'vitest';
import { newProduct, type Product, reviseProduct } from '#shared/domain/products/product.ts';
import { refused } from '#test/support/refusals.ts';

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

  it('has the category that follows from its rate, until it is given one of its own', () => {
    const categoryOf = ({ taxCategory, hasOwnTaxCategory }: Product) => [taxCategory, hasOwnTaxCategory];
    const product = newProduct({ ...draft, taxRate: '19' }, owner, 'id', now);
    expect(categoryOf(product)).toEqual(['standard', false]);
    expect(categoryOf(reviseProduct(product, { taxRate: '0' }, later))).toEqual(['zero', false]);
    const exempt = reviseProduct(product, { taxRate: '0', taxCategory: 'exempt' }, later);
    expect(categoryOf(exempt)).toEqual(['exempt', true]);
    expect(categoryOf(reviseProduct(exempt, { taxRate: null }, later))).toEqual(['exempt', true]);
    expect(categoryOf(reviseProduct(exempt, { taxCategory: null }, later))).toEqual(['zero', false]);
    const mismatch = 'With a rate above 0 the category is "standard", not "exempt".';
    expect(() => reviseProduct(exempt, { taxRate: '19' }, later)).toThrow(
      refused('tax_category_mismatch', 'taxCategory', mismatch),
    );
  });
});
