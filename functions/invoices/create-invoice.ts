import { createInvoice } from '#shared/contract/invoices/invoices.ts';
import { insertInvoice } from '#shared/data/invoices/invoicing.ts';
import { assertRange } from '#shared/domain/date-range.ts';
import { draftInvoice } from '#shared/domain/invoices/invoice-draft.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /invoices: drafts an invoice of lines that are spelled out, of tracked time, or of both. */
export const handler = implement(createInvoice, ({ body, principal, now, newId, remainingMilliseconds }) => {
  assertRange(body.timeEntries?.dateFrom, body.timeEntries?.dateTo, 'timeEntries');
  const id = newId();
  return insertInvoice({
    owner: principal,
    id,
    wanted: body,
    make: (sources) => draftInvoice(body, sources, id, now),
    newId,
    remainingMilliseconds,
  });
});
