import type { EInvoiceFormat } from '#shared/domain/e-invoice-format.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { ciiOf } from './cii.ts';
import { eInvoiceOf } from './document-model.ts';
import { ublOf } from './ubl.ts';
import { xmlOf } from './xml.ts';

/** The file as XML. @param document one in which `checkEInvoice` finds nothing */
export function writeEInvoice(document: PrintedInvoice, format: EInvoiceFormat): string {
  const invoice = eInvoiceOf(document, format);
  return xmlOf(invoice.profile.syntax === 'cii' ? ciiOf(invoice) : ublOf(invoice));
}
