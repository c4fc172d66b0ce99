import { taxesOf } from '#shared/domain/invoices/figures.ts';
import type { ShownLine } from '#shared/domain/invoices/invoice.ts';
import type { Customer } from '#shared/domain/invoices/parties.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { formatMinor } from '#shared/domain/money.ts';
import { NO_PROFILE, type Seller, sellerOf } from '#shared/domain/organization/organization.ts';
import { taxCategoryOf } from '#shared/domain/tax.ts';
import type { Attached } from '#shared/pdf/draw-invoice.ts';
import { renderInvoice } from '#shared/pdf/invoice-pdf.ts';

/** An invoice to print, whose parts a test changes. */

export const CUSTOMER: Customer = {
  name: 'Globex Corporation',
  contact: 'Hank Scorpio',
  email: 'accounts@globex.example',
  phone: '+1 555 0100',
  website: 'https://globex.example',
  addressLine1: '1 Industrial Way',
  addressLine2: 'Building C',
  city: 'Cypress Creek',
  region: 'Oregon',
  postalCode: '97001',
  countryCode: 'US',
  taxNumber: 'US 12-3456789',
  vatNumber: null,
  buyerReference: null,
  electronicAddress: null,
  eInvoiceFormat: null,
};

export const NAME = 'Acme Consulting';

export const PROFILE: Seller = {
  name: NAME,
  legalName: 'Acme Consulting GmbH',
  addressLine1: 'Hauptstraße 1',
  addressLine2: 'Hinterhaus',
  city: 'Berlin',
  region: null,
  postalCode: '10115',
  countryCode: 'DE',
  email: 'billing@acme.example',
  phone: '+49 30 555 0199',
  website: 'www.acme.example',
  taxNumber: 'DE 123 456 789',
  vatNumber: null,
  electronicAddress: null,
  registrationNumber: 'HRB 4711',
  bankDetails: 'IBAN DE02 1203 0000 0000 2020 51\nBIC BYLADEM1001',
  iban: null,
  bic: null,
  accountName: null,
  contactName: null,
  logo: null,
  accentColor: null,
  footer: null,
};

export function item(changes: Partial<ShownLine> = {}): ShownLine {
  return {
    id: '0198c0de-0000-7000-8000-000000000001',
    productId: null,
    entryIds: [],
    name: 'Consulting',
    description: '',
    quantity: '1',
    workedMinutes: null,
    unit: 'hour',
    price: '100',
    taxRate: null,
    taxCategory: taxCategoryOf({ taxRate: changes.taxRate ?? null }, ''),
    taxExemptionReason: null,
    serviceFrom: null,
    serviceTo: null,
    amount: '100.00',
    discount: '0.00',
    ...changes,
  };
}

const INVOICE: Omit<
  PrintedInvoice,
  'taxes' | 'amountPaid' | 'amountDue' | 'creditedTotal' | 'amountToRefund' | 'isOverdue'
> = {
  number: 'INV-000042',
  status: 'sent',
  customer: CUSTOMER,
  currency: 'EUR',
  issueDate: '2026-11-03',
  dueDate: '2026-12-13',
  serviceFrom: null,
  serviceTo: null,
  seller: sellerOf({ ...NO_PROFILE, id: '', name: NAME, currency: 'EUR', logo: null, createdAt: '', updatedAt: '' }),
  purchaseOrder: null,
  locale: null,
  discountPercent: null,
  taxRounding: 'line',
  lineItems: [
    item({
      name: 'Website',
      description: 'Design and copy',
      quantity: '37.5',
      price: '120',
      taxRate: '19',
      amount: '4500.00',
    }),
    item({ name: 'Handbook', quantity: '150', unit: 'piece', price: '8.5', taxRate: '7.00', amount: '1275.00' }),
    item({ name: 'Workshop', quantity: '0.25', unit: 'day', price: '1600.0045', amount: '400.00' }),
  ],
  discountTotal: '0.00',
  subtotal: '6175.00',
  taxTotal: '944.25',
  total: '7119.25',
  paymentUrl: null,
  payments: [],
  notes: 'Thank you.\nPlease pay within 40 days.',
};

/** The invoice with these parts in place of its own, of a seller without a profile unless there is one among them. */
export function printed(changes: Partial<PrintedInvoice> = {}): PrintedInvoice {
  const invoice = { ...INVOICE, ...changes };
  const { status, total, currency, lineItems } = invoice;
  const zero = formatMinor(0n, currency);
  return {
    ...invoice,
    taxes: taxesOf(lineItems, invoice),
    amountPaid: status === 'paid' ? total : zero,
    amountDue: status === 'draft' || status === 'sent' ? total : zero,
    creditedTotal: zero,
    amountToRefund: zero,
    isOverdue: false,
    ...changes,
  };
}

/** The invoice as a PDF, however long that takes. */
export function drawn(invoice: PrintedInvoice, attached?: Attached): Promise<Uint8Array> {
  return renderInvoice(invoice, attached);
}
