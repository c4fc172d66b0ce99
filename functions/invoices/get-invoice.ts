import { getInvoice } from '#shared/contract/invoices/get-invoice.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { implement } from '#shared/http/implement.ts';
import { showInvoice } from '#shared/work/invoices/show-invoice.ts';

/** GET /invoices/{id}: one invoice with all its lines. */
export const handler = implement(getInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  run: ({ resource, now }) => showInvoice(resource, now),
});
