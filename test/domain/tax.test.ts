import { describe, expect, it } from 'vitest';
import { LOCALES } from '#shared/domain/locale.ts';
import { TAX_CATEGORIES, taxCategoryOf, usualReason } from '#shared/domain/tax.ts';
import { refused } from '#test/support/refusals.ts';

describe('a tax category', () => {
  it.each([
    [null, null],
    ['0', 'zero'],
    ['0.000', 'zero'],
    ['0.000001', 'standard'],
    ['19', 'standard'],
  ])('of rate %j is %j by default', (taxRate, expected) => {
    expect(taxCategoryOf({ taxRate }, '')).toBe(expected);
    expect(taxCategoryOf({ taxRate, taxCategory: null }, '')).toBe(expected);
  });

  it.each(TAX_CATEGORIES)('may be %s only with a rate that goes with it', (taxCategory) => {
    for (const taxRate of [null, '0', '0.00', '0.000001', '19', '100']) {
      const isTaxed = taxRate !== null && Number(taxRate) > 0;
      const take = () => taxCategoryOf({ taxRate, taxCategory }, 'lineItems.2.taxCategory');
      if (isTaxed === (taxCategory === 'standard')) {
        expect(take()).toBe(taxCategory);
      } else {
        const message = isTaxed
          ? `With a rate above 0 the category is "standard", not "${taxCategory}".`
          : 'The category "standard" needs a rate above 0.';
        expect(take).toThrow(refused('tax_category_mismatch', 'lineItems.2.taxCategory', message));
      }
    }
  });

  it.each(LOCALES)('that needs a reason has a usual one in %s', (locale) => {
    const reasons = TAX_CATEGORIES.map((category) => usualReason(category, locale));
    expect(reasons.slice(0, 3)).toEqual([null, null, null]);
    expect(new Set(reasons.slice(3)).size).toBe(4);
    if (locale !== 'en') for (const reason of reasons.slice(3)) expect(reason).not.toBe(usualReason('export', 'en'));
  });
});
