import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';

/**
 * The invoice as a tagged PDF document of A4 pages, in its language. The same invoice gives the same bytes.
 *
 * pdfkit and fontkit are a bundle of their own, 463 KB that load in 59 ms, so that a refused request does not load it.
 *
 * @throws Problem `temporarily_unavailable` when there is no time left
 */
export async function renderInvoice(invoice: PrintedInvoice, remainingMilliseconds: () => number): Promise<Uint8Array> {
  const { drawInvoice } = await import('./draw-invoice.ts');
  return drawInvoice(invoice, remainingMilliseconds);
}
