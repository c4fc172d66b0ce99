import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { createClient } from '#shared/contract/clients/create-client.ts';
import { createProject } from '#shared/contract/tracker/create-project.ts';
import { readClient, removeClient, saveClient } from '#shared/data/clients/clients.ts';
import { type Directory, readDirectory, readDirectoryFor } from '#shared/data/directory/directory.ts';
import { readChanges, readRows, readVersion } from '#shared/data/directory/rows.ts';
import {
  directoryChangesAfter,
  directoryChangesKey,
  directoryPartition,
  directoryRowsKey,
  lastDirectoryChangesKey,
} from '#shared/data/layout/keys.ts';
import { ensureUser } from '#shared/data/organization/users.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { database } from '#shared/data/table/database.ts';
import { readItem } from '#shared/data/table/item.ts';
import { ConditionFailed, transact } from '#shared/data/table/transaction.ts';
import { put, remove, unread, update } from '#shared/data/table/writes.ts';
import {
  insertProject,
  readProject,
  removeProject,
  saveProject,
  withoutDeletedClient,
} from '#shared/data/tracker/projects.ts';
import { newProject } from '#shared/domain/tracker/project.ts';
import { costOf } from '#test/support/capacity.ts';
import { addClient, newReader, removeUser, renameClient, renameUser } from '#test/support/directories.ts';
import { given } from '#test/support/given.ts';
import { beforeCalls, beforeTransaction } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

const nameIn = (directory: Directory, id: string) => directory.clients.get(id)?.name;

/** The parts that hold the changes, without the last part. */
async function movedParts(organizationId: string) {
  const last = lastDirectoryChangesKey(organizationId);
  const between = directoryChangesAfter(0);
  const parts = await readCollection({ partition: directoryPartition(organizationId), between });
  return parts.filter(({ sk }) => sk !== last.sk);
}

/** As DynamoDB does when their time is over. */
async function removeMovedParts(organizationId: string): Promise<void> {
  await transact((await movedParts(organizationId)).map(({ pk, sk }) => remove({ pk: String(pk), sk: String(sk) })));
}

