import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEntry } from '#shared/contract/entries.ts';
import { getProject as getProjectEndpoint } from '#shared/contract/projects.ts';
import { deleteClient, getClient } from '#shared/data/clients.ts';
import { removeLinks } from '#shared/data/link-removal.ts';
import { deleteProject, getProject } from '#shared/data/projects.ts';
import { findUnlinking } from '#shared/data/unlinking.ts';
import { ledgerSums, recount, storedEntries } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

/** What happens to the project and the client of an entry at the worst moment. Nothing here wakes the workers. */

let ana: User;
let client: Json;
let project: Json;

beforeEach(async () => {
  ana = await given.user();
  client = await given.client(ana, { name: 'Acme' });
  project = await given.project(ana, { clientId: client.id });
});

afterEach(() => vi.restoreAllMocks());

function beforeTransactions(...happenings: (() => Promise<unknown>)[]): void {
  beforeCalls((command) => command instanceof TransactWriteCommand, happenings);
}

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

const clientGoes = async () => deleteClient(await getClient(ana.organization.id, client.id), new Date());

const projectGoes = async () => deleteProject(await getProject(ana.organization.id, project.id), new Date());

/** What a worker does. */
async function linksGo(): Promise<void> {
  const subject = { kind: 'client', organizationId: ana.organization.id, id: client.id } as const;
  const deleted = await findUnlinking(subject);
  expect(deleted && (await removeLinks(deleted, () => true))).toBe(true);
}

async function expectCounted(...ids: string[]): Promise<void> {
  const entries = [...(await storedEntries(ana, ids)).values()];
  expect(entries).toHaveLength(ids.length);
  expect(await ledgerSums(ana)).toEqual(recount(entries));
  const minutes = entries.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);
  const stillThere = await invoke(getProjectEndpoint, ana, { params: { id: project.id } });
  if (stillThere.status === 200) expect(stillThere.data.totalMinutes).toBe(minutes);
}

describe('an entry with the client of its project', () => {
  it('has the other client that the project gets before it is written', async () => {
    const other = await given.client(ana, { name: 'Globex' });
    beforeTransactions(() => ana.patch(`/v1/work/tracker/projects/${project.id}`, { clientId: other.id }));
    const { data } = await book();
    expect(data).toMatchObject({ clientId: other.id, clientLabel: 'Globex', projectId: project.id });
    await expectCounted(data.id);
  });

  it('goes without a client that was deleted before, and has nothing of its name', async () => {
    await clientGoes();
    const { data } = await book();
    expect(data).toMatchObject({ clientId: null, clientLabel: null, projectId: project.id });
    await expectCounted(data.id);
    await linksGo();
    expect((await storedEntries(ana, [data.id])).get(data.id)).toMatchObject({ clientId: null, clientLabel: null });
  });

  it.each([
    ['before it is written', [linksGo]],
    ['before it could go without the client', [async () => {}, linksGo]],
  ])('goes without it also when a worker takes it from the project %s', async (_, happenings) => {
    await clientGoes();
    beforeTransactions(...happenings);
    const { status, data } = await book();
    expect(status).toBe(201);
    expect(data).toMatchObject({ clientId: null, clientLabel: null, projectId: project.id });
    expect((await storedEntries(ana, [data.id])).get(data.id)).toMatchObject({ clientId: null });
    await expectCounted(data.id);
  });

  it('loses it to the worker where the request could not take it away', async () => {
    await clientGoes();
    const failure = () => Promise.reject(new Error('The database does not answer.'));
    beforeTransactions(async () => {}, failure);
    const { status, data } = await book();
    expect(status).toBe(201);
    expect((await storedEntries(ana, [data.id])).get(data.id)).toMatchObject({ clientId: client.id });
    vi.restoreAllMocks();
    await linksGo();
    expect((await storedEntries(ana, [data.id])).get(data.id)).toMatchObject({ clientId: null });
    await expectCounted(data.id);
  });

  it('is refused when the project is deleted before it is written', async () => {
    beforeTransactions(projectGoes);
    expect(await book()).toMatchObject({ status: 400, code: 'reference_not_found', errors: [{ path: 'projectId' }] });
    await expectCounted();
  });

  it('is refused when the client that was named is deleted before it is written, though the project names it too', async () => {
    beforeTransactions(clientGoes);
    const reply = await book({ clientId: client.id });
    expect(reply).toMatchObject({ status: 400, code: 'reference_not_found', errors: [{ path: 'clientId' }] });
    await expectCounted();
  });
});
