import { beforeEach, describe, expect, it } from 'vitest';
import { previewRemoteSync } from '#shared/contract/remote/preview-remote-sync.ts';
import { dateOf, plusDays } from '#shared/domain/tracker/work-time.ts';
import type { Json } from '#test/support/client.ts';
import { removeUser } from '#test/support/directories.ts';
import { given, type User } from '#test/support/given.ts';
import type { RemoteEntry } from '#test/support/provider.ts';

const { path } = previewRemoteSync;
const confirmPath = '/v1/work/tracker/remote/sync/confirm';
const november = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };

let ana: User;

beforeEach(async () => {
  ana = await given.user({ currency: 'EUR' });
});

async function previewed(by: User, body: object = november): Promise<Json> {
  const reply = await by.post(path, body);
  expect(reply.status).toBe(200);
  return reply.body.data;
}

/** Confirms all rows of a preview as they are. */
async function confirmAll(by: User, mappings: object = {}): Promise<void> {
  const { rows } = await previewed(by);
  expect((await by.post(confirmPath, { rows, ...mappings })).status).toBe(200);
}

describe('POST /v1/work/tracker/remote/sync/preview', () => {
  it('answers 404 without a connection, before it looks at the body', async () => {
    for (const body of [undefined, november, { dateFrom: 'yesterday' }]) {
      expect((await ana.post(path, body)).status).toBe(404);
    }
  });

  it('shows what the provider has, normalized', async () => {
    const entries: RemoteEntry[] = [
      { id: 7, date: '2026-11-20', hours: 1.025, notes: 'Kick-off', rate: 95.5, currency: 'USD' },
      { id: 8, date: '2026-11-30', notes: '', client: '', rate: null, currency: '', billable: false },
      { id: 9, date: '2026-11-01', isRunning: true },
      { id: 10, date: '2026-11-02', hours: 0 },
      { id: 11, date: '2026-12-01' },
      { id: 12, date: '2026-11-03', currency: 'GBX' },
      { id: 13, date: '2026-11-02', hours: -0.25 },
    ];
    await given.connection(ana, { entries, accessRoles: ['manager'] });
    expect(await previewed(ana)).toEqual({
      provider: 'remote_api',
      dateRange: { from: '2026-11-01', to: '2026-11-30' },
      visibility: 'team',
      totalEntries: 6,
      newEntries: 2,
      duplicateEntries: 0,
      changedEntries: 0,
      skippedEntries: 4,
      rows: [
        {
          date: '2026-11-30',
          durationMinutes: 60,
          description: 'Design',
          project: 'Website',
          client: null,
          user: 'Ada Byron',
          externalId: '8',
          billable: false,
          rate: null,
          currency: null,
          tags: ['Design'],
          status: 'new',
          heldBack: false,
          isLocked: false,
        },
        {
          date: '2026-11-20',
          durationMinutes: 62,
          description: 'Kick-off',
          project: 'Website',
          client: 'Globex',
          user: 'Ada Byron',
          externalId: '7',
          billable: true,
          rate: 95.5,
          currency: 'USD',
          tags: ['Design'],
          status: 'new',
          heldBack: false,
          isLocked: false,
        },
      ],
      clientMapping: {},
      projectMapping: {},
      userMapping: {},
      unmappedClients: ['Globex'],
      unmappedProjects: ['Website'],
      unmappedUsers: ['Ada Byron'],
      missingEntries: [],
      unusableEntries: [
        { externalId: '12', date: '2026-11-03', hours: 1, reason: 'unknown_currency' },
        { externalId: '13', date: '2026-11-02', hours: -0.25, reason: 'negative_duration' },
      ],
    });
  });

  it('is of the last thirty days without a body', async () => {
    await given.connection(ana);
    const to = dateOf(new Date());
    expect((await ana.post(path)).body.data.dateRange).toEqual({ from: plusDays(to, -30), to });
  });

  it('refuses a range that ends before it begins, without asking the provider', async () => {
    const account = await given.connection(ana);
    const before = (await account.requests()).length;
    const turned = await ana.post(path, { dateFrom: '2026-11-02', dateTo: '2026-11-01' });
    expect(turned.status).toBe(400);
    expect(turned.body).toMatchObject({ code: 'invalid_date_range', errors: [{ path: 'dateFrom' }] });
    expect((await account.requests()).length).toBe(before);
  });

  it('passes on a 503 of a provider that asks for more time than there is', async () => {
    const time_entries = [{ status: 429, headers: { 'retry-after': '600' } }];
    await given.connection(ana, { faults: { time_entries } });
    const { status, body, headers } = await ana.post(path, november);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'remote_throttled', '600']);
  });
});

