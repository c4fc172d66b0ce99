import type { Client } from '#shared/domain/clients/client.ts';
import type { Locale } from '#shared/domain/locale.ts';
import { formatMinor } from '#shared/domain/money.ts';
import { type Organization, type Seller, sellerOf } from '#shared/domain/organization/organization.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import { dateOf, plusDays } from '#shared/domain/tracker/work-time.ts';
import { type TaxShare, type Totals, totalsOf } from './figures.ts';
import { type Customer, customerOf, type Parties } from './parties.ts';
import { assertLegal, type InvoiceStatus } from './steps.ts';

/** Invoices: what they hold, and how they are made and changed. */

/** One line. It is a copy of a product, of tracked time, or of what the caller sent. */
export interface LineItem {
  readonly id: string;
  readonly productId: string | null;
  /** The entries that the line bills; empty if it does not bill tracked time. */
  readonly entryIds: readonly string[];
  readonly name: string;
  readonly description: string;
  /** Decimal string; for tracked time, hours */
  readonly quantity: string;
  readonly unit: string;
  /** Decimal string, for one unit, in the invoice's currency */
  readonly price: string;
  /** Decimal string, percent; tax is added to the amount. Null: no tax is shown */
  readonly taxRate: string | null;
  /** Decimal string with the currency's minor digits, without tax */
  readonly amount: string;
}

/** A line as it is shown. */
export interface ShownLine extends LineItem {
  /** Decimal string with the currency's minor digits: what the invoice's discount takes from the amount */
  readonly discount: string;
}

export interface Payment {
  readonly id: string;
  /** Decimal string, in the invoice's currency */
  readonly amount: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly method: string | null;
  readonly reference: string | null;
  readonly createdAt: string;
}

/** The parts of an invoice that are printed. All sums are decimal strings with the currency's minor digits. */
export interface InvoiceDocument extends Totals {
  /** `INV-000001`; null until the invoice is sent */
  readonly number: string | null;
  readonly status: InvoiceStatus;
  readonly customer: Customer;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly issueDate: string;
  /** `YYYY-MM-DD` */
  readonly dueDate: string | null;
  /** The customer's own number of what was ordered */
  readonly purchaseOrder: string | null;
  readonly locale: Locale | null;
  /** Decimal string, percent of each line; null: no discount */
  readonly discountPercent: string | null;
  readonly lineItems: readonly ShownLine[];
  /** The lowest rate first */
  readonly taxes: readonly TaxShare[];
  /** The first one first */
  readonly payments: readonly Payment[];
  /** The sum of the payments */
  readonly amountPaid: string;
  readonly amountDue: string;
  /** Sent, and due before today */
  readonly isOverdue: boolean;
  readonly notes: string | null;
}

/** What follows from the other members, from the payments or from the date of today. */
type Derived = 'lineItems' | 'taxes' | 'payments' | 'amountDue' | 'isOverdue';

/** What an invoice says itself. `presentInvoice` derives the rest. */
export interface Invoice extends Omit<InvoiceDocument, Derived> {
  readonly id: string;
  readonly organizationId: string;
  /** The client at creation; kept if the client is deleted */
  readonly clientId: string;
  readonly seller: Seller;
  readonly lineItems: readonly LineItem[];
  readonly paymentCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly sentAt: string | null;
  readonly paidAt: string | null;
  readonly voidedAt: string | null;
}

/** What a caller may choose of an invoice, except its lines. */
export interface InvoiceTerms {
  readonly currency?: string;
  readonly issueDate?: string;
  readonly dueDate?: string | null;
  readonly purchaseOrder?: string | null;
  readonly locale?: Locale | null;
  /** Decimal string, percent */
  readonly discountPercent?: string | null;
  readonly notes?: string | null;
}

/** The currency of an invoice: the named one, else the client's, else the organization's. */
export function invoiceCurrency(named: string | undefined, client: Client, organizationCurrency: string): string {
  return named ?? client.currency ?? organizationCurrency;
}

/**
 * A new draft. The issue date defaults to today; the due date, the notes and the language to what the organization
 * says. Null is a choice, and stays null.
 *
 * @throws Problem `invalid_date_range`, `invoice_empty`
 */
export function newInvoice(
  terms: InvoiceTerms & { readonly currency: string },
  { organization, client }: Parties,
  lineItems: readonly LineItem[],
  id: string,
  now: Date,
): Invoice {
  const { currency, issueDate = dateOf(now), purchaseOrder = null, discountPercent = null } = terms;
  const { dueDate = dueDateOf(issueDate, organization), notes = organization.invoiceNotes } = terms;
  const { locale = organization.locale } = terms;
  assertDueDate(issueDate, dueDate);
  return {
    id,
    organizationId: client.organizationId,
    number: null,
    status: 'draft',
    clientId: client.id,
    seller: sellerOf(organization),
    customer: customerOf(client),
    currency,
    issueDate,
    dueDate,
    purchaseOrder,
    locale,
    discountPercent,
    ...withTotals(lineItems, { currency, discountPercent }),
    amountPaid: formatMinor(0n, currency),
    paymentCount: 0,
    notes,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    sentAt: null,
    paidAt: null,
    voidedAt: null,
  };
}

function dueDateOf(issueDate: string, { paymentTermsDays }: Organization): string | null {
  return paymentTermsDays === null ? null : plusDays(issueDate, paymentTermsDays);
}

export type InvoiceChanges = Partial<Omit<InvoiceTerms, 'currency'>>;

/**
 * Applies a PATCH to a draft. A PATCH without changes is allowed in every state and keeps even `updatedAt`.
 *
 * @param lineItems all lines after the PATCH; undefined keeps the present ones
 * @throws Problem `invoice_state_forbids`, `invalid_date_range`, `invoice_empty`
 */
export function reviseInvoice(
  invoice: Invoice,
  changes: InvoiceChanges,
  lineItems: readonly LineItem[] | undefined,
  now: Date,
): Invoice {
  if (lineItems === undefined && Object.keys(changes).length === 0) return invoice;
  assertDraft(invoice);
  const {
    issueDate = invoice.issueDate,
    dueDate = invoice.dueDate,
    purchaseOrder = invoice.purchaseOrder,
    locale = invoice.locale,
    discountPercent = invoice.discountPercent,
    notes = invoice.notes,
  } = changes;
  assertDueDate(issueDate, dueDate);
  const terms = { issueDate, dueDate, purchaseOrder, locale, discountPercent, notes };
  const totals = withTotals(lineItems ?? invoice.lineItems, { ...invoice, discountPercent });
  return { ...invoice, ...terms, ...totals, updatedAt: now.toISOString() };
}

function assertDueDate(issueDate: string, dueDate: string | null): void {
  if (dueDate === null || issueDate <= dueDate) return;
  throw fault('invalid_date_range', 'dueDate', 'dueDate must not be earlier than issueDate.');
}

function withTotals(
  lineItems: readonly LineItem[],
  terms: Pick<Invoice, 'currency' | 'discountPercent'>,
): Pick<Invoice, 'lineItems' | keyof Totals> {
  if (lineItems.length === 0) throw invoiceEmpty();
  return { lineItems, ...totalsOf(lineItems, terms) };
}

function invoiceEmpty(): Problem {
  return fault('invoice_empty', 'timeEntries', 'No unbilled billable time was found, and there is no other line.');
}

/** @throws Problem `invoice_state_forbids` because only a draft can be changed */
export function assertDraft(invoice: Invoice): void {
  assertLegal(invoice, 'change');
}

/** The most entries that one invoice can bill. Taking this many takes a request some seconds. */
export const MAX_INVOICE_ENTRIES = 10_000;
