import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { taxesOf, withDiscount } from './figures.ts';
import type { Invoice, InvoiceDocument } from './invoice.ts';
import { amountDueOf } from './payments.ts';

type ShownHead = Omit<Invoice, 'lineItems'> & Pick<InvoiceDocument, 'amountDue' | 'isOverdue'>;

export type ShownInvoice = ShownHead & Pick<InvoiceDocument, 'lineItems' | 'taxes'>;

export function presentInvoice(invoice: Invoice, today: string): ShownInvoice {
  const lineItems = invoice.lineItems.map((line) => withDiscount(line, invoice));
  return { ...presentHead(invoice, today), lineItems, taxes: taxesOf(lineItems, invoice.currency) };
}

export type ListedInvoice = Omit<Invoice, 'lineItems'> & Partial<Pick<Invoice, 'lineItems'>>;

export type ShownListedInvoice = ShownHead & Partial<Pick<ShownInvoice, 'lineItems' | 'taxes'>>;

/** Taxes follow from the lines, so both are left out together. */
export function presentListed({ lineItems, ...head }: ListedInvoice, today: string): ShownListedInvoice {
  return lineItems ? presentInvoice({ ...head, lineItems }, today) : presentHead(head, today);
}

function presentHead<Head extends Omit<Invoice, 'lineItems'>>(head: Head, today: string): Head & ShownHead {
  return { ...head, amountDue: amountDueOf(head), isOverdue: isOverdue(head, today) };
}

const HOUR_MILLISECONDS = 3_600_000;

/** Nowhere is a clock more than 12 hours behind UTC, or more than 14 hours ahead of it. */
export function isOverdueByZone({ status, dueDate }: Pick<Invoice, 'status' | 'dueDate'>, now: Date): boolean {
  const dateAfter = (hours: number) => dateOf(new Date(now.getTime() + hours * HOUR_MILLISECONDS));
  return status === 'sent' && dueDate !== null && dueDate >= dateAfter(-12) && dueDate < dateAfter(14);
}

function isOverdue({ status, dueDate }: Pick<Invoice, 'status' | 'dueDate'>, today: string): boolean {
  return status === 'sent' && dueDate !== null && dueDate < today;
}
