import { listInvoices } from '#shared/contract/invoices/list-invoices.ts';
import { assertInOrder } from '#shared/domain/date-range.ts';
import { implement } from '#shared/http/implement.ts';
import { showInvoices } from '#shared/work/invoices/show-invoice.ts';

/** GET /invoices: lists invoices, newest first by offset, in any order by cursor. */
export const handler = implement(listInvoices, ({ query, principal, now, pay }) => {
  assertInOrder('due', query.dueFrom, query.dueTo);
  assertInOrder('issue', query.issueFrom, query.issueTo);
  return showInvoices({ organizationId: principal.organizationId, now, ...query, pay });
});
