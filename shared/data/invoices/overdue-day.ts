import { readToday } from '#shared/data/organization/time-zones.ts';
import { isOverdueByZone, type ListedInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';

/** The zone of the organization is read only where it decides whether an invoice is overdue. */
export async function readTodayOf(
  organizationId: string,
  invoices: readonly ListedInvoice[],
  now: Date,
): Promise<string> {
  return invoices.some((invoice) => isOverdueByZone(invoice, now)) ? readToday(organizationId, now) : dateOf(now);
}
