import { getInvoice } from '#shared/contract/invoices/invoices.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /invoices/{id}: one invoice with all its lines. */
export const handler = implement(getInvoice, ({ params, principal }) =>
  readInvoice(principal.organizationId, params.id),
);
