import { getCreditNoteEInvoice } from '#shared/contract/invoices/get-credit-note-e-invoice.ts';
import { readCreditNote } from '#shared/data/invoices/credit-notes.ts';
import { printedCreditNote } from '#shared/domain/invoices/printed-invoice.ts';
import { fileNameOf } from '#shared/domain/organization/numbering.ts';
import { makeEInvoice } from '#shared/e-invoice/e-invoice.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /credit-notes/{id}/e-invoice: the credit note for programs. */
export const handler = implement(getCreditNoteEInvoice, async ({ params, query, principal }) => {
  const creditNote = await readCreditNote(principal.organizationId, params.id);
  return {
    contentType: 'application/xml',
    body: makeEInvoice(printedCreditNote(creditNote), query.format),
    headers: { 'content-disposition': `attachment; filename="${fileNameOf(creditNote.number)}.xml"` },
  };
});
