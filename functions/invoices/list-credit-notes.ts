import { listCreditNotes } from '#shared/contract/invoices/list-credit-notes.ts';
import { readCreditNotes } from '#shared/data/invoices/credit-notes.ts';
import { assertInOrder } from '#shared/domain/date-range.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /credit-notes: lists credit notes, newest first by offset, in any order by cursor. */
export const handler = implement(listCreditNotes, ({ query, principal, pay }) => {
  assertInOrder('issue', query.issueFrom, query.issueTo);
  return readCreditNotes({ organizationId: principal.organizationId, ...query, pay });
});
