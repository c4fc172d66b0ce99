import type { Locale } from './locale.ts';
import { compareDecimals, type Decimal } from './money.ts';
import { fault } from './problems.ts';
import reasons from './tax-reasons.json' with { type: 'json' };

/** In the order in which invoices show them. */
export const TAX_CATEGORIES = [
  'standard',
  'zero',
  'exempt',
  'reverse_charge',
  'intra_community',
  'export',
  'outside_scope',
] as const;

export type TaxCategory = (typeof TAX_CATEGORIES)[number];

/** As callers ask for it. */
export interface TaxDraft {
  readonly taxRate: Decimal | null;
  /** Null or absent: by the rate. */
  readonly taxCategory?: TaxCategory | null;
}

/**
 * The wanted category, or the one that a rate has by default.
 *
 * @param path where the request has the category
 * @throws Problem `tax_category_mismatch`
 */
export function taxCategoryOf({ taxRate, taxCategory }: TaxDraft, path: string): TaxCategory | null {
  const isTaxed = taxRate !== null && isPositive(taxRate);
  if (!taxCategory) return usualCategory(taxRate);
  if (isTaxed === (taxCategory === 'standard')) return taxCategory;
  const message = isTaxed
    ? `With a rate above 0 the category is "standard", not "${taxCategory}".`
    : 'The category "standard" needs a rate above 0.';
  throw fault('tax_category_mismatch', path, message);
}

function usualCategory(taxRate: Decimal | null): TaxCategory | null {
  if (taxRate === null) return null;
  return isPositive(taxRate) ? 'standard' : 'zero';
}

function isPositive(rate: Decimal): boolean {
  return compareDecimals(rate, '0') > 0;
}

type Explained = Extract<TaxCategory, 'reverse_charge' | 'intra_community' | 'export' | 'outside_scope'>;

/** Why no tax is due, where the caller gives no reason. */
const USUAL_REASONS: Readonly<Record<Locale, Readonly<Record<Explained, string>>>> = reasons;

/** In the language of the invoice; null for a category that needs no reason, and for `exempt`, which has no usual one. */
export function usualReason(category: TaxCategory, locale: Locale | null): string | null {
  const reasons: Readonly<Partial<Record<TaxCategory, string>>> = USUAL_REASONS[locale ?? 'en'];
  return reasons[category] ?? null;
}

export const TAX_ROUNDINGS = ['line', 'rate'] as const;

/** Whether tax is rounded for each line, or for all lines of a category and rate together. */
export type TaxRounding = (typeof TAX_ROUNDINGS)[number];
