import { formatMinor } from '#shared/domain/money.ts';
import type { Seller } from '#shared/domain/organization/organization.ts';
import type { IsoDate } from '#shared/domain/tracker/work-time.ts';
import type { CreditNote } from './credit-note.ts';
import type { Invoice, InvoiceDocument, Payment } from './invoice.ts';
import { paymentUrlOf } from './payment-details.ts';
import { presentInvoice } from './present-invoice.ts';
import { creditedDatesOf } from './service-dates.ts';

export interface PrintedInvoice extends Omit<InvoiceDocument, 'payments'> {
  readonly seller: Seller;
  readonly payments: readonly PrintedPayment[];
  /** The invoice that a credit note corrects. */
  readonly corrects?: Corrected;
}

export type PrintedPayment = Omit<Payment, 'id' | 'createdAt'>;

interface Corrected {
  readonly number: string;
  readonly issueDate: IsoDate;
  readonly reason: string;
}

/**
 * The invoice as it was sent, or would be of a draft: without the payments and credits that came later. It says where to
 * pay only what is due now.
 */
export function invoiceAsSent(invoice: Invoice): PrintedInvoice {
  const zero = formatMinor(0n, invoice.currency);
  const status = invoice.status === 'draft' ? 'draft' : 'sent';
  const paymentUrl = paymentUrlOf(presentInvoice(invoice, invoice.issueDate));
  const sent = presentInvoice(
    { ...invoice, paymentUrl, status, amountPaid: zero, creditedTotal: zero },
    invoice.issueDate,
  );
  return { ...sent, payments: [] };
}

/** It has what an invoice has, but nothing to pay. */
export function printedCreditNote(creditNote: CreditNote): PrintedInvoice {
  const { invoiceNumber, invoiceDate, reason, currency, lineItems } = creditNote;
  const zero = formatMinor(0n, currency);
  return {
    ...creditNote,
    status: 'credited',
    dueDate: null,
    // Earlier ones were stored without days, but their lines have some.
    ...creditedDatesOf(creditNote, lineItems),
    payments: [],
    amountPaid: zero,
    amountDue: zero,
    creditedTotal: zero,
    amountToRefund: zero,
    isOverdue: false,
    paymentUrl: null,
    notes: null,
    corrects: { number: invoiceNumber, issueDate: invoiceDate, reason },
  };
}
