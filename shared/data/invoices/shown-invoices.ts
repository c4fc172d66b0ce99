import { readToday } from '#shared/data/organization/time-zones.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import {
  isOverdueByZone,
  type ListedInvoice,
  presentInvoice,
  type ShownInvoice,
} from '#shared/domain/invoices/present-invoice.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';

export async function showInvoice(invoice: Invoice, now: Date): Promise<ShownInvoice> {
  return presentInvoice(invoice, await readTodayOf(invoice.organizationId, [invoice], now));
}

/** The zone of the organization is read only where it decides whether an invoice is overdue. */
export async function readTodayOf(
  organizationId: string,
  invoices: readonly ListedInvoice[],
  now: Date,
): Promise<string> {
  return invoices.some((invoice) => isOverdueByZone(invoice, now)) ? readToday(organizationId, now) : dateOf(now);
}
