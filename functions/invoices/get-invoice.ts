import { getInvoice } from '#shared/contract/invoices/invoices.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /invoices/{id}: one invoice with all its lines. */
export const handler = implement(getInvoice, async ({ params, principal, now }) =>
  presentInvoice(await readInvoice(principal.organizationId, params.id), dateOf(now)),
);
