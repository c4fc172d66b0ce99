import { formatMinor } from '#shared/domain/money.ts';
import type { Seller } from '#shared/domain/organization/organization.ts';
import type { IsoDate } from '#shared/domain/tracker/work-time.ts';
import type { CreditNote } from './credit-note.ts';
import type { InvoiceDocument, Payment } from './invoice.ts';

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

/** It has what an invoice has, but nothing to pay. */
export function printedCreditNote(creditNote: CreditNote): PrintedInvoice {
  const { invoiceNumber, invoiceDate, reason, currency } = creditNote;
  const zero = formatMinor(0n, currency);
  return {
    ...creditNote,
    status: 'credited',
    dueDate: null,
    serviceFrom: null,
    serviceTo: null,
    purchaseOrder: null,
    payments: [],
    amountPaid: zero,
    amountDue: zero,
    creditedTotal: zero,
    amountToRefund: zero,
    isOverdue: false,
    notes: null,
    corrects: { number: invoiceNumber, issueDate: invoiceDate, reason },
  };
}
