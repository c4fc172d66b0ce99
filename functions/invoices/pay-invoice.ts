import { payInvoice } from '#shared/contract/invoices/invoices.ts';
import { changeInvoice, getInvoice } from '#shared/data/invoices/invoices.ts';
import { payInvoice as pay } from '#shared/domain/invoices/invoice.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /invoices/{id}/pay: marks a sent invoice as paid. */
export const handler = implement(payInvoice, {
  load: ({ params, principal }) => getInvoice(principal.organizationId, params.id),
  run: ({ resource, now }) => changeInvoice(resource, (current) => pay(current, now)),
});
