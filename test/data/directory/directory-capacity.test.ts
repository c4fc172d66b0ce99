import { beforeAll, describe, expect, it } from 'vitest';
import { seed } from '#scripts/bench/seed.ts';
import { createEntry } from '#shared/contract/tracker/create-entry.ts';
import { listEntries } from '#shared/contract/tracker/list-entries.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import { readClient, removeClient } from '#shared/data/clients/clients.ts';
import type { Directory } from '#shared/data/directory/directory.ts';
import type { Project } from '#shared/domain/tracker/project.ts';
import { costOf } from '#test/support/capacity.ts';
import { addClient, fillDirectory, newReader, renameClient } from '#test/support/directories.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

/** The cost of knowing 2,000 clients and 200 projects, and of a change of one of them. */

const CLIENTS = 2_000;
const PROJECTS = 200;
const ENTRIES_A_DAY = 500;
const DAYS = 31;
const DECEMBER = { dateFrom: '2025-12-01', dateTo: '2025-12-31' };

let ana: User;
let organizationId: string;
let clientId: string;
let projects: Project[];

beforeAll(async () => {
  ana = await given.user();
  organizationId = ana.organization.id;
  const names = ['Acme', 'Northwind Traders', 'Globex Corporation', 'Contoso Pharmaceuticals, Ltd.'];
  const clients = Array.from({ length: CLIENTS - 1 }, (_, i) => `${names[i % names.length]} ${i}`);
  await fillDirectory(organizationId, clients);
  clientId = await addClient(organizationId, 'Hooli');
  projects = await seed({
    organizationId,
    userId: ana.userId,
    entries: ENTRIES_A_DAY * DAYS,
    days: DAYS,
    projects: PROJECTS,
    clientIds: [clientId],
    until: '2026-01-01',
    lanes: 1,
    isOpened: (date) => date >= '2025-12-30',
  });
}, 240_000);

let renames = 0;

async function change(): Promise<void> {
  renames += 1;
  await renameClient(organizationId, clientId, `Hooli ${renames}`);
}

const reading = (read: (id: string) => Promise<Directory>) =>
  costOf(async () => {
    const { clients, projects: found } = await read(organizationId);
    expect([clients.size, found.size]).toEqual([CLIENTS, PROJECTS]);
  });

describe('reading the directory', () => {
  it('is one read unit where nothing has changed, and where something has', async () => {
    const read = await newReader();
    await read(organizationId);
    expect(await reading(read)).toMatchObject({ calls: 1, readUnits: 1 });
    await change();
    expect(await reading(read)).toMatchObject({ calls: 1, readUnits: 1 });
    for (let i = 0; i < 20; i++) await change();
    expect(await reading(read)).toMatchObject({ calls: 1, readUnits: 1 });
  });

  it('is 50 read units in 2 round trips for a function that has just started', async () => {
    const cost = await reading(await newReader());
    expect(cost).toMatchObject({ calls: 3, roundTrips: 2 });
    expect(cost.readUnits).toBeLessThanOrEqual(50);
  });

  it('takes no more units for what was deleted', async () => {
    const before = await reading(await newReader());
    for (let i = 0; i < 20; i++) {
      const id = await addClient(organizationId, `Gone ${i}`);
      await removeClient(await readClient(organizationId, id), []);
    }
    const after = await reading(await newReader());
    // The list of changes is longer, and it ends.
    expect(after.readUnits - before.readUnits).toBeLessThanOrEqual(2);
  });
});

describe('while a client changes before each request', () => {
  const entry = () => ({
    description: 'Work',
    durationMinutes: 60,
    entryDate: '2026-06-01',
    projectId: projects[0]?.id ?? '',
  });

  it.each([
    ['a page of 100 entries', 100, async () => invoke(listEntries, ana, { query: { ...DECEMBER, limit: '100' } })],
    ["a month's summary", 170, async () => invoke(summarizeEntries, ana, { query: DECEMBER })],
    ['a new entry', 1, async () => invoke(createEntry, ana, { body: entry() })],
  ])('%s takes what it takes otherwise, and at most %i read units', async (_, readUnits, ask) => {
    const request = async () => expect((await ask()).status).toBeLessThan(300);
    await request();
    const usual = await costOf(request);
    await change();
    const changed = await costOf(request);
    expect(changed).toMatchObject({ calls: usual.calls, readUnits: usual.readUnits, writeUnits: usual.writeUnits });
    expect(changed.readUnits).toBeLessThanOrEqual(readUnits);
    expect(changed.writeUnits).toBeLessThanOrEqual(16);
  });
});
