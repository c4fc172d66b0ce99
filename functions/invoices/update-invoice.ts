import { updateInvoice } from '#shared/contract/invoices/update-invoice.ts';
import { readInvoice, saveInvoice } from '#shared/data/invoices/invoices.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { redraftInvoice } from '#shared/domain/invoices/invoice-draft.ts';
import { implement } from '#shared/http/implement.ts';
import { replaceLines } from '#shared/work/invoices/replace-lines.ts';
import { showInvoice } from '#shared/work/invoices/show-invoice.ts';

/** PATCH /invoices/{id}: changes the members of a draft that are sent. Lines are replaced as a whole. */
export const handler = implement(updateInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  show: showInvoice,
  run: ({ body: { lineItems: drafts, ...changes }, now, newId, fresh, answer, remainingMilliseconds }) =>
    retrying(fresh, async (invoice) => {
      if (drafts) {
        const wanted = { drafts, changes, now, newId, remainingMilliseconds };
        const changed = await replaceLines(invoice, {
          ...wanted,
          answer: async (made) => answer(await showInvoice(made, now)),
        });
        return showInvoice(changed, now);
      }
      const changed = redraftInvoice(invoice, changes, undefined, now);
      const shown = await showInvoice(changed, now);
      await answer(shown);
      await saveInvoice(invoice, changed);
      return shown;
    }),
});
