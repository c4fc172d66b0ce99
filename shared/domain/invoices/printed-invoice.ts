import type { Seller } from '#shared/domain/organization/organization.ts';
import type { InvoiceDocument, Payment } from './invoice.ts';

export interface PrintedInvoice extends Omit<InvoiceDocument, 'payments'> {
  readonly seller: Seller;
  readonly payments: readonly PrintedPayment[];
}

export type PrintedPayment = Omit<Payment, 'id' | 'createdAt'>;
