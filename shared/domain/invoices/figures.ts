import { canonicalDecimal, compareDecimals, formatMinor, parseMinor, percentageMinor } from '#shared/domain/money.ts';

/**
 * What an invoice amounts to. Discount and tax are rounded for each line, half up to the minor unit. So every figure is
 * a sum of what the lines show. All amounts are decimal strings with the currency's minor digits.
 */

interface PlainLine {
  /** Without tax and before the discount */
  readonly amount: string;
  /** Decimal string, percent; null: no tax is shown */
  readonly taxRate: string | null;
}

interface FigureTerms {
  readonly currency: string;
  /** Decimal string, percent; null: no discount */
  readonly discountPercent: string | null;
}

interface Discounted {
  /** What the discount takes from the amount. */
  readonly discount: string;
}

/** A line with its discount. */
export function withDiscount<Line extends PlainLine>(
  line: Line,
  { currency, discountPercent }: FigureTerms,
): Line & Discounted {
  const discountMinor = discountPercent === null ? 0n : percentageMinor(parseMinor(line.amount), discountPercent);
  return { ...line, discount: formatMinor(discountMinor, currency) };
}

export interface Totals {
  readonly discountTotal: string;
  /** After the discount */
  readonly subtotal: string;
  readonly taxTotal: string;
  readonly total: string;
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

/** The tax of one rate. */
export interface TaxShare {
  /** Percent, without superfluous zeros */
  readonly taxRate: string;
  /** The sum of the lines with this rate, after the discount */
  readonly base: string;
  readonly amount: string;
}

/** The taxes of all rates, the lowest rate first. Lines without a rate are in none. */
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

/** What the tax of a line is computed from. */
function baseMinor({ amount, discount }: PlainLine & Discounted): bigint {
  return parseMinor(amount) - parseMinor(discount);
}

function lineTaxMinor(line: PlainLine & Discounted): bigint {
  return line.taxRate === null ? 0n : percentageMinor(baseMinor(line), line.taxRate);
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
