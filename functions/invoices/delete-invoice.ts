import { deleteInvoice } from '#shared/contract/invoices/delete-invoice.ts';
import { readInvoice, removeInvoice } from '#shared/data/invoices/invoices.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { assertLegal } from '#shared/domain/invoices/steps.ts';
import { implement } from '#shared/http/implement.ts';
import { showInvoice } from '#shared/work/invoices/show-invoice.ts';

/** DELETE /invoices/{id}: removes a draft for good. Its entries are free at once. */
export const handler = implement(deleteInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  show: showInvoice,
  run: ({ fresh, answer }) =>
    retrying(fresh, async (invoice) => {
      assertLegal(invoice, 'delete');
      await removeInvoice(invoice, await answer(invoice.id, happening('invoice.deleted', invoice)));
      return invoice.id;
    }),
});
