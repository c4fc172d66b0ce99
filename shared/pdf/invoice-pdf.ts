import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';

/**
 * The invoice as a tagged PDF document of A4 pages, in the invoice's language. The same invoice gives the same bytes.
 *
 * pdfkit and fontkit are 463 KB and load in 59 ms. A function's whole bundle is 270 KB and loads in 33 ms. So the
 * two are a separate bundle, loaded only when there is an invoice to draw. A request without the scope, or for an
 * invoice that does not exist, does not wait for them.
 */
export async function renderInvoice(invoice: PrintedInvoice): Promise<Uint8Array> {
  const { drawInvoice } = await import('./draw-invoice.ts');
  return drawInvoice(invoice);
}
