import { expect, it } from 'vitest';
import { createCreditNote, listCreditNotes } from '#shared/contract/invoices/credit-notes.ts';
import { createInvoice } from '#shared/contract/invoices/invoices.ts';
import { sendInvoice } from '#shared/contract/invoices/steps.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Reply } from '#test/support/client.ts';
import { draws } from '#test/support/draws.ts';
import { given } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

/** A third of the booked entries is not billable. */
const ENTRIES = draws(375);

it(`the credit of an invoice with ${(ENTRIES / 3) * 2} entries takes as many calls as any other, and frees all of them`, async () => {
  const by = await given.user();
  const { id: clientId } = await given.client(by);
  const project = await given.project(by, { clientId, rate: 10 });
  await bookEntries(by, project, ENTRIES, ['2026-11-20']);
  const timeEntries = { dateFrom: '2026-11-20', dateTo: '2026-11-20', groupBy: 'project' };
  const { data: draft } = await invoke(createInvoice, by, { body: { clientId, timeEntries } });
  const { id } = draft;
  await invoke(sendInvoice, by, { params: { id } });
  const [line] = draft.lineItems;
  const credit = (body: object) => () => invoke(createCreditNote, by, { params: { id }, body });
  const some = { reason: 'x', lines: [{ lineItemId: line.id, entryIds: line.entryIds.slice(0, 20) }] };
  const ofSome = await costOf(credit(some));
  let rest: Reply | undefined;
  const ofRest = await costOf(async () => {
    rest = await credit({ reason: 'y' })();
  });
  expect(rest?.status).toBe(201);
  expect(ofSome).toMatchObject({ calls: 7, roundTrips: 4 });
  expect(ofRest).toMatchObject({ calls: 7, roundTrips: 4 });
  const { meta } = (await by.get('/v1/work/tracker/entries', { billingStatus: 'invoiced' })).body;
  expect(meta.total).toBe(0);
});

it('a page of credit notes reads what it shows, however many there are', async () => {
  const by = await given.user();
  const { id: clientId } = await given.client(by);
  const costs: number[] = [];
  for (const count of [6, 12]) {
    for (let made = 0; made < count; made++) await given.creditNote(by, (await given.sentInvoice(by, { clientId })).id);
    const cost = await costOf(() => invoke(listCreditNotes, by, { query: { limit: '5' } }));
    costs.push(cost.readUnits);
  }
  expect(costs[1]).toBe(costs[0]);
});
