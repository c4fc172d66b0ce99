import { readInvoices } from '#shared/data/invoices/invoices.ts';
import { readPayments } from '#shared/data/invoices/payments.ts';
import { readToday } from '#shared/data/organization/time-zones.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import {
  isOverdueByZone,
  type ListedInvoice,
  presentInvoice,
  presentListed,
  type ShownInvoice,
  type ShownListedInvoice,
} from '#shared/domain/invoices/present-invoice.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import type { CursorPage, Listed } from '#shared/domain/page.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';

export async function showInvoice(invoice: Invoice, now: Date): Promise<ShownInvoice> {
  return presentInvoice(invoice, await readTodayOf(invoice.organizationId, [invoice], now));
}

export async function printedNow(invoice: Invoice, now: Date): Promise<PrintedInvoice> {
  const [shown, payments] = await Promise.all([showInvoice(invoice, now), readPayments(invoice)]);
  return { ...shown, payments };
}

export async function showInvoices(
  request: Parameters<typeof readInvoices>[0],
): Promise<Listed<ShownListedInvoice> | CursorPage<ShownListedInvoice>> {
  const { organizationId, now } = request;
  const page = await readInvoices(request);
  const invoices = 'edges' in page ? page.edges.map(({ node }) => node) : page.items;
  const today = await readTodayOf(organizationId, invoices, now);
  if ('items' in page) return { ...page, items: page.items.map((invoice) => presentListed(invoice, today)) };
  return { ...page, edges: page.edges.map(({ cursor, node }) => ({ cursor, node: presentListed(node, today) })) };
}

/** The zone of the organization is read only where it decides whether an invoice is overdue. */
async function readTodayOf(organizationId: string, invoices: readonly ListedInvoice[], now: Date): Promise<string> {
  return invoices.some((invoice) => isOverdueByZone(invoice, now)) ? readToday(organizationId, now) : dateOf(now);
}
