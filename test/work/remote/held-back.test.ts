import { v7 as uuidV7 } from 'uuid';
import { beforeEach, expect, it } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { deleteInvoice } from '#shared/contract/invoices/delete-invoice.ts';
import { acquireBilling, newBilling } from '#shared/data/holds/billing.ts';
import { readInvoice } from '#shared/data/invoices/invoices.ts';
import { readHeldBack, readReleased } from '#shared/data/remote/held-back.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { readHours } from '#shared/work/invoices/invoice-hours.ts';
import { startImport, startScheduledImport } from '#shared/work/remote/start-import.ts';
import { costOf } from '#test/support/capacity.ts';
import { given, type User } from '#test/support/given.ts';
import { deliver, entriesOf, expectEnded, importBy, row, useHeldQueue } from '#test/support/imports.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

const queue = useHeldQueue();

const BEFORE = [row({ externalId: '1', client: 'Acme' })];
const CHANGED = [row({ externalId: '1', client: 'Acme', durationMinutes: 90 })];

let ana: User;
let invoiceId: string;
let mappings: ReturnType<typeof importBy>['mappings'];

/** Work that was imported and is on a draft. */
beforeEach(async () => {
  ana = await given.user();
  const client = await given.client(ana);
  mappings = { clients: new Map([['Acme', client.id]]), projects: new Map(), users: new Map() };
  await startImport(importBy(ana, BEFORE, { mappings }));
  await deliverAll();
  invoiceId = (await bill()).id;
});

const bill = () => {
  const timeEntries = { dateFrom: '2026-11-02', dateTo: '2026-11-02', groupBy: 'entry' };
  return given.invoice(ana, { clientId: mappings.clients.get('Acme'), timeEntries });
};

const scheduled = () => importBy(ana, CHANGED, { mappings, trigger: 'schedule', updateChanged: true });

async function deliverAll(): Promise<void> {
  for (const message of queue.messages.splice(0)) expect(await deliver(importChunk, message)).toBe(true);
}

const durations = async () => (await entriesOf(ana, CHANGED)).map(({ durationMinutes }) => durationMinutes);

it('a row is found again whose entry becomes free while an import holds it back', async () => {
  const request = scheduled();
  await startScheduledImport(request);
  beforeTransaction(async () =>
    expect((await invoke(deleteInvoice, ana, { params: { id: invoiceId } })).status).toBe(200),
  );
  await deliverAll();
  expect(await expectEnded(request)).toMatchObject({ updatedCount: 0, dedupedCount: 1, heldBackCount: 1 });
  const released = await readReleased(request, await readHeldBack(request));
  expect(released).toMatchObject([{ externalId: '1', date: '2026-11-02' }]);
  await startScheduledImport({ ...scheduled(), reread: released });
  await deliverAll();
  expect(await durations()).toEqual([90]);
  expect(await readHeldBack(request)).toEqual([]);
});

it('what an import that began before an invoice was sent writes after its credit is not what was billed', async () => {
  const request = importBy(ana, CHANGED, { mappings, updateChanged: true });
  await startImport(request);
  await ana.post(`/invoices/${invoiceId}/send`);
  await given.creditNote(ana, invoiceId);
  await deliverAll();
  expect([await durations(), (await expectEnded(request)).updatedCount]).toEqual([[90], 1]);
  const principal = { scopes: SCOPES };
  const invoice = await readInvoice(ana.organization.id, invoiceId);
  const [hours] = (await readHours(invoice, { hours: true, principal, pay: async () => {} })) ?? [];
  expect(hours).toMatchObject({ rows: [], changed: { minutes: 30 } });
});

it('a row that was read again stays held back if its entry is back on its invoice by then', async () => {
  const request = scheduled();
  await startScheduledImport(request);
  await deliverAll();
  const heldBack = await readHeldBack(request);
  expect(heldBack).toHaveLength(1);
  // It waits for no date, so only its hold is read, and not the lock.
  expect((await costOf(() => readReleased(request, heldBack))).readUnits).toBe(1);
  expect(await startScheduledImport({ ...scheduled(), reread: heldBack })).toBeNull();
  expect(await readHeldBack(request)).toEqual(heldBack);
  expect(await durations()).toEqual([30]);
});

it('a row that was read again is held back again if its entry is billed again before it is written', async () => {
  await startScheduledImport(scheduled());
  await deliverAll();
  const heldBack = await readHeldBack(scheduled());
  expect((await invoke(deleteInvoice, ana, { params: { id: invoiceId } })).status).toBe(200);
  const request = scheduled();
  await startScheduledImport({ ...request, reread: heldBack });
  await bill();
  await deliverAll();
  expect(await expectEnded(request)).toMatchObject({ updatedCount: 0, heldBackCount: 1 });
  expect(await readHeldBack(request)).toMatchObject([{ externalId: '1' }]);
  expect(await durations()).toEqual([30]);
});

it('a scheduled import begins while a request is billing what it would change: only its units wait', async () => {
  const [entry] = await entriesOf(ana, BEFORE);
  const [organizationId, clientId] = [ana.organization.id, `${entry?.clientId}`];
  const billing = newBilling({ organizationId, clientId, id: uuidV7(), holdId: `${entry?.holdId}` });
  await transact([acquireBilling(billing)]);
  expect(await startScheduledImport(scheduled())).toMatchObject({ status: 'processing' });
});
