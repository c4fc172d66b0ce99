import { getCreditNote } from '#shared/contract/invoices/get-credit-note.ts';
import { readCreditNote } from '#shared/data/invoices/credit-notes.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /credit-notes/{id}: one credit note with all its lines. */
export const handler = implement(getCreditNote, {
  load: ({ params, principal }) => readCreditNote(principal.organizationId, params.id),
  run: async ({ resource }) => resource,
});
