import { v7 as uuidV7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { seed } from '#scripts/bench/seed.ts';
import { deletedPut, readDeletedNames } from '#shared/data/directory/deleted-clients.ts';
import type { Directory } from '#shared/data/directory/directory.ts';
import { directoryRowsKey } from '#shared/data/layout/keys.ts';
import { costOf } from '#test/support/capacity.ts';
import { addClient, fillDirectory, newReader, renameClient } from '#test/support/directories.ts';
import { given } from '#test/support/given.ts';
import { putItems } from '#test/support/table-scan.ts';

/** The cost of knowing 2,000 clients and 200 projects, and of a change of one of them. */

const CLIENTS = 2_000;
const PROJECTS = 200;

let organizationId: string;
let clientId: string;

beforeAll(async () => {
  const { organization, userId } = await given.user();
  organizationId = organization.id;
  const names = ['Acme', 'Northwind Traders', 'Globex Corporation', 'Contoso Pharmaceuticals, Ltd.'];
  const clients = Array.from({ length: CLIENTS - 1 }, (_, i) => `${names[i % names.length]} ${i}`);
  await fillDirectory(organizationId, clients);
  clientId = await addClient(organizationId, 'Hooli');
  const owner = { organizationId, userId };
  await seed({ ...owner, entries: PROJECTS, days: 1, projects: PROJECTS, clientIds: [clientId], until: '2026-01-01' });
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

it.each([
  [8, 10, 'up to 1 KB', 0],
  [10, 12, 'more than 1 KB', 20],
])(
  'a change of a client takes %d write units with the directory, and each third one %d, where the item of its row has %s',
  async (usual, third, _, others) => {
    const acme = uuidV7();
    const id = await addClient(acme, 'Hooli');
    const rows = [id, ...Array.from({ length: others }, () => uuidV7())].map((each) => [each, 'Globex Corporation']);
    await putItems([{ ...directoryRowsKey(acme, id), ...Object.fromEntries(rows) }]);
    const units: number[] = [];
    for (let i = 0; i < 9; i++) units.push((await costOf(() => renameClient(acme, id, `Hooli ${i + 1}`))).writeUnits);
    expect(units.toSorted((a, b) => a - b)).toEqual([...Array(6).fill(usual), ...Array(3).fill(third)]);
  },
);

it('the names of 10,000 deleted clients are read once', { timeout: 60_000 }, async () => {
  const ids = Array.from({ length: 10_001 }, () => uuidV7());
  await putItems(ids.map((id) => deletedPut(organizationId, { id, name: id }).Put?.Item ?? {}));
  for (const [count, calls] of [[10_000, 0] as const, [10_001, 1] as const]) {
    const read = () => readDeletedNames(organizationId, ids.slice(0, count));
    expect(await read()).toEqual(new Map(ids.slice(0, count).map((id) => [id, id])));
    expect(await costOf(read)).toMatchObject({ calls });
  }
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
});
