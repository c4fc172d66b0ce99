import { voidInvoice } from '#shared/contract/invoices/void-invoice.ts';
import { readInvoice, saveVoid } from '#shared/data/invoices/invoices.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { asVoid } from '#shared/domain/invoices/sending.ts';
import { implement } from '#shared/http/implement.ts';
import { finalLines } from '#shared/work/invoices/final-lines.ts';
import { showInvoice } from '#shared/work/invoices/show-invoice.ts';

/** POST /invoices/{id}/void: voids a sent invoice, which keeps its number. Its entries are free at once. */
export const handler = implement(voidInvoice, {
  load: ({ params, principal }) => readInvoice(principal.organizationId, params.id),
  show: showInvoice,
  omission: finalLines,
  run: ({ now, fresh, answer }) =>
    retrying(fresh, async (invoice) => {
      const voided = asVoid(invoice, now);
      const shown = await showInvoice(voided, now);
      await saveVoid(invoice, voided, await answer(shown, happening('invoice.voided', voided)));
      return shown;
    }),
});
