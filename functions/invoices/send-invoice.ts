import { sendInvoice } from '#shared/contract/invoices/invoices.ts';
import { numberInvoice, readInvoice } from '#shared/data/invoices/invoices.ts';
import { asSent } from '#shared/domain/invoices/invoice.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /invoices/{id}/send: gives a draft the next number. From then on the invoice is final. */
export const handler = implement(sendInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  run: async ({ resource, now }) => {
    const sent = await numberInvoice(resource, (current, number) => asSent(current, number, now));
    return presentInvoice(sent, dateOf(now));
  },
});
