import type { InvoiceDocument } from '#shared/domain/invoices/invoice.ts';
import { canonicalDecimal, formatMinor, parseMinor, taxMinor } from '#shared/domain/money.ts';

/** What one rate brings, in decimal strings with the currency's minor digits. */
export interface RateShare {
  /** Percent, without zeros that say nothing */
  readonly rate: string;
  /** Sum of the lines that it is taken from */
  readonly base: string;
  readonly tax: string;
}

/** Tax by rate, the highest rate first. As the invoice does, it rounds by line, so that the shares sum up to its tax. */
export function taxByRate({ lineItems, currency }: Pick<InvoiceDocument, 'lineItems' | 'currency'>): RateShare[] {
  const shares = new Map<string, { base: bigint; tax: bigint }>();
  for (const { taxRate, amount } of lineItems) {
    if (taxRate === null) continue;
    const rate = canonicalDecimal(taxRate);
    const { base, tax } = shares.get(rate) ?? { base: 0n, tax: 0n };
    const amountMinor = parseMinor(amount);
    shares.set(rate, { base: base + amountMinor, tax: tax + taxMinor(amountMinor, rate) });
  }
  return [...shares]
    .sort(([one], [other]) => Number(other) - Number(one))
    .map(([rate, { base, tax }]) => ({ rate, base: formatMinor(base, currency), tax: formatMinor(tax, currency) }));
}