describe('a directory that a function holds', () => {
  it('has what was answered, however many changes it has missed', async () => {
    const organizationId = uuidV7();
    const [reader, late] = [await newReader(), await newReader()];
    expect((await late(organizationId)).clients.size).toBe(0);
    const [missed, id] = [await addClient(organizationId, 'Acme'), await addClient(organizationId, 'Borg')];
    expect(nameIn(await reader(organizationId), missed)).toBe('Acme');
    await renameClient(organizationId, missed, 'Missed');
    for (let i = 0; i < 20; i++) await renameClient(organizationId, id, `Name ${i}`);
    const remembering = await newReader();
    await remembering(organizationId);
    await removeMovedParts(organizationId);
    for (const read of [reader, late, remembering, await newReader()]) {
      const directory = await read(organizationId);
      expect([nameIn(directory, missed), nameIn(directory, id)]).toEqual(['Missed', 'Name 19']);
    }
  });

  it('has what has changed, moved and expired while its rows were read', async () => {
    const organizationId = uuidV7();
    const id = await addClient(organizationId, 'Acme');
    const others: string[] = [];
    beforeCalls(
      ({ input }) => JSON.stringify(input).includes('CHANGES#0'),
      [
        async () => {
          for (let i = 0; i < 12; i++) others.push(await addClient(organizationId, `Borg ${i}`));
          await renameClient(organizationId, id, 'Globex');
          for (let i = 0; i < 12; i++) others.push(await addClient(organizationId, `Hooli ${i}`));
          await removeMovedParts(organizationId);
        },
      ],
    );
    const directory = await (await newReader())(organizationId);
    expect(new Set(directory.clients.keys())).toEqual(new Set([id, ...others]));
    expect(nameIn(directory, id)).toBe('Globex');
  });

  it('is read anew where that costs less than all changes', async () => {
    const organizationId = uuidV7();
    const id = await addClient(organizationId, 'Acme');
    const parts = Array.from({ length: 200 }, (_, index) => ({
      ...(index === 199
        ? lastDirectoryChangesKey(organizationId)
        : directoryChangesKey(organizationId, 1 + 3 * (index + 1))),
      earlier: 1 + 3 * index,
      changes: Array.from({ length: 3 }, () => ({ id, row: `Name ${index}` })),
    }));
    for (const start of [0, 100]) await transact(parts.slice(start, start + 100).map((each) => put(each, unread)));
    const { since, changes } = await readChanges(organizationId, 1);
    expect([since, changes.length]).toEqual([217, 128 * 3]);
  });

  it('has the last hundred changes, whatever its rows say, and no earlier ones', async () => {
    const organizationId = uuidV7();
    const id = await addClient(organizationId, 'Acme');
    const others = Array.from({ length: 100 }, () => ({ id: uuidV7(), row: 'Borg' }));
    const [earlier, ...later] = others;
    const last = { earlier: 199, changes: [earlier, { id, row: 'Globex' }, ...later] };
    await transact([put({ ...lastDirectoryChangesKey(organizationId), ...last }, unread)]);
    const { clients } = await (await newReader())(organizationId);
    expect([clients.size, clients.get(id)?.name, clients.has(`${earlier?.id}`)]).toEqual([100, 'Globex', false]);
  });

  it('is made anew only by a change, the first one of all too, which one call finds', async () => {
    const organizationId = uuidV7();
    const read = await newReader();
    const none = await read(organizationId);
    expect(await read(organizationId)).toBe(none);
    await addClient(organizationId, 'Acme');
    expect(await costOf(() => read(organizationId))).toMatchObject({ calls: 1 });
    for (const each of [read, await newReader()]) expect(await each(organizationId)).toBe(await each(organizationId));
  });

  it('has both the client and the project that come while its rows are read', async () => {
    const organizationId = uuidV7();
    const owner = { organizationId, currency: 'USD' };
    const settings = v.parse(createProject.body, { name: 'Site' });
    const project = newProject(settings, owner, uuidV7(), new Date());
    await insertProject(project, []);
    const read = await newReader();
    let clientId = '';
    let isFirst = true;
    beforeCalls(
      ({ input }) => isFirst && JSON.stringify(input).includes('ROWS#'),
      [
        async () => {
          isFirst = false;
          clientId = await addClient(organizationId, 'Acme');
          const present = await readProject(organizationId, project.id);
          await saveProject(present, { ...present, clientId }, clientId, []);
          // The reader may have met this row before there was one.
          const removal = { UpdateExpression: 'REMOVE #id', ExpressionAttributeNames: { '#id': clientId } };
          await transact([update(directoryRowsKey(organizationId, clientId), removal)]);
        },
      ],
    );
    const directory = await read(organizationId);
    expect(directory.projects.get(project.id)?.clientId).toBe(clientId);
    expect(nameIn(directory, clientId)).toBe('Acme');
  });
});

it('a link that is missing is looked for once more, but for 10,000 that are known to be gone', async () => {
  const organizationId = uuidV7();
  for (const [count, calls] of [[10_000, 1] as const, [10_001, 2] as const]) {
    const linked = Array.from({ length: count }, () => ({ projectId: uuidV7(), clientId: null }));
    await readDirectoryFor(organizationId, linked);
    expect(await costOf(() => readDirectoryFor(organizationId, linked))).toMatchObject({ calls });
  }
});

describe('users in the directory', () => {
  it('are there with their present names, whether all is read or only what has changed, also after a removal', async () => {
    const { organization, userId } = await given.user({ name: 'Ana' });
    const catchingUp = await newReader();
    await catchingUp(organization.id);
    const { id } = await ensureUser(organization.id, 'Ben', async () => []);
    await renameUser(organization.id, id, 'Benedikt');
    await removeUser(organization.id, userId);
    for (const read of [catchingUp, await newReader()]) {
      const { users } = await read(organization.id);
      expect([users.get(userId), users.get(id), users.size]).toEqual([
        { id: userId, name: 'Ana', isActive: false },
        { id, name: 'Benedikt', isActive: true },
        2,
      ]);
    }
  });

  it('are read once more for an entry of a user who came after the reading, as clients are', async () => {
    const { id: organizationId } = await given.organization();
    const reading = readDirectory(organizationId);
    await reading;
    const { id: userId } = await ensureUser(organizationId, 'Ana', async () => []);
    const { users } = await readDirectoryFor(organizationId, [{ projectId: null, clientId: null, userId }], reading);
    expect(users.get(userId)?.name).toBe('Ana');
    const clientId = await addClient(organizationId, 'Acme');
    const { clients } = await readDirectoryFor(organizationId, [{ projectId: null, clientId }], reading);
    expect(clients.get(clientId)?.name).toBe('Acme');
  });
});

