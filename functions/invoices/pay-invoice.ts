import { payInvoice } from '#shared/contract/invoices/steps.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { savePayment } from '#shared/data/invoices/payments.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { payRest } from '#shared/domain/invoices/payments.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { implement } from '#shared/http/implement.ts';
import { finalLines } from '#shared/work/invoices/final-lines.ts';

/** POST /invoices/{id}/pay: records one payment of what is still due. The invoice is paid then. */
export const handler = implement(payInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  lasting: finalLines,
  run: ({ now, newId, fresh, answer }) =>
    retrying(fresh, async (invoice) => {
      const paid = payRest(invoice, newId(), now);
      const shown = presentInvoice(paid.invoice, dateOf(now));
      await savePayment(invoice, paid, await answer(shown));
      return shown;
    }),
});
