import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { updateOrganization } from '#shared/contract/organization/update-organization.ts';
import { readToldWebhooks } from '#shared/data/events/told-webhooks.ts';
import { organizationListingKey } from '#shared/data/layout/keys.ts';
import { beginDeletion } from '#shared/data/organization/deletions.ts';
import {
  ensureOrganization,
  findOrganization,
  listOrganizationNames,
  readOrganization,
  readOrganizations,
  readPrintsHours,
} from '#shared/data/organization/organizations.ts';
import { readDating, readToday, readUserZone } from '#shared/data/organization/time-zones.ts';
import { readItem } from '#shared/data/table/item.ts';
import { creationOf } from '#shared/domain/id.ts';
import { deletionOf } from '#shared/domain/organization/deletion.ts';
import { reviseOrganization } from '#shared/domain/organization/organization.ts';
import { changeOrganization } from '#shared/work/organization/numbered-organization.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';
import { type Death, deathsOf, mayDie, useKilling } from '#test/support/kill.ts';
import { changeStoredOrganization } from '#test/support/stored.ts';

/** Names that are taken and freed at the worst moment. */

const newName = () => `Organization ${randomUUID()}`;

const make = (name = newName()) => ensureOrganization(name, 'USD');

const rename = (id: string, name: string) =>
  changeStoredOrganization(id, (organization) => reviseOrganization(organization, { name }, new Date()));

const idOf = async (name: string) => (await findOrganization(name))?.id;

describe('a change of the currency', () => {
  it.each([{}, { invoiceNumbering: { next: 7 } }, { creditNoteNumbering: { next: 7 } }])(
    'is refused where the first invoice is sent just before it, whatever it comes with: %j',
    async (others) => {
      const ana = await given.user();
      const { id } = await given.invoice(ana);
      beforeTransaction(() => ana.post(`/invoices/${id}/send`));
      const reply = await invoke(updateOrganization, ana, { body: { currency: 'EUR', ...others } });
      expect(reply).toMatchObject({ status: 409, code: 'currency_in_use' });
      expect(await readOrganization(ana.organization.id)).toMatchObject({ currency: 'USD' });
    },
  );
});

it('another time zone shows the next number of the year that it is there', async () => {
  const { id } = await make();
  const now = new Date('2026-12-31T23:30:00.000Z');
  const nextAfter = async (changes: Parameters<typeof changeOrganization>[1]) =>
    (await changeOrganization(await readOrganization(id), changes, now, async () => [])).invoiceNumbering.next;
  expect(await nextAfter({ invoiceNumbering: { format: '{yyyy}-{n}', next: 5 } })).toBe(5);
  expect(await nextAfter({ timeZone: 'Asia/Tokyo' })).toBe(1);
  expect(await nextAfter({ timeZone: null })).toBe(5);
});

it('what is asked of an organization whose item is gone already, is as if it had chosen nothing', async () => {
  const [organizationId, userId] = [randomUUID(), randomUUID()];
  const now = new Date('2026-11-20T23:30:00.000Z');
  expect(await readUserZone(organizationId, userId)).toBe('UTC');
  expect(await readToday(organizationId, now)).toBe('2026-11-20');
  expect(await readDating(organizationId, now)).toEqual({ today: '2026-11-20', isInOrder: false });
  expect(await readPrintsHours(organizationId)).toBe(false);
  expect(await readToldWebhooks(organizationId)).toEqual([]);
});

it('the names of organizations are in their order, whatever their case', async () => {
  const common = newName();
  for (const letter of ['b', 'C', 'a']) await make(`${common} ${letter}`);
  const names = (await listOrganizationNames()).map(({ name }) => name).filter((name) => name.startsWith(common));
  expect(names).toEqual([`${common} a`, `${common} b`, `${common} C`]);
});

describe('a rename', () => {
  it('loses to a first mention of the same name just before it', async () => {
    const { id, name } = await make();
    const wanted = newName();
    beforeTransaction(() => make(wanted));
    await expect(rename(id, wanted)).rejects.toMatchObject({ code: 'organization_name_taken' });
    expect(await readOrganization(id)).toMatchObject({ id, name, updatedAt: creationOf(id) });
    expect(await idOf(name)).toBe(id);
    expect(await idOf(wanted)).not.toBe(id);
  });

  it('frees what another rename of the same organization has taken just before it', async () => {
    const { id, name: first } = await make();
    const [second, third] = [newName(), newName()];
    beforeTransaction(() => rename(id, second));
    await rename(id, third);
    expect(await Promise.all([first, second, third].map(idOf))).toEqual([undefined, undefined, id]);
  });

  it('keeps the profile that was changed just before it', async () => {
    const { id } = await make();
    const name = newName();
    beforeTransaction(() =>
      changeStoredOrganization(id, (organization) => reviseOrganization(organization, { city: 'Bonn' }, new Date())),
    );
    await rename(id, name);
    expect(await readOrganization(id)).toMatchObject({ name, city: 'Bonn' });
  });

  it('shows the new spelling where only that has changed', async () => {
    const { id, name } = await make();
    await rename(id, name.toUpperCase());
    expect(await findOrganization(name)).toEqual({ id, name: name.toUpperCase() });
  });
});

describe('a first mention', () => {
  it('finds the organization that another first mention makes just before it', async () => {
    const name = newName();
    let other: unknown;
    beforeTransaction(async () => {
      other = await make(name);
    });
    expect(await ensureOrganization(` ${name}`.trim(), 'EUR')).toEqual(other);
  });

  it('finds the organization that takes the name by a rename just before it', async () => {
    const { id } = await make();
    const name = newName();
    beforeTransaction(() => rename(id, name));
    expect(await make(name)).toEqual({ id, name });
  });

  it('of twenty at the same moment makes one organization', async () => {
    const name = newName();
    const made = await Promise.all(Array.from({ length: 20 }, () => make(name)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });
});

it('a first mention that the table refuses is not tried again', async () => {
  beforeTransaction(() => Promise.reject(new Error('no table')));
  await expect(make()).rejects.toThrow('no table');
});

it('a page of organizations takes the count, its rows and its items, and no other row', async () => {
  for (let i = 0; i < 2; i++) await make();
  const cost = await costOf(() => readOrganizations({ limit: 1, offset: 0 }));
  expect([cost.calls, cost.roundTrips]).toEqual([3, 2]);
});

it('the list of organizations has the id and the status of each', async () => {
  const { id } = await make();
  const key = organizationListingKey(id);
  expect(await readItem(key)).toEqual({ ...key, id, status: 'active' });
  const stored = await readOrganization(id);
  await beginDeletion(stored, deletionOf(stored, new Date()), new Date());
  expect(await readItem(key)).toEqual({ ...key, id, status: 'deleting' });
});

describe('wherever the function dies', () => {
  useKilling();

  it('the first mention of a name leaves all of an organization or nothing', async () => {
    const run = async (death?: Death) => {
      const name = newName();
      const { writes } = await mayDie(death, () => make(name));
      const { id } = await make(name);
      expect(await readOrganization(id)).toMatchObject({ id, name, currency: 'USD' });
      return writes;
    };
    for (const death of deathsOf(await run())) await run(death);
  });
});
