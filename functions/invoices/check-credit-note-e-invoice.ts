import { checkCreditNoteEInvoice } from '#shared/contract/invoices/check-credit-note-e-invoice.ts';
import { readCreditNote } from '#shared/data/invoices/credit-notes.ts';
import { printedCreditNote } from '#shared/domain/invoices/printed-invoice.ts';
import { eInvoiceCheckOf } from '#shared/e-invoice/e-invoice.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /credit-notes/{id}/e-invoice/check: what a receiver would refuse. */
export const handler = implement(checkCreditNoteEInvoice, async ({ params, query, principal }) =>
  eInvoiceCheckOf(printedCreditNote(await readCreditNote(principal.organizationId, params.id)), query.format),
);
