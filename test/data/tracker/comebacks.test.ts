import { beforeEach, describe, expect, it } from 'vitest';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { undoRemoteSync } from '#shared/contract/remote/undo-remote-sync.ts';
import { deleteEntry } from '#shared/contract/tracker/delete-entry.ts';
import { updateEntry } from '#shared/contract/tracker/update-entry.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import { ledgerSums, recount } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

/**
 * An imported entry has the same id whenever it comes. Here it goes and comes again with other content right before a
 * request writes what it has made of the former one.
 */

const ENTRIES = '/v1/work/tracker/entries';
const REMOTE = '/v1/work/tracker/remote';

let ana: User;
let client: Json;
let project: Json;
let first: Json;
let entry: Json;

beforeEach(async () => {
  ana = await given.user();
  await given.connection(ana);
  client = await given.client(ana);
  project = await given.project(ana, { clientId: client.id });
  first = await confirm(70);
  entry = await onlyEntry();
});

async function confirm(durationMinutes: number): Promise<Json> {
  const rows = [{ externalId: 'x1', date: '2026-11-02', durationMinutes, project: 'Website', rate: 60 }];
  const projectMapping = { Website: project.id };
  return (await ana.post(`${REMOTE}/sync/confirm`, { rows, projectMapping })).body.data;
}

const undo = () => ana.post(`${REMOTE}/sync/history/${first.importJobId}/undo`);

async function onlyEntry(): Promise<Json> {
  const { data } = (await ana.get(ENTRIES)).body;
  expect(data).toHaveLength(1);
  return data[0];
}

/** Lets the entry go and come again before the next transaction of this process. */
function comesAgain(go: () => Promise<unknown>): void {
  beforeTransaction(async () => {
    await go();
    expect(await confirm(86)).toMatchObject({ importedCount: 1 });
  });
}

async function expectCounted(...ids: string[]): Promise<void> {
  const stored = await readEntries(ana.organization.id, [entry.id]);
  expect(stored.map(({ id }) => id)).toEqual(ids);
  expect(await ledgerSums(ana)).toEqual(recount(stored));
  const listed = (await ana.get(ENTRIES)).body;
  expect({ total: listed.meta.total, ids: listed.data.map(({ id }: Json) => id) }).toEqual({ total: ids.length, ids });
  const { totalMinutes } = (await ana.get(`/v1/work/tracker/projects/${project.id}`)).body.data;
  expect(totalMinutes).toBe(stored.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0));
}

describe('an imported entry that comes again', () => {
  it('is changed as it is then by a PATCH that has read the former one', async () => {
    comesAgain(undo);
    const reply = await invoke(updateEntry, ana, { params: { id: entry.id }, body: { description: 'Edited' } });
    expect(reply).toMatchObject({ status: 200, data: { description: 'Edited', durationMinutes: 86 } });
    expect(await onlyEntry()).toEqual(reply.data);
    await expectCounted(entry.id);
  });

  it('is deleted with what it counts then by a DELETE that has read the former one', async () => {
    comesAgain(undo);
    expect(await invoke(deleteEntry, ana, { params: { id: entry.id } })).toMatchObject({ status: 200 });
    expect((await ana.get(`${ENTRIES}/${entry.id}`)).status).toBe(404);
    await expectCounted();
  });

  it('is billed as it is then by an invoice that has read the former one', async () => {
    comesAgain(undo);
    const timeEntries = { dateFrom: '2026-11-01', dateTo: '2026-11-30', groupBy: 'entry' };
    const { status, data } = await invoke(createInvoice, ana, { body: { clientId: client.id, timeEntries } });
    const { amount } = await onlyEntry();
    expect({ status, amount: data.total }).toEqual({ status: 201, amount });
    expect(data.lineItems).toMatchObject([{ entryIds: [entry.id], amount }]);
    await expectCounted(entry.id);
  });

  it('stays when an undo of the import that brought the former one has read that one', async () => {
    comesAgain(() => ana.delete(`${ENTRIES}/${entry.id}`));
    const reply = await invoke(undoRemoteSync, ana, { params: { id: first.importJobId } });
    expect(reply).toMatchObject({ status: 200, data: { removedCount: 0 } });
    expect(await onlyEntry()).toMatchObject({ durationMinutes: 86 });
    await expectCounted(entry.id);
  });
});