describe('a change of the directory', () => {
  it('is kept in its order, in parts of at most eight changes, and read once from whatever version on', async () => {
    const organizationId = uuidV7();
    const id = await addClient(organizationId, 'Acme');
    const names = Array.from({ length: 29 }, (_, i) => `Name ${i}`);
    vi.useFakeTimers({ toFake: ['Date'], now: 1_795_600_000_001 });
    for (const name of names) await renameClient(organizationId, id, name);
    const parts = await movedParts(organizationId);
    expect(parts.length).toBeGreaterThanOrEqual(30 / 8);
    for (const { expiresAtEpochSeconds } of parts) expect(expiresAtEpochSeconds).toBe(1_795_600_001 + 3_600);
    for (let version = 0; version <= 30; version++) {
      const { since, changes } = await readChanges(organizationId, version);
      expect([since, changes.map(({ row }) => row)]).toEqual([version, ['Acme', ...names].slice(version)]);
    }
  });

  it('is not lost when others move the changes between its look and its write', async () => {
    const organizationId = uuidV7();
    const [id, other] = [await addClient(organizationId, 'Acme'), await addClient(organizationId, 'Borg')];
    for (const [start, moves] of [1, 3, 8, 4].entries()) {
      await renameClient(organizationId, other, `Hooli ${start}`);
      beforeTransaction(async () => {
        for (let i = 0; i < moves; i++) await renameClient(organizationId, other, `Hooli ${start} ${i}`);
      });
      await renameClient(organizationId, id, `Globex ${start}`);
      vi.restoreAllMocks();
    }
    const { changes } = await readChanges(organizationId, 0);
    expect(changes).toHaveLength(2 + 4 * 2 + 16);
    expect(changes.at(-1)).toEqual({ id, row: 'Globex 3' });
  });

  it('is tried once where something else refuses it, also when the changes would move', async () => {
    const organizationId = uuidV7();
    const id = await addClient(organizationId, 'Acme');
    const outdated = await readClient(organizationId, id);
    for (const name of ['Borg', 'Globex']) await renameClient(organizationId, id, name);
    const send = vi.spyOn(database, 'send');
    await expect(saveClient(outdated, { ...outdated, name: 'Hooli' }, [])).rejects.toThrow(ConditionFailed);
    expect(send.mock.calls.filter(([command]) => command instanceof TransactWriteCommand)).toHaveLength(1);
  });

  it('keeps the answer of a named request with it, although another change was faster', async () => {
    const ana = await given.user();
    for (let i = 0; i < 2; i++) await addClient(ana.organization.id, 'Borg');
    const written: string[] = [];
    const note = (command: unknown) => {
      const isWrite = command instanceof TransactWriteCommand;
      if (isWrite) written.push(JSON.stringify(command));
      return isWrite;
    };
    beforeCalls(note, [() => addClient(ana.organization.id, 'Globex')]);
    await invoke(createClient, ana, { body: { name: 'Acme' }, headers: { 'idempotency-key': 'new client' } });
    expect(written.map((each) => each.includes('#IDEMPOTENCY#'))).toEqual([true, true]);
    const { clients } = await (await newReader())(ana.organization.id);
    expect([...clients.values()].map(({ name }) => name).sort()).toEqual(['Acme', 'Borg', 'Borg', 'Globex']);
  });

  it('is there once for each of a hundred clients that come at the same moment', async () => {
    const organizationId = uuidV7();
    const read = await newReader();
    await read(organizationId);
    expect(await readVersion(organizationId)).toBe(0);
    const ids = await Promise.all(Array.from({ length: 100 }, (_, i) => addClient(organizationId, `Client ${i}`)));
    expect(await readVersion(organizationId)).toBe(100);
    for (const each of [read, await newReader()]) {
      expect(new Set((await each(organizationId)).clients.keys())).toEqual(new Set(ids));
    }
    for (let i = 0; i < 4; i++) await addClient(organizationId, 'Acme');
    await renameClient(organizationId, ids[0] ?? '', 'Globex');
    const last = JSON.stringify(await readItem(lastDirectoryChangesKey(organizationId)));
    expect(last.length).toBeLessThan(1_500);
  });

  it('is none where a client, project, user or organization changes in what the directory does not have', async () => {
    const ana = await given.user();
    const { id: clientId } = await given.client(ana);
    const { id: projectId } = await given.project(ana);
    const { id: userId } = await given.colleague(ana);
    const before = await readVersion(ana.organization.id);
    for (const [path, changed] of [
      [`/clients/${clientId}`, { note: 'Pays late' }],
      [`/v1/work/tracker/projects/${projectId}`, { description: 'Relaunch' }],
      [`/v1/users/${userId}`, { timeZone: 'Europe/Paris' }],
      ['/v1/organization', { city: 'Bonn' }],
    ] as const)
      expect((await ana.patch(path, changed)).body.data).toMatchObject(changed);
    expect(await readVersion(ana.organization.id)).toBe(before);
  });
});

