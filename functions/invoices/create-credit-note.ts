import { createCreditNote } from '#shared/contract/invoices/create-credit-note.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { assertCreditGoodForCustomer } from '#shared/e-invoice/e-invoice.ts';
import { implement } from '#shared/http/implement.ts';
import { planCredit, rehearseCredit, saveCredit } from '#shared/work/invoices/credit-invoice.ts';
import { showInvoice } from '#shared/work/invoices/show-invoice.ts';

/** POST /invoices/{id}/credit-notes: credits lines of a sent invoice, or all that is left of it. */
export const handler = implement(createCreditNote, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  show: showInvoice,
  run: ({ query, body, now, newId, fresh, answer }) =>
    retrying(fresh, async (invoice) => {
      const plan = await planCredit(invoice, { draft: body, now, newId });
      assertCreditGoodForCustomer(plan.creditNote, invoice);
      if (query.dryRun) {
        await rehearseCredit(plan);
        return { isMade: false, data: { ...plan.creditNote, id: null, number: null } };
      }
      const made = { isMade: true, data: plan.creditNote };
      const credited = plan.invoice.status === 'credited' ? 'invoice.credited' : 'invoice.updated';
      const happenings = [happening('credit_note.created', plan.creditNote), happening(credited, plan.invoice)];
      await saveCredit(plan, await answer(made, ...happenings));
      return made;
    }),
});
