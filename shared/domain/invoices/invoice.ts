import type { Client } from '#shared/domain/clients/client.ts';
import { formatMinor, parseMinor, taxMinor } from '#shared/domain/money.ts';
import { fault, Problem } from '#shared/domain/problems.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { assertSendable } from './invoice-size.ts';

/** Invoices: their states, their totals and the steps between states. */

export type InvoiceStatus = 'draft' | 'sent' | 'paid' | 'void';

/**
 * Who is billed: a copy of the client from when the invoice was made. Later changes of the client, or its deletion,
 * do not affect the copy.
 */
export type Customer = Omit<Client, 'id' | 'organizationId' | 'currency' | 'note' | 'createdAt' | 'updatedAt'>;

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

/** The parts of an invoice that are printed. */
export interface InvoiceDocument {
  /** `INV-000001`; null until the invoice is sent */
  readonly number: string | null;
  readonly status: InvoiceStatus;
  readonly customer: Customer;
  readonly currency: string;
  /** `YYYY-MM-DD` */
  readonly issueDate: string;
  /** `YYYY-MM-DD` */
  readonly dueDate: string | null;
  readonly lineItems: readonly LineItem[];
  /** Decimal strings with the currency's minor digits */
  readonly subtotal: string;
  readonly taxTotal: string;
  readonly total: string;
  readonly notes: string | null;
}

export interface Invoice extends InvoiceDocument {
  readonly id: string;
  readonly organizationId: string;
  /** The client at creation; kept if the client is deleted */
  readonly clientId: string;
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
  readonly dueDate: string | null;
  readonly notes: string | null;
}

/** The currency of an invoice: the named one, else the client's, else the organization's. */
export function invoiceCurrency(named: string | undefined, client: Client, organizationCurrency: string): string {
  return named ?? client.currency ?? organizationCurrency;
}

/**
 * A new draft. The issue date defaults to today.
 *
 * @throws Problem `invalid_date_range`, `invoice_empty`, `invoice_too_large`
 */
export function newInvoice(
  terms: InvoiceTerms & { readonly currency: string },
  client: Client,
  lineItems: readonly LineItem[],
  id: string,
  now: Date,
): Invoice {
  const issueDate = terms.issueDate ?? dateOf(now);
  assertDueDate(issueDate, terms.dueDate);
  const invoice: Invoice = {
    id,
    organizationId: client.organizationId,
    number: null,
    status: 'draft',
    clientId: client.id,
    customer: customerOf(client),
    currency: terms.currency,
    issueDate,
    dueDate: terms.dueDate,
    ...withTotals(lineItems, terms.currency),
    notes: terms.notes,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
    sentAt: null,
    paidAt: null,
    voidedAt: null,
  };
  assertSendable(invoice);
  return invoice;
}

function customerOf({ organizationId: _, id, currency, note, createdAt, updatedAt, ...customer }: Client): Customer {
  return customer;
}

export type InvoiceChanges = Partial<Omit<InvoiceTerms, 'currency'>>;

/**
 * Applies a PATCH to a draft. A PATCH without changes is allowed in every state and keeps even `updatedAt`.
 *
 * @param lineItems all lines after the PATCH; undefined keeps the present ones
 * @throws Problem `invoice_state_forbids`, `invalid_date_range`, `invoice_empty`, `invoice_too_large`
 */
export function reviseInvoice(
  invoice: Invoice,
  changes: InvoiceChanges,
  lineItems: readonly LineItem[] | undefined,
  now: Date,
): Invoice {
  if (lineItems === undefined && Object.keys(changes).length === 0) return invoice;
  assertDraft(invoice);
  const { issueDate = invoice.issueDate, dueDate = invoice.dueDate, notes = invoice.notes } = changes;
  assertDueDate(issueDate, dueDate);
  const lines = lineItems ? withTotals(lineItems, invoice.currency) : {};
  const revised = { ...invoice, issueDate, dueDate, notes, ...lines, updatedAt: now.toISOString() };
  assertSendable(revised);
  return revised;
}

function assertDueDate(issueDate: string, dueDate: string | null): void {
  if (dueDate === null || issueDate <= dueDate) return;
  throw fault('invalid_date_range', 'dueDate', 'dueDate must not be earlier than issueDate.');
}

/** Tax is exclusive and rounded for each line, so the totals are sums of what the lines show. */
function withTotals(
  lineItems: readonly LineItem[],
  currency: string,
): Pick<Invoice, 'lineItems' | 'subtotal' | 'taxTotal' | 'total'> {
  if (lineItems.length === 0) throw invoiceEmpty();
  const subtotal = sumOf(lineItems.map(({ amount }) => parseMinor(amount)));
  const taxTotal = sumOf(lineItems.map(lineTaxMinor));
  return {
    lineItems,
    subtotal: formatMinor(subtotal, currency),
    taxTotal: formatMinor(taxTotal, currency),
    total: formatMinor(subtotal + taxTotal, currency),
  };
}

/** The tax on a line in minor units of its currency. */
function lineTaxMinor({ amount, taxRate }: Pick<LineItem, 'amount' | 'taxRate'>): bigint {
  return taxRate === null ? 0n : taxMinor(parseMinor(amount), taxRate);
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

function invoiceEmpty(): Problem {
  return fault('invoice_empty', 'timeEntries', 'No unbilled billable time was found, and there is no other line.');
}

/** The state that an invoice must be in to reach another. */
const PRIOR_STATUS = { sent: 'draft', paid: 'sent', void: 'sent' } as const satisfies Record<
  Exclude<InvoiceStatus, 'draft'>,
  InvoiceStatus
>;

function assertStatus(invoice: Invoice, wanted: InvoiceStatus, step: string): void {
  if (invoice.status === wanted) return;
  throw new Problem('invoice_state_forbids', {
    detail: `The invoice is ${invoice.status}; only a ${wanted} invoice can be ${step}.`,
  });
}

/** @throws Problem `invoice_state_forbids` because only a draft can be changed */
export function assertDraft(invoice: Invoice, step: 'changed' | 'deleted' = 'changed'): void {
  assertStatus(invoice, 'draft', step);
}

/** @param number the organization's next number @throws Problem `invoice_state_forbids` */
export function asSent(invoice: Invoice, number: string, now: Date): Invoice {
  assertStatus(invoice, PRIOR_STATUS.sent, 'sent');
  return { ...invoice, status: 'sent', number, sentAt: now.toISOString(), updatedAt: now.toISOString() };
}

/** @throws Problem `invoice_state_forbids` */
export function asPaid(invoice: Invoice, now: Date): Invoice {
  assertStatus(invoice, PRIOR_STATUS.paid, 'paid');
  return { ...invoice, status: 'paid', paidAt: now.toISOString(), updatedAt: now.toISOString() };
}

/** @throws Problem `invoice_state_forbids` */
export function asVoid(invoice: Invoice, now: Date): Invoice {
  assertStatus(invoice, PRIOR_STATUS.void, 'voided');
  return { ...invoice, status: 'void', voidedAt: now.toISOString(), updatedAt: now.toISOString() };
}

const NUMBER_DIGITS = 6;

/** `INV-000001` is the first. */
export function invoiceNumber(position: number): string {
  return `INV-${position.toString().padStart(NUMBER_DIGITS, '0')}`;
}

/** The most entries that one invoice can bill. Claiming this many takes a request some seconds. */
export const MAX_INVOICE_ENTRIES = 10_000;
