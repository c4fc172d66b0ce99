import type { Locale } from '#shared/domain/locale.ts';
import {
  canonicalDecimal,
  compareDecimals,
  type Decimal,
  formatMinor,
  parseMinor,
  percentageMinor,
  sumMinor,
} from '#shared/domain/money.ts';
import { fault } from '#shared/domain/problems.ts';
import { TAX_CATEGORIES, type TaxCategory, type TaxRounding, usualReason } from '#shared/domain/tax.ts';

/** The discount is rounded half up for each line. Tax is too, unless the invoice rounds it by rate. */

interface PlainLine {
  /** Before tax and discount. */
  readonly amount: Decimal;
  readonly taxRate: Decimal | null;
  readonly taxCategory: TaxCategory | null;
}

interface FigureTerms {
  readonly currency: string;
  readonly discountPercent: Decimal | null;
  readonly taxRounding: TaxRounding;
}

interface Discounted {
  readonly discount: Decimal;
}

export function withDiscount<Line extends PlainLine>(
  line: Line,
  { currency, discountPercent }: Omit<FigureTerms, 'taxRounding'>,
): Line & Discounted {
  return { ...line, discount: formatMinor(discountMinor(parseMinor(line.amount), discountPercent), currency) };
}

export function discountMinor(amountMinor: bigint, discountPercent: Decimal | null): bigint {
  return discountPercent === null ? 0n : percentageMinor(amountMinor, discountPercent);
}

export interface Totals {
  readonly discountTotal: Decimal;
  readonly subtotal: Decimal;
  readonly taxTotal: Decimal;
  readonly total: Decimal;
}

/** @throws Problem `invoice_total_too_large` */
export function totalsOf(lines: readonly PlainLine[], terms: FigureTerms): Totals {
  const discounted = lines.map((line) => withDiscount(line, terms));
  const taxes = taxGroupsOf(discounted).map((group) => groupTaxMinor(group, terms));
  const totals = totalsWith(discounted, sumMinor(taxes), terms.currency);
  assertTotalFits(totals);
  return totals;
}

const MAX_TOTAL_DIGITS = 15;

function assertTotalFits({ total }: Totals): void {
  const { length } = total.replace(/\..*/, '');
  if (length <= MAX_TOTAL_DIGITS) return;
  const message = `The total would have ${length} digits before the point, of ${MAX_TOTAL_DIGITS} at most.`;
  throw fault('invoice_total_too_large', '', message);
}

export function totalsWith(
  lines: readonly (Pick<PlainLine, 'amount'> & Discounted)[],
  taxTotalMinor: bigint,
  currency: string,
): Totals {
  const subtotalMinor = sumMinor(lines.map(baseMinor));
  return {
    discountTotal: formatMinor(sumMinor(lines.map(({ discount }) => parseMinor(discount))), currency),
    subtotal: formatMinor(subtotalMinor, currency),
    taxTotal: formatMinor(taxTotalMinor, currency),
    total: formatMinor(subtotalMinor + taxTotalMinor, currency),
  };
}

export interface TaxShare {
  readonly taxCategory: TaxCategory;
  /** `"0"` where the lines have none. */
  readonly taxRate: Decimal;
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly exemptionReason: string | null;
}

interface ShownTaxed extends PlainLine, Discounted {
  readonly taxExemptionReason: string | null;
}

interface ShareTerms extends Pick<FigureTerms, 'currency' | 'taxRounding'> {
  readonly locale: Locale | null;
}

/** The lowest rate first, then in the order of categories. Lines without a category are in none. */
export function taxesOf(lines: readonly ShownTaxed[], terms: ShareTerms): TaxShare[] {
  return taxGroupsOf(lines).map(({ taxCategory, taxRate, lines: ofGroup }) => ({
    taxCategory,
    taxRate,
    base: formatMinor(sumMinor(ofGroup.map(baseMinor)), terms.currency),
    amount: formatMinor(groupTaxMinor({ taxRate, lines: ofGroup }, terms), terms.currency),
    exemptionReason: reasonOf(taxCategory, ofGroup, terms.locale),
  }));
}

/** The first reason of a line, else the usual one. */
export function reasonOf(
  taxCategory: TaxCategory,
  lines: readonly Pick<ShownTaxed, 'taxExemptionReason'>[],
  locale: Locale | null,
): string | null {
  if (taxCategory === 'standard') return null;
  const own = lines.find(({ taxExemptionReason }) => taxExemptionReason !== null);
  return own?.taxExemptionReason ?? usualReason(taxCategory, locale);
}

interface TaxGroup<Line> {
  readonly taxCategory: TaxCategory;
  readonly taxRate: Decimal;
  readonly lines: readonly Line[];
}

export function taxGroupsOf<Line extends Pick<PlainLine, 'taxRate' | 'taxCategory'>>(
  lines: readonly Line[],
): TaxGroup<Line>[] {
  const groups = new Map<string, TaxGroup<Line> & { readonly lines: Line[] }>();
  for (const line of lines) {
    const { taxCategory } = line;
    if (taxCategory === null) continue;
    const taxRate = canonicalDecimal(line.taxRate ?? '0');
    const key = `${taxCategory} ${taxRate}`;
    const group = groups.get(key) ?? { taxCategory, taxRate, lines: [] };
    group.lines.push(line);
    groups.set(key, group);
  }
  const position = ({ taxCategory }: TaxGroup<Line>) => TAX_CATEGORIES.indexOf(taxCategory);
  return [...groups.values()].sort(
    (one, other) => compareDecimals(one.taxRate, other.taxRate) || position(one) - position(other),
  );
}

function groupTaxMinor(
  { taxRate, lines }: Pick<TaxGroup<PlainLine & Discounted>, 'taxRate' | 'lines'>,
  { taxRounding }: Pick<FigureTerms, 'taxRounding'>,
): bigint {
  return taxMinor(lines.map(baseMinor), taxRate, taxRounding);
}

/** @param basesMinor of each line of the rate */
export function taxMinor(basesMinor: readonly bigint[], taxRate: Decimal, taxRounding: TaxRounding): bigint {
  if (taxRounding === 'rate') return percentageMinor(sumMinor(basesMinor), taxRate);
  return sumMinor(basesMinor.map((base) => percentageMinor(base, taxRate)));
}

function baseMinor({ amount, discount }: Pick<PlainLine, 'amount'> & Discounted): bigint {
  return parseMinor(amount) - parseMinor(discount);
}
