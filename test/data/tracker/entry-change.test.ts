import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { createEntry } from '#shared/contract/tracker/create-entry.ts';
import { deleteEntry } from '#shared/contract/tracker/delete-entry.ts';
import { getProject } from '#shared/contract/tracker/get-project.ts';
import { updateEntry } from '#shared/contract/tracker/update-entry.ts';
import { readClient, removeClient } from '#shared/data/clients/clients.ts';
import { ConditionFailed } from '#shared/data/table/transaction.ts';
import { readEntries, readEntry, writeEntries } from '#shared/data/tracker/entries.ts';
import { readProject, removeProject } from '#shared/data/tracker/projects.ts';
import { ledgerSums, recount } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls, beforeTransaction } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

/** What happens to the project and the client of an entry at the worst moment. */

const PROJECTS = '/v1/work/tracker/projects';

let ana: User;
let client: Json;
let project: Json;

beforeEach(async () => {
  ana = await given.user();
  client = await given.client(ana, { name: 'Acme' });
  project = await given.project(ana, { clientId: client.id });
});

const book = (values: Json = {}) =>
  invoke(createEntry, ana, {
    body: {
      description: 'Work',
      durationMinutes: 30,
      entryDate: '2026-11-20',
      billable: true,
      projectId: project.id,
      ...values,
    },
  });

const clientGoes = async () => removeClient(await readClient(ana.organization.id, client.id), []);

const projectGoes = async () => removeProject(await readProject(ana.organization.id, project.id), []);

const shown = async (id: string) => (await ana.get(`/v1/work/tracker/entries/${id}`)).body.data;

async function expectCounted(...ids: string[]): Promise<void> {
  const entries = await readEntries(ana.organization.id, ids);
  expect(entries).toHaveLength(ids.length);
  expect(await ledgerSums(ana)).toEqual(recount(entries));
  const own = entries.filter(({ projectId }) => projectId === project.id);
  const minutes = own.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);
  const stillThere = await invoke(getProject, ana, { params: { id: project.id } });
  if (stillThere.status === 200) expect(stillThere.data.totalMinutes).toBe(minutes);
}

describe('a new entry with the client of its project', () => {
  it('goes without a client that was deleted before, and has nothing of its name', async () => {
    await clientGoes();
    const { data } = await book();
    expect(data).toMatchObject({ clientId: null, clientLabel: null, projectId: project.id });
    expect(await readEntry(ana.organization.id, data.id)).toMatchObject({ clientId: null, clientLabel: null });
    await expectCounted(data.id);
  });

  it('is as if it had been there already when its client is deleted just before it is written', async () => {
    beforeTransaction(clientGoes);
    const { status, data } = await book({ clientId: client.id });
    expect(status).toBe(201);
    expect(await shown(data.id)).toMatchObject({ clientId: null, clientLabel: 'Acme', projectId: project.id });
    await expectCounted(data.id);
  });

  it('is refused when the project is deleted before it is written', async () => {
    beforeTransaction(projectGoes);
    expect(await book()).toMatchObject({ status: 400, code: 'reference_not_found', errors: [{ path: 'projectId' }] });
    await expectCounted();
  });
});

it('entries of two projects go at once, though the project of the later one was deleted', async () => {
  const other = await given.project(ana);
  const ids = [(await book()).data.id, (await book({ projectId: other.id })).data.id];
  await ana.delete(`${PROJECTS}/${other.id}`);
  const [first, second] = [await readEntry(ana.organization.id, ids[0]), await readEntry(ana.organization.id, ids[1])];
  await writeEntries([first, second].map((before) => ({ before, after: null })));
  expect(await readEntries(ana.organization.id, ids)).toEqual([]);
  await expectCounted();
});

it('a new entry is not written over one of its id', async () => {
  const { data } = await book();
  const after = await readEntry(ana.organization.id, data.id);
  await expect(writeEntries([{ before: null, after }])).rejects.toThrow(ConditionFailed);
  await expectCounted(data.id);
});

it.each([
  ['its user', () => ana],
  ['its project', () => given.user({ organization: ana.organization })],
])(
  'a new entry has the rate of %s in its own currency, though both change while it is made',
  async (_, userWithRate) => {
    const { userId } = await userWithRate();
    const terms = (currency: string, rate: string) => ({ currency, rate, userRates: [{ userId, rate }] });
    await ana.patch(`${PROJECTS}/${project.id}`, terms('USD', '70'));
    const change = () => ana.patch(`${PROJECTS}/${project.id}`, terms('JPY', '9000'));
    beforeCalls((command) => command instanceof BatchGetCommand, [change]);
    expect((await book()).data).toMatchObject({ rate: '9000', currency: 'JPY' });
  },
);

describe('a change of an entry', () => {
  const callsOf = async (entry: Json, body: Json) =>
    (await costOf(() => invoke(updateEntry, ana, { params: { id: entry.id }, body }))).calls;

  it('reads the zone of its user where clock times depend on it, and not otherwise', async () => {
    const [untimed, timed] = [await given.entry(ana), await given.entry(ana, { startTime: '09:00', endTime: '10:00' })];
    const usual = await callsOf(untimed, { description: 'Other' });
    expect(await callsOf(untimed, { entryDate: '2026-11-03' })).toBe(usual);
    expect(await callsOf(timed, { description: 'Other' })).toBe(usual);
    expect(await callsOf(timed, { entryDate: '2026-11-03' })).toBe(usual + 1);
  });

  it('reads a hold that it names once', async () => {
    const entry = await given.entry(ana, { clientId: client.id, rate: 60 });
    const usual = await callsOf(entry, { description: 'Other' });
    const invoice = await given.invoice(ana, { clientId: client.id, lineItems: [{ entryIds: [entry.id] }] });
    await ana.delete(`/invoices/${invoice.id}`);
    expect(await callsOf(entry, { description: 'Another' })).toBe(usual + 1);
  });
});

describe('an entry whose project and client were deleted', () => {
  it('can be changed, keeps the label, and says from then on in the table what everybody saw', async () => {
    const { data } = await book();
    await clientGoes();
    await projectGoes();
    const changed = await invoke(updateEntry, ana, { params: { id: data.id }, body: { durationMinutes: 45 } });
    expect(changed.data).toMatchObject({ durationMinutes: 45, clientId: null, clientLabel: 'Acme', projectId: null });
    expect(await readEntry(ana.organization.id, data.id)).toMatchObject({
      clientId: null,
      clientLabel: 'Acme',
      projectId: null,
    });
    await expectCounted(data.id);
  });
});

describe('an entry that somebody else changes at the same moment', () => {
  it('is deleted with what it counts then', async () => {
    const { data } = await book();
    beforeTransaction(() => ana.patch(`/v1/work/tracker/entries/${data.id}`, { durationMinutes: 45 }));
    expect(await invoke(deleteEntry, ana, { params: { id: data.id } })).toMatchObject({ status: 200 });
    await expectCounted();
  });
});

describe('an entry that somebody else moves to another project at the same moment', () => {
  it('is changed there, though its former project is deleted', async () => {
    const other = await given.project(ana, { clientId: client.id });
    const { data } = await book();
    beforeTransaction(async () => {
      await ana.patch(`/v1/work/tracker/entries/${data.id}`, { projectId: other.id });
      await projectGoes();
    });
    const changed = await invoke(updateEntry, ana, { params: { id: data.id }, body: { durationMinutes: 45 } });
    expect(changed.data).toMatchObject({ durationMinutes: 45, projectId: other.id });
    await expectCounted(data.id);
  });
});
