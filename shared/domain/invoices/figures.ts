import {
  canonicalDecimal,
  compareDecimals,
  type Decimal,
  formatMinor,
  parseMinor,
  percentageMinor,
} from '#shared/domain/money.ts';

/** Discount and tax are rounded half up for each line, so every figure is a sum of shown values. */

interface PlainLine {
  /** Before tax and discount. */
  readonly amount: Decimal;
  readonly taxRate: Decimal | null;
}

interface FigureTerms {
  readonly currency: string;
  readonly discountPercent: Decimal | null;
}

interface Discounted {
  readonly discount: Decimal;
}

export function withDiscount<Line extends PlainLine>(
  line: Line,
  { currency, discountPercent }: FigureTerms,
): Line & Discounted {
  const discountMinor = discountPercent === null ? 0n : percentageMinor(parseMinor(line.amount), discountPercent);
  return { ...line, discount: formatMinor(discountMinor, currency) };
}

export interface Totals {
  readonly discountTotal: Decimal;
  readonly subtotal: Decimal;
  readonly taxTotal: Decimal;
  readonly total: Decimal;
}

export function totalsOf(lines: readonly PlainLine[], terms: FigureTerms): Totals {
  const { currency } = terms;
  const discounted = lines.map((line) => withDiscount(line, terms));
  const subtotal = sumOf(discounted.map(baseMinor));
  const taxTotal = sumOf(discounted.map(lineTaxMinor));
  return {
    discountTotal: formatMinor(sumOf(discounted.map(({ discount }) => parseMinor(discount))), currency),
    subtotal: formatMinor(subtotal, currency),
    taxTotal: formatMinor(taxTotal, currency),
    total: formatMinor(subtotal + taxTotal, currency),
  };
}

export interface TaxShare {
  readonly taxRate: Decimal;
  readonly base: Decimal;
  readonly amount: Decimal;
}

/** The lowest rate first. Lines without a rate are in none. */
export function taxesOf(lines: readonly (PlainLine & Discounted)[], currency: string): TaxShare[] {
  const taxed = lines.flatMap((line) => (line.taxRate === null ? [] : { ...line, taxRate: line.taxRate }));
  return [...Map.groupBy(taxed, ({ taxRate }) => canonicalDecimal(taxRate))]
    .sort(([one], [other]) => compareDecimals(one, other))
    .map(([taxRate, ofRate]) => ({
      taxRate,
      base: formatMinor(sumOf(ofRate.map(baseMinor)), currency),
      amount: formatMinor(sumOf(ofRate.map(lineTaxMinor)), currency),
    }));
}

function baseMinor({ amount, discount }: PlainLine & Discounted): bigint {
  return parseMinor(amount) - parseMinor(discount);
}

function lineTaxMinor(line: PlainLine & Discounted): bigint {
  return line.taxRate === null ? 0n : percentageMinor(baseMinor(line), line.taxRate);
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
