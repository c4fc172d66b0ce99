import { assertPdfFits } from '#shared/domain/invoices/invoice-size.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import type { Attached } from './draw-invoice.ts';

/**
 * The same invoice gives the same bytes. pdfkit and fontkit are a bundle of their own, larger than that of the function,
 * which a refused request does not load. @throws Problem `temporarily_unavailable` when there is no time left, `invoice_too_large`
 */
export async function renderInvoice(
  invoice: PrintedInvoice,
  remainingMilliseconds: () => number,
  attached: Attached = {},
): Promise<Uint8Array> {
  const { drawInvoice } = await import('./draw-invoice.ts');
  const pdf = await drawInvoice(invoice, remainingMilliseconds, attached);
  assertPdfFits(pdf);
  return pdf;
}
