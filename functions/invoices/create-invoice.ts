import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { assertRange } from '#shared/domain/date-range.ts';
import { happening } from '#shared/domain/events/happening.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import { implement } from '#shared/http/implement.ts';
import { memoized } from '#shared/runtime/memoized.ts';
import { insertInvoice } from '#shared/work/invoices/insert-invoice.ts';
import { showInvoice } from '#shared/work/invoices/show-invoice.ts';

/** POST /invoices: drafts an invoice of explicit lines, of tracked time, or of both. */
export const handler = implement(createInvoice, async (call) => {
  const { body, principal, now, newId, answer, pay, remainingMilliseconds } = call;
  assertRange(body.timeEntries?.dateFrom, body.timeEntries?.dateTo, 'timeEntries');
  const show = memoized((invoice: Invoice) => showInvoice(invoice, now));
  const invoice = await insertInvoice({
    owner: principal,
    id: newId(),
    draft: body,
    pay,
    now,
    newId,
    answer: async (made) => answer(await show(made), happening('invoice.created', made)),
    remainingMilliseconds,
  });
  return show(invoice);
});