const ACTIONS = ['add client', 'rename client', 'remove client', 'add project', 'change project', 'remove project'];

const step = fc.record({ action: fc.constantFrom(...ACTIONS), pick: fc.nat(), link: fc.boolean(), reader: fc.nat() });

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Writes what is its own, and knows what that looks like now. */
class Writer {
  readonly clients = new Map<string, string>();
  readonly projects = new Map<string, { readonly name: string; readonly clientId: string | null }>();
  readonly removed: string[] = [];
  readonly #organizationId: string;

  constructor(organizationId: string) {
    this.#organizationId = organizationId;
  }

  async take({ action, pick, link }: Step): Promise<void> {
    const organizationId = this.#organizationId;
    const one = (ids: Iterable<string>) => [...ids].at(pick % Math.max(1, [...ids].length));
    const client = one(this.clients.keys());
    const project = one(this.projects.keys());
    const clientId = link ? (client ?? null) : null;
    const name = `Name ${uuidV7()}`;
    if (action === 'add client') this.clients.set(await addClient(organizationId, name), name);
    if (action === 'rename client' && client) {
      await renameClient(organizationId, client, name);
      this.clients.set(client, name);
    }
    if (action === 'remove client' && client) {
      await removeClient(await readClient(organizationId, client), []);
      this.clients.delete(client);
      this.removed.push(client);
      for (const [id, own] of this.projects)
        if (own.clientId === client) this.projects.set(id, { ...own, clientId: null });
    }
    if (action === 'add project') {
      const settings = v.parse(createProject.body, { name, clientId });
      const made = newProject(settings, { organizationId, currency: 'USD' }, uuidV7(), new Date());
      await insertProject(made, []);
      this.projects.set(made.id, { name, clientId });
    }
    if (action === 'change project' && project) {
      const present = await withoutDeletedClient(await readProject(organizationId, project));
      await saveProject(present, { ...present, name, clientId }, clientId, []);
      this.projects.set(project, { name, clientId });
    }
    if (action === 'remove project' && project) {
      await removeProject(await readProject(organizationId, project), []);
      this.projects.delete(project);
      this.removed.push(project);
    }
  }

  isShownBy({ clients, projects }: Directory): void {
    for (const [id, name] of this.clients) expect(clients.get(id)).toEqual({ id, name });
    for (const [id, own] of this.projects) expect(projects.get(id)).toMatchObject(own);
    for (const id of this.removed) expect(clients.has(id) || projects.has(id)).toBe(false);
  }
}

describe('whatever several writers do at once', () => {
  const [WRITERS, READERS, STEPS] = [3, 3, 25];

  it('each reader sees what was answered before it began, and all end with the same directory', async () => {
    const steps = fc.array(step, { minLength: STEPS, maxLength: STEPS });
    const plan = fc.array(steps, { minLength: WRITERS, maxLength: WRITERS });
    await fc.assert(
      fc.asyncProperty(plan, async (lanes) => {
        const organizationId = uuidV7();
        const readers = await Promise.all(Array.from({ length: READERS }, newReader));
        const write = async (lane: readonly Step[]) => {
          const writer = new Writer(organizationId);
          for (const each of lane) {
            await writer.take(each);
            const read = readers[each.reader % READERS];
            if (read) writer.isShownBy(await read(organizationId));
          }
          return writer;
        };
        const writers = await Promise.all(lanes.map(write));
        const whole = await (await newReader())(organizationId);
        for (const writer of writers) writer.isShownBy(whole);
        expect(whole.clients.size).toBe(writers.reduce((sum, { clients }) => sum + clients.size, 0));
        // What was deleted has left no row.
        expect(await readRows(organizationId)).toHaveLength(whole.clients.size + whole.projects.size);
        const byId = ({ clients, projects }: Directory) => [clients, projects].map((each) => new Map([...each].sort()));
        for (const read of readers) expect(byId(await read(organizationId))).toEqual(byId(whole));
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });
});
