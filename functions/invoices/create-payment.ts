import { createPayment } from '#shared/contract/invoices/payments.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { insertPayment } from '#shared/data/invoices/payments.ts';
import { recordPayment } from '#shared/domain/invoices/payments.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /invoices/{id}/payments: records a payment of a sent invoice, which is paid once nothing is due. */
export const handler = implement(createPayment, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  run: async ({ resource, body, now, newId, answer }) => {
    const id = newId();
    const { payment } = await insertPayment(resource, (current) => {
      const recorded = recordPayment(current, body, id, now);
      answer(recorded.payment);
      return recorded;
    });
    return payment;
  },
});
