import type { Seller } from '#shared/domain/organization/organization.ts';
import type { InvoiceDocument, Payment } from './invoice.ts';

/** An invoice as it is printed: everything that stands on its pages. */
export interface PrintedInvoice extends Omit<InvoiceDocument, 'payments'> {
  readonly seller: Seller;
  readonly payments: readonly PrintedPayment[];
}

export type PrintedPayment = Omit<Payment, 'id' | 'createdAt'>;

/** Where somebody is reached by mail. */
export type PostalAddress = Pick<
  Seller,
  'addressLine1' | 'addressLine2' | 'city' | 'region' | 'postalCode' | 'countryCode'
>;
