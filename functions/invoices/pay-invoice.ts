import { payInvoice } from '#shared/contract/invoices/steps.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { insertPayment } from '#shared/data/invoices/payments.ts';
import { payRest } from '#shared/domain/invoices/payments.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /invoices/{id}/pay: records one payment of what is still due. The invoice is paid then. */
export const handler = implement(payInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  run: async ({ resource, now, newId, answer }) => {
    const id = newId();
    const { shown } = await insertPayment(resource, (current) => {
      const paid = payRest(current, id, now);
      return { ...paid, shown: answer(presentInvoice(paid.invoice, dateOf(now))) };
    });
    return shown;
  },
});
