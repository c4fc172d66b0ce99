import { totalsOf, withDiscount } from '#shared/domain/invoices/figures.ts';
import type { ShownLine } from '#shared/domain/invoices/invoice.ts';
import type { Customer } from '#shared/domain/invoices/parties.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import type { Seller } from '#shared/domain/organization/organization.ts';
import { CUSTOMER, item, PROFILE, printed } from '#test/pdf/printed.ts';

/** Documents that every format accepts, whose parts a test changes. */

const SELLER: Seller = {
  ...PROFILE,
  name: 'Acme',
  region: 'BE',
  taxNumber: '29/815/08150',
  vatNumber: 'DE123456789',
  electronicAddress: { scheme: '9930', id: 'DE123456789' },
  bankDetails: null,
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
  accountName: 'Acme Consulting',
  contactName: 'Ada Lovelace',
};

const BUYER: Customer = {
  ...CUSTOMER,
  city: 'Hamburg',
  postalCode: '20457',
  countryCode: 'DE',
  taxNumber: null,
  vatNumber: 'DE987654321',
  buyerReference: '04011000-12345-03',
  electronicAddress: { scheme: '0204', id: '04011000-12345-03' },
};

/** One of 100.00 with 19 percent, discounted by what the document says. */
export function line(changes: Partial<ShownLine> = {}): ShownLine {
  return item({ description: 'At their office', taxRate: '19', ...changes });
}

type Parts = Partial<Omit<PrintedInvoice, 'seller' | 'customer'>> & {
  readonly seller?: Partial<Seller>;
  readonly customer?: Partial<Customer>;
};

/** An invoice whose figures follow from its lines, unless they are among the changes. */
export function invoice({ seller, customer, ...changes }: Parts = {}): PrintedInvoice {
  const terms = { currency: 'EUR', discountPercent: null, taxRounding: 'rate', locale: 'de', ...changes } as const;
  const lineItems = (changes.lineItems ?? [line()]).map((each) => withDiscount(each, terms));
  return printed({
    seller: { ...SELLER, ...seller },
    customer: { ...BUYER, ...customer },
    serviceFrom: '2026-10-01',
    serviceTo: '2026-10-31',
    purchaseOrder: 'PO-77',
    ...totalsOf(lineItems, terms),
    ...terms,
    lineItems,
  });
}

export function creditNote(changes: Parts = {}): PrintedInvoice {
  return invoice({
    number: 'CN-000007',
    status: 'credited',
    dueDate: null,
    notes: null,
    corrects: { number: 'INV-000042', issueDate: '2026-11-03', reason: 'One hour too many' },
    ...changes,
  });
}
