import { getCreditNotePdf } from '#shared/contract/invoices/get-credit-note-pdf.ts';
import { readCreditNote } from '#shared/data/invoices/credit-notes.ts';
import { readLogo } from '#shared/data/organization/logos.ts';
import { printedCreditNote } from '#shared/domain/invoices/printed-invoice.ts';
import { fileNameOf } from '#shared/domain/organization/numbering.ts';
import { makeFacturXFile } from '#shared/e-invoice/e-invoice.ts';
import { implement } from '#shared/http/implement.ts';
import { renderInvoice } from '#shared/pdf/invoice-pdf.ts';

/** GET /credit-notes/{id}/pdf: the credit note as it is printed and sent. */
export const handler = implement(getCreditNotePdf, async ({ params, query, principal }) => {
  const creditNote = await readCreditNote(principal.organizationId, params.id);
  const document = printedCreditNote(creditNote);
  const attached = query.profile ? { facturX: makeFacturXFile(document) } : {};
  const logo = await readLogo(creditNote.organizationId, creditNote.seller.logo);
  return {
    contentType: 'application/pdf',
    body: await renderInvoice(document, { ...attached, logo }),
    headers: { 'content-disposition': `inline; filename="${fileNameOf(creditNote.number)}.pdf"` },
  };
});
