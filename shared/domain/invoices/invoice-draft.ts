import type { Decimal } from '#shared/domain/money.ts';
import { type Invoice, type InvoiceTerms, newInvoice, reviseInvoice } from './invoice.ts';
import { assertSendable } from './invoice-size.ts';
import { type LineDraft, type LineSources, lineItemsOf } from './line-item.ts';
import type { Parties } from './parties.ts';
import { type BillableEntry, type TimeGrouping, timeLines } from './tracked-time.ts';

export interface InvoiceDraft extends InvoiceTerms {
  readonly lineItems: readonly LineDraft[];
  readonly timeEntries?: { readonly groupBy: TimeGrouping; readonly taxRate: Decimal | null };
}

export interface InvoiceSources extends LineSources, Parties {
  readonly selected: readonly BillableEntry[];
}

/** Explicit lines come first, then those of the selected days. */
export function draftInvoice(draft: InvoiceDraft, sources: InvoiceSources, id: string, now: Date): Invoice {
  const { currency, selected } = sources;
  const ofDays = draft.timeEntries ? timeLines(selected, { ...sources, ...draft.timeEntries }) : [];
  const lines = [...lineItemsOf(draft.lineItems, sources), ...ofDays];
  const invoice = newInvoice({ ...draft, currency }, sources, lines, id, now);
  assertSendable(invoice);
  return invoice;
}

export function redraftInvoice(...change: Parameters<typeof reviseInvoice>): Invoice {
  const invoice = reviseInvoice(...change);
  assertSendable(invoice);
  return invoice;
}
