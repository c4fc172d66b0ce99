import { getCreditNotePdf } from '#shared/contract/invoices/credit-notes.ts';
import { readCreditNote } from '#shared/data/invoices/credit-notes.ts';
import { printedCreditNote } from '#shared/domain/invoices/printed-invoice.ts';
import { implement } from '#shared/http/implement.ts';
import { renderInvoice } from '#shared/pdf/invoice-pdf.ts';

/** GET /credit-notes/{id}/pdf: the credit note as it is printed and sent. */
export const handler = implement(getCreditNotePdf, async ({ params, principal, remainingMilliseconds }) => {
  const creditNote = await readCreditNote(principal.organizationId, params.id);
  return {
    contentType: 'application/pdf',
    body: await renderInvoice(printedCreditNote(creditNote), remainingMilliseconds),
    headers: { 'content-disposition': `inline; filename="${creditNote.number}.pdf"` },
  };
});
