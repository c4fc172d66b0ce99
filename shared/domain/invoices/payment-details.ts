import { parseMinor } from '#shared/domain/money.ts';
import type { Seller } from '#shared/domain/organization/organization.ts';
import type { InvoiceDocument } from './invoice.ts';

/** The account to pay an invoice to, and the reference to give. */
export interface PaymentDetails {
  readonly accountName: string;
  readonly iban: string | null;
  readonly bic: string | null;
  readonly reference: string;
}

type Payable = Pick<InvoiceDocument, 'status' | 'number' | 'currency' | 'amountDue'> & { readonly seller: Seller };

/** Null if nothing is to be paid, or the seller names no account. */
export function paymentDetailsOf(invoice: Payable): PaymentDetails | null {
  const { number, seller } = invoice;
  const { iban, bic, accountName, legalName, name } = seller;
  if (!isDue(invoice) || number === null || [iban, bic, accountName].every((detail) => detail === null)) return null;
  return { accountName: accountName ?? legalName ?? name, iban, bic, reference: number };
}

/** The seller's own words, which a draft has too, less the lines that only repeat the account. */
export function bankTextOf(invoice: Payable): string | null {
  const { status, seller } = invoice;
  if (status !== 'draft' && !isDue(invoice)) return null;
  const { iban, bic, bankDetails } = seller;
  const isRepeated = (line: string) => {
    const compact = line.replaceAll(/[\s:]/g, '').toUpperCase();
    return isDue(invoice) && [iban, `IBAN${iban}`, bic, `BIC${bic}`].includes(compact);
  };
  const lines = bankDetails?.split('\n').filter((line) => !isRepeated(line)) ?? [];
  return lines.join('\n') || null;
}

/** Null if nothing is to be paid. In the letters of ASCII, so that it shows where it leads. */
export function paymentUrlOf(invoice: Pick<InvoiceDocument, 'status' | 'amountDue' | 'paymentUrl'>): string | null {
  return isDue(invoice) && invoice.paymentUrl !== null ? new URL(invoice.paymentUrl).href : null;
}

function isDue({ status, amountDue }: Pick<InvoiceDocument, 'status' | 'amountDue'>): boolean {
  return status === 'sent' && parseMinor(amountDue) > 0n;
}

const MOST_CENTS = 99_999_999_999n;
const MOST_CHARACTERS_OF_NAME = 70;

/**
 * The text of the code that European banking apps scan: version 2, UTF-8, of "Quick Response Code: Guidelines to enable
 * data capture for the initiation of a SEPA credit transfer" (EPC069-12). Null if no such transfer can pay the invoice.
 */
export function epcText(invoice: Payable): string | null {
  const details = paymentDetailsOf(invoice);
  const { currency, amountDue } = invoice;
  if (!details?.iban || currency !== 'EUR' || parseMinor(amountDue) > MOST_CENTS) return null;
  const { accountName, iban, bic, reference } = details;
  const name = [...accountName.replaceAll(/\s+/g, ' ').trim()].slice(0, MOST_CHARACTERS_OF_NAME).join('');
  const [purpose, structuredReference] = ['', ''];
  const amount = `EUR${amountDue}`;
  return ['BCD', '002', '1', 'SCT', bic ?? '', name, iban, amount, purpose, structuredReference, reference].join('\n');
}
