import { sendInvoice } from '#shared/contract/invoices/steps.ts';
import { numberInvoice, readInvoice } from '#shared/data/invoices/invoices.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { asSent } from '#shared/domain/invoices/sending.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /invoices/{id}/send: gives a draft the next number. From then on the invoice is final. */
export const handler = implement(sendInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  run: async ({ resource, now, answer }) => {
    const show = (invoice: Invoice) => presentInvoice(invoice, dateOf(now));
    const sent = await numberInvoice(resource, (current, number) => {
      const numbered = asSent(current, number, now);
      answer(show(numbered));
      return numbered;
    });
    return show(sent);
  },
});
