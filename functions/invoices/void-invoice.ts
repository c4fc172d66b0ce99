import { voidInvoice } from '#shared/contract/invoices/steps.ts';
import { closeInvoice, readInvoice } from '#shared/data/invoices/invoices.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { asVoid } from '#shared/domain/invoices/sending.ts';
import { dateOf } from '#shared/domain/tracker/work-time.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /invoices/{id}/void: voids a sent invoice, which keeps its number. Its entries are free at once. */
export const handler = implement(voidInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  run: async ({ resource, now, answer }) => {
    const show = (invoice: Invoice) => presentInvoice(invoice, dateOf(now));
    const voided = await closeInvoice(resource, (current) => {
      const closed = asVoid(current, now);
      answer(show(closed));
      return closed;
    });
    return show(voided);
  },
});
