import type { InvoiceDocument } from '#shared/domain/invoices/invoice.ts';
import { canonicalDecimal, formatMinor, parseMinor, percentageMinor } from '#shared/domain/money.ts';

/** The tax of one rate, in decimal strings with the currency's minor digits. */
export interface RateShare {
  /** Percent, without superfluous zeros */
  readonly rate: string;
  /** The sum of the lines with this rate */
  readonly base: string;
  readonly tax: string;
}

/**
 * Tax by rate, the highest rate first. Rounded by line as on the invoice, so the shares add up to the invoice's
 * tax.
 */
export function taxByRate({ lineItems, currency }: Pick<InvoiceDocument, 'lineItems' | 'currency'>): RateShare[] {
  const shares = new Map<string, { base: bigint; tax: bigint }>();
  for (const { taxRate, amount } of lineItems) {
    if (taxRate === null) continue;
    const rate = canonicalDecimal(taxRate);
    const { base, tax } = shares.get(rate) ?? { base: 0n, tax: 0n };
    const amountMinor = parseMinor(amount);
    shares.set(rate, { base: base + amountMinor, tax: tax + percentageMinor(amountMinor, rate) });
  }
  return [...shares]
    .sort(([one], [other]) => Number(other) - Number(one))
    .map(([rate, { base, tax }]) => ({ rate, base: formatMinor(base, currency), tax: formatMinor(tax, currency) }));
}
