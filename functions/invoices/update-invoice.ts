import { updateInvoice } from '#shared/contract/invoices/update-invoice.ts';
import { readInvoice, saveInvoice } from '#shared/data/invoices/invoices.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { redraftInvoice } from '#shared/domain/invoices/invoice-draft.ts';
import { implement } from '#shared/http/implement.ts';
import { memoized } from '#shared/runtime/memoized.ts';
import { replaceLines } from '#shared/work/invoices/replace-lines.ts';
import { showInvoice } from '#shared/work/invoices/show-invoice.ts';

/** PATCH /invoices/{id}: changes the members of a draft that are sent. Lines are replaced as a whole. */
export const handler = implement(updateInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  show: showInvoice,
  run: ({ body: { lineItems: drafts, ...changes }, now, newId, fresh, answer, remainingMilliseconds }) =>
    retrying(fresh, async (invoice) => {
      const show = memoized((changed: Invoice) => showInvoice(changed, now));
      const answerWith = async (changed: Invoice) => answer(await show(changed), happening('invoice.updated', changed));
      if (drafts) {
        const wanted = { drafts, changes, now, newId, remainingMilliseconds };
        return show(await replaceLines(invoice, { ...wanted, answer: answerWith }));
      }
      const changed = redraftInvoice(invoice, changes, undefined, now);
      await saveInvoice(invoice, changed, await answerWith(changed));
      return show(changed);
    }),
});
