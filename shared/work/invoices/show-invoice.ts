import { readTodayOf } from '#shared/data/invoices/overdue-day.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { presentInvoice, type ShownInvoice } from '#shared/domain/invoices/present-invoice.ts';

export async function showInvoice(invoice: Invoice, now: Date): Promise<ShownInvoice> {
  return presentInvoice(invoice, await readTodayOf(invoice.organizationId, [invoice], now));
}
