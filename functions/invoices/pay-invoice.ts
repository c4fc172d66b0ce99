import { payInvoice } from '#shared/contract/invoices/invoices.ts';
import { changeInvoice, readInvoice } from '#shared/data/invoices/invoices.ts';
import { asPaid } from '#shared/domain/invoices/invoice.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /invoices/{id}/pay: marks a sent invoice as paid. */
export const handler = implement(payInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  run: ({ resource, now }) => changeInvoice(resource, (current) => asPaid(current, now)),
});