describe('a row of the preview', () => {
  const one = { id: 1, notes: 'One' };
  const two = { id: 2, notes: 'Two', rate: 33.333333333333336, currency: '' };
  const three = { id: 3, notes: 'Three' };

  async function statuses(by: User): Promise<Json> {
    const { rows } = await previewed(by);
    return Object.fromEntries(rows.map(({ externalId, status }: Json) => [externalId, status]));
  }

  it('is a duplicate once it was confirmed as it was shown, and changed when the provider changes it', async () => {
    const account = await given.connection(ana, { entries: [one, two] });
    await confirmAll(ana);
    expect(await statuses(ana)).toEqual({ 1: 'duplicate', 2: 'duplicate' });
    await account.change({ entries: [one, { ...two, hours: 2 }, three] });
    expect(await statuses(ana)).toEqual({ 1: 'duplicate', 2: 'changed', 3: 'new' });
    expect(await previewed(ana)).toMatchObject({
      newEntries: 1,
      duplicateEntries: 2,
      changedEntries: 1,
      totalEntries: 3,
    });
    await account.change({ entries: [one, two] });
    expect(await statuses(ana)).toEqual({ 1: 'duplicate', 2: 'duplicate' });
  });

  it('says that it is held back, once an import has left its change because of an invoice', async () => {
    const account = await given.connection(ana, { entries: [one] });
    const client = await given.client(ana, { name: 'Globex', currency: 'USD' });
    const mappings = { clientMapping: { Globex: client.id } };
    await confirmAll(ana, mappings);
    const timeEntries = { ...november, groupBy: 'entry' };
    await given.invoice(ana, { clientId: client.id, currency: 'USD', timeEntries });
    await account.change({ entries: [{ ...one, hours: 2 }] });
    expect((await previewed(ana)).rows).toMatchObject([{ status: 'changed', heldBack: false }]);
    await confirmAll(ana, { ...mappings, updateChanged: true });
    expect((await previewed(ana)).rows).toMatchObject([{ status: 'changed', heldBack: true }]);
  });

  it('is new again when its entry was deleted, and a duplicate when that was edited or moved', async () => {
    await given.connection(ana, { entries: [one, two, three] });
    await confirmAll(ana);
    const { data } = (await ana.get('/v1/work/tracker/entries')).body;
    const idOf = (description: string) => data.find((entry: Json) => entry.description === description).id;
    expect((await ana.delete(`/v1/work/tracker/entries/${idOf('One')}`)).status).toBe(200);
    await ana.patch(`/v1/work/tracker/entries/${idOf('Two')}`, { description: 'Edited' });
    await ana.patch(`/v1/work/tracker/entries/${idOf('Three')}`, { entryDate: '2025-01-01' });
    expect(await statuses(ana)).toEqual({ 1: 'new', 2: 'duplicate', 3: 'duplicate' });
  });

  it('is reported as missing when the provider has it no more, in the range only', async () => {
    const account = await given.connection(ana, { entries: [one, two, { ...three, date: '2026-11-30' }] });
    await confirmAll(ana);
    await given.entry(ana, { entryDate: '2026-11-20' });
    await account.change({ entries: [{ ...one, isRunning: true }] });
    const { missingEntries, skippedEntries } = await previewed(ana);
    expect(skippedEntries).toBe(1);
    expect(missingEntries.map(({ externalId }: Json) => externalId).sort()).toEqual(['2', '3']);
    const part = await previewed(ana, { dateFrom: '2026-11-21', dateTo: '2026-12-31' });
    expect(part.missingEntries).toEqual([
      {
        workEntryId: expect.any(String),
        externalId: '3',
        date: '2026-11-30',
        durationMinutes: 60,
        description: 'Three',
      },
    ]);
    const [{ workEntryId }] = part.missingEntries;
    expect((await ana.get(`/v1/work/tracker/entries/${workEntryId}`)).body.data.description).toBe('Three');
  });
});

describe('the users of the preview', () => {
  const entries = [{ user: 'Ada Byron' }, { user: 'GRACE, Hopper' }, { user: 'constructor' }];

  it('are active ones with an equal name, or what was confirmed before, as long as that one is active', async () => {
    const { organization } = ana;
    const grace = await given.user({ organization, name: 'Grace Hopper' });
    const other = await given.user({ organization, name: 'Somebody else', role: 'member' });
    const gone = await given.user({ organization, name: 'Ada Byron' });
    await removeUser(organization.id, gone.userId);
    await given.connection(ana, { entries });
    const first = await previewed(ana);
    expect([first.userMapping, first.unmappedUsers.sort()]).toEqual([
      { 'GRACE, Hopper': grace.userId },
      ['Ada Byron', 'constructor'],
    ]);
    await confirmAll(ana, { userMapping: { 'Ada Byron': other.userId, 'GRACE, Hopper': null } });
    const next = await previewed(ana);
    expect([next.userMapping, next.unmappedUsers.sort()]).toEqual([
      { 'Ada Byron': other.userId },
      ['GRACE, Hopper', 'constructor'],
    ]);
    await removeUser(organization.id, other.userId);
    expect((await previewed(ana)).userMapping).toEqual({});
  });
});

describe('a preview of very much', () => {
  const days = Array.from({ length: 30 }, (_, day) => `2026-11-${String(day + 1).padStart(2, '0')}`);
  const entry = (id: number): RemoteEntry => ({ id, date: days[id % 30], notes: `Work on ticket ${id}` });
  const many = Array.from({ length: 10_000 }, (_, id) => entry(id + 1));

  it('has 10,000 entries, packed or not, and refuses one more', async () => {
    const account = await given.connection(ana, { entries: many });
    expect((await previewed(ana)).rows).toHaveLength(10_000);
    const plain = await ana.send('POST', path, { body: november, headers: { 'accept-encoding': 'identity' } });
    expect(plain.status).toBe(200);
    expect(plain.body.data.newEntries).toBe(10_000);

    await account.change({ entries: [...many, entry(10_001)] });
    const reply = await ana.post(path, november);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'too_many_remote_entries', errors: [{ path: 'dateFrom' }] });
    expect(reply.body.detail).toContain('narrower');
  });
});
