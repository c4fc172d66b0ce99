import { expect, it } from 'vitest';
import { createCreditNote } from '#shared/contract/invoices/create-credit-note.ts';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { sendInvoice } from '#shared/contract/invoices/send-invoice.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { draws } from '#test/support/draws.ts';
import { given } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

/** A third of the booked entries is not billable. */
const BOOKED = draws(375);
const ENTRIES = (BOOKED / 3) * 2;
const SOME = 20;
const READ_AT_ONCE = 100;

it(`the credit of an invoice with ${ENTRIES} entries takes as many calls as any other, and reads only entries of a line that is credited in parts`, async () => {
  const by = await given.user();
  const { id: clientId } = await given.client(by);
  const project = await given.project(by, { clientId, rate: 10 });
  await bookEntries(by, project, BOOKED, ['2026-11-20']);
  const timeEntries = { dateFrom: '2026-11-20', dateTo: '2026-11-20', groupBy: 'project' };
  const sent = async (): Promise<Json> => {
    const { data: draft } = await invoke(createInvoice, by, { body: { clientId, timeEntries } });
    await invoke(sendInvoice, by, { params: { id: draft.id } });
    return draft;
  };
  const costOfCredit = ({ id }: Json, body: object) =>
    costOf(async () => {
      const { status } = await invoke(createCreditNote, by, { params: { id }, body: { reason: 'x', ...body } });
      expect(status).toBe(201);
    });
  expect(await costOfCredit(await sent(), {})).toMatchObject({ calls: 6, roundTrips: 4 });
  const again = await sent();
  const [{ id: lineItemId, entryIds }] = again.lineItems;
  const some = { lines: [{ lineItemId, entryIds: entryIds.slice(0, SOME) }] };
  expect(await costOfCredit(again, some)).toMatchObject({ calls: 7, roundTrips: 4 });
  const reads = Math.ceil((ENTRIES - SOME) / READ_AT_ONCE);
  expect(await costOfCredit(again, {})).toMatchObject({ calls: 7 + reads, roundTrips: 5 });
  const { meta } = (await by.get('/v1/work/tracker/entries', { billingStatus: 'invoiced' })).body;
  expect(meta.total).toBe(0);
});
