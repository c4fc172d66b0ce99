import { sendInvoice } from '#shared/contract/invoices/invoices.ts';
import { numberInvoice, readInvoice } from '#shared/data/invoices/invoices.ts';
import { asSent } from '#shared/domain/invoices/invoice.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /invoices/{id}/send: gives a draft the next number. From then on the invoice is final. */
export const handler = implement(sendInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  run: ({ resource, now }) => numberInvoice(resource, (current, number) => asSent(current, number, now)),
});
