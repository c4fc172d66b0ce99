import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { readDaySums } from '#shared/data/tracker/ledger-reading.ts';
import type { Json } from '#test/support/client.ts';
import { removeUser } from '#test/support/directories.ts';
import { eventsOf, happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';

const CONFIRM = '/v1/work/tracker/remote/sync/confirm';
const IMPORTS = '/v1/work/tracker/imports';
const HISTORY = '/v1/work/tracker/remote/sync/history';
const ENTRIES = '/v1/work/tracker/entries';

const row = (values: Json = {}): Json => ({ date: '2026-11-02', durationMinutes: 30, ...values });

/** Rows come by either, and are the same from there on. */
const DOORS = [
  {
    name: 'a confirm',
    url: CONFIRM,
    own: {},
    open: async (by: User) => {
      await given.connection(by);
    },
    job: { trigger: 'confirm', origin: null },
    source: 'remote_api',
  },
  {
    name: 'rows from anywhere',
    url: IMPORTS,
    own: { origin: 'old-tracker' },
    open: async () => {},
    job: { trigger: 'rows', origin: 'old-tracker' },
    source: 'import',
  },
];

async function entriesOf(by: User): Promise<Json[]> {
  return (await by.get(ENTRIES, { limit: 200 })).body.data;
}

const historyOf = async (by: User): Promise<Json[]> => (await by.get(HISTORY)).body.data;

describe.each(DOORS)('by $name', ({ url, own, open, job, source }) => {
  const confirm = (by: User, rows: readonly Json[], values: Json = {}) => by.post(url, { ...own, rows, ...values });

  describe('an import', () => {
    let ana: User;

    beforeAll(async () => {
      ana = await given.user();
      await open(ana);
    });

    it('imports them as entries that say where they come from', async () => {
      const bea = await given.user();
      await open(bea);
      const client = await given.client(bea, { name: 'Acme Inc.' });
      const project = await given.project(bea, { clientId: client.id, rate: 80, currency: 'USD' });
      const rows = [
        row({ externalId: '1', client: 'Acme', project: 'Website', description: 'Design', durationMinutes: 90 }),
        row({ externalId: '2', client: 'Other', project: 'Shop', rate: 10.5, currency: 'eur', date: '2026-11-01' }),
        row({ externalId: '3', billable: false, description: '', date: '2026-10-31' }),
      ];
      const { status, body } = await confirm(bea, rows, {
        clientMapping: { Acme: client.id.toUpperCase(), Other: null },
        projectMapping: { Website: project.id },
      });
      expect(status).toBe(200);
      expect(body.data).toEqual({
        importJobId: expect.any(String),
        status: 'imported',
        importedCount: 3,
        updatedCount: 0,
        skippedCount: 0,
        lockedCount: 0,
      });
      const entries = await entriesOf(bea);
      expect(entries).toMatchObject([
        {
          description: 'Design',
          entryDate: '2026-11-02T00:00:00.000Z',
          clientId: client.id,
          clientLabel: 'Acme Inc.',
          projectId: project.id,
          rate: '80',
          amount: '120.00',
          source,
          userId: bea.userId,
          billingStatus: 'unbilled',
        },
        { description: 'Shop', clientId: null, clientLabel: 'Other', projectId: null, rate: '10.5', currency: 'EUR' },
        { description: 'Imported time', clientLabel: null, rate: null, amount: null, billingStatus: 'non_billable' },
      ]);
      expect(JSON.stringify(entries)).not.toContain('externalId');
      expect((await bea.get(`/v1/work/tracker/projects/${project.id}`)).body.data.totalMinutes).toBe(90);
    });

    it('skips rows that are there already, by their external id or by all that they say', async () => {
      const bea = await given.user();
      await open(bea);
      const rows = [row({ externalId: '1' }), row({ externalId: '1' }), row(), row(), row({ description: 'Other' })];
      expect((await confirm(bea, rows)).body.data).toMatchObject({ importedCount: 4, skippedCount: 1 });
      expect((await confirm(bea, rows)).body.data).toMatchObject({ importedCount: 0, skippedCount: 5 });
      expect((await confirm(bea, [...rows, row()])).body.data).toMatchObject({ importedCount: 1, skippedCount: 5 });
      expect(await entriesOf(bea)).toHaveLength(5);
      expect(await historyOf(bea)).toMatchObject([
        { status: 'imported', ...job, rowCountTotal: 6, rowCountDeduped: 5, importedCount: 1, skippedCount: 5 },
        { status: 'imported', rowCountTotal: 5, rowCountDeduped: 5, importedCount: 0, skippedCount: 5 },
        { status: 'imported', rowCountTotal: 5, rowCountDeduped: 1, importedCount: 4, skippedCount: 1 },
      ]);
    });

    it('knows rows without a currency again once the organization has another one', async () => {
      const bea = await given.user({ currency: 'USD' });
      await open(bea);
      const priced = row({ rate: 10 });
      const rows = [priced, priced, { ...priced, externalId: '1' }, { ...priced, currency: 'USD' }];
      const changed = { updateChanged: true };
      expect((await confirm(bea, rows, changed)).body.data.importedCount).toBe(4);
      expect((await bea.patch('/v1/organization', { currency: 'EUR' })).status).toBe(200);
      const again = [priced, { ...priced, currency: null }, ...rows.slice(2)];
      expect((await confirm(bea, again, changed)).body.data).toMatchObject({ updatedCount: 0, skippedCount: 4 });
      expect((await entriesOf(bea)).map(({ currency }) => currency)).toEqual(Array(4).fill('USD'));
    });

    it('imports the same rows once when they are confirmed ten times at once', async () => {
      const bea = await given.user();
      await open(bea);
      const rows = Array.from({ length: 150 }, (_, i) => row({ externalId: `${i}`, date: `2026-11-${10 + (i % 10)}` }));
      const replies = await Promise.all(Array.from({ length: 10 }, () => confirm(bea, rows)));
      expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(200));
      const sum = (member: string) => replies.reduce((total, { body }) => total + body.data[member], 0);
      expect({ imported: sum('importedCount'), skipped: sum('skippedCount') }).toEqual({
        imported: 150,
        skipped: 1_350,
      });
      const cells = await readDaySums(bea.organization.id, {});
      expect(cells.reduce((total, { entries }) => total + entries, 0)).toBe(150);
    });

    it('takes names with any Unicode, and those that objects have anyway', async () => {
      const names = [
        'constructor',
        'prototype',
        '__proto__',
        'Ünïcödé',
        '\u{1f600}',
        'ﷺ',
        '\ufffe\uffff',
        '\u202eabc\u200b',
        'a.b',
      ];
      const bea = await given.user();
      await open(bea);
      const project = await given.project(bea);
      const { status, body } = await bea.post(url, {
        ...own,
        rows: names.map((name) => row({ project: name, client: name })),
        projectMapping: Object.fromEntries(names.map((name) => [name, project.id])),
      });
      expect(status).toBe(200);
      expect(body.data.importedCount).toBe(names.length);
      const entries = await entriesOf(bea);
      expect(entries.map(({ clientLabel }) => clientLabel).sort()).toEqual([...names].sort());
      expect(entries.every(({ projectId }) => projectId === project.id)).toBe(true);
    });

    it('refuses rows and mappings that break a rule, and says which', async () => {
      const bea = await given.user();
      await open(bea);
      const other = await given.user();
      const [clientA, clientB] = [await given.client(bea), await given.client(bea)];
      const project = await given.project(bea, { clientId: clientA.id });
      const foreign = await given.project(other);
      const foreignClient = await given.client(other);
      const gone = await given.user({ organization: bea.organization });
      await removeUser(bea.organization.id, gone.userId);
      const rows = [
        row({ client: 'B', project: 'Of A' }),
        row({ client: 'B' }),
        row({ project: 'Foreign' }),
        row({ project: 'Of A', user: 'Bea' }),
        row({ user: 'Foreign' }),
        row({ user: 'Gone' }),
      ];
      const { status, body } = await confirm(bea, rows, {
        clientMapping: { B: clientB.id, Foreign: foreignClient.id },
        projectMapping: { 'Of A': project.id, Foreign: foreign.id },
        userMapping: { Bea: bea.userId, Foreign: other.userId, Gone: gone.userId },
      });
      expect(status).toBe(400);
      expect(body).toMatchObject({
        code: 'invalid_import',
        errors: [
          { path: 'clientMapping.Foreign', code: 'reference_not_found' },
          { path: 'projectMapping.Foreign', code: 'reference_not_found' },
          { path: 'userMapping.Foreign', code: 'reference_not_found' },
          { path: 'userMapping.Gone', code: 'reference_not_found' },
          { path: 'rows.0.project', code: 'client_mismatch' },
          { path: 'rows.2.project', code: 'reference_not_found' },
          { path: 'rows.4.user', code: 'reference_not_found' },
          { path: 'rows.5.user', code: 'reference_not_found' },
        ],
      });
      expect(await entriesOf(bea)).toEqual([]);
      expect(await historyOf(bea)).toMatchObject([
        {
          id: body.importJobId,
          status: 'failed',
          ...job,
          rowCountTotal: 6,
          rowCountValid: 2,
          rowCountInvalid: 4,
          importedCount: 0,
          skippedCount: 2,
        },
      ]);
    });

    it('lists the first hundred complaints', async () => {
      const client = await given.client(ana);
      const project = await given.project(ana, { clientId: (await given.client(ana)).id });
      const { body } = await confirm(ana, Array(150).fill(row({ client: 'A', project: 'P' })), {
        clientMapping: { A: client.id },
        projectMapping: { P: project.id },
      });
      expect(body.errors).toHaveLength(100);
    });

    it.each([
      ['a mapping to no id', { rows: [row()], clientMapping: { A: 'x' } }, 'clientMapping', 'mapping'],
      ['a user that is no id', { rows: [row()], userMapping: { A: 7 } }, 'userMapping', 'mapping'],
    ])('is a 422 for %s, and leaves nothing in the history', async (_, body, path, code) => {
      const before = (await historyOf(ana)).length;
      const reply = await ana.post(url, { ...own, ...body });
      expect(reply.status).toBe(422);
      expect(reply.body.errors).toContainEqual(expect.objectContaining({ path, code }));
      expect(await historyOf(ana)).toHaveLength(before);
    });

    it('reads a gzipped body that is too large as it is', async () => {
      const description = '\u{1f9ee}'.repeat(2_000);
      const rows = [...Array.from({ length: 810 }, (_, i) => row({ externalId: `${i}`, description })), {}];
      const tooLarge = await ana.post(url, { ...own, rows });
      expect(tooLarge).toMatchObject({ status: 413, body: { message: 'Request Entity Too Large' } });
      const rawBody = gzipSync(JSON.stringify({ ...own, rows }));
      const { status, body } = await ana.send('POST', url, { rawBody, headers: { 'content-encoding': 'gzip' } });
      expect([status, body.errors[0].path]).toEqual([422, 'rows.810.date']);
    });
  });

  describe('the events of an import', () => {
    it('tell its start, the entries that each part writes, and its end, once and with whoever confirmed it', async () => {
      const ana = await given.user();
      await open(ana);
      const after = await presentEnd(ana);
      const rows = Array.from({ length: 60 }, (_, i) => row({ externalId: `${i}` }));
      const headers = { 'idempotency-key': 'one import' };
      const replies = [];
      for (let i = 0; i < 2; i++) replies.push(await ana.send('POST', url, { body: { ...own, rows }, headers }));
      const { importJobId: id } = replies[0]?.body.data ?? {};
      const events = await eventsOf(ana, after);
      expect(events.map(({ type }) => type)).toEqual([
        'import.started',
        'entries.imported',
        'entries.imported',
        'import.imported',
      ]);
      const actor = { userId: ana.userId, keyId: ana.keyId, via: 'api_key' };
      for (const { data } of events) expect(data).toMatchObject({ object: { type: 'import', id }, actor });
      const ids = events.flatMap(({ data }) => data.entryIds ?? []);
      expect(ids.sort()).toEqual((await entriesOf(ana)).map((entry) => entry.id).sort());
    });

    it('name an entry that is updated, and none that is skipped', async () => {
      const ana = await given.user();
      await open(ana);
      const rows = [row({ externalId: '1' }), row({ externalId: '2', date: '2026-11-01' })];
      await confirm(ana, rows);
      const after = await presentEnd(ana);
      const updated = await confirm(ana, [{ ...rows[0], durationMinutes: 45 }, rows[1]], { updateChanged: true });
      const skipped = await confirm(ana, rows.slice(1));
      const [entry] = await entriesOf(ana);
      const events = (await eventsOf(ana, after)).map(({ type, data }) => [type, data.object.id, data.entryIds]);
      expect(events).toEqual([
        ['import.started', updated.body.data.importJobId, undefined],
        ['entries.imported', updated.body.data.importJobId, [entry?.id]],
        ['import.imported', updated.body.data.importJobId, undefined],
        ['import.started', skipped.body.data.importJobId, undefined],
        ['import.imported', skipped.body.data.importJobId, undefined],
      ]);
    });

    it('are one where it is refused and kept as failed, and none where it is not kept', async () => {
      const ana = await given.user();
      await open(ana);
      const after = await presentEnd(ana);
      await confirm(ana, []);
      const { body } = await confirm(ana, [row({ user: 'Ben' })], { userMapping: { Ben: randomUUID() } });
      expect(await happenedSince(ana, after)).toEqual([['import.failed', { type: 'import', id: body.importJobId }]]);
    });
  });

  describe('the users of confirmed rows', () => {
    it('own the entries by their mapping, and else whoever confirms; the name at the provider stays as a label', async () => {
      const ana = await given.user({ name: 'Ana' });
      const ben = await given.user({ organization: ana.organization, name: 'Ben', role: 'member' });
      await open(ana);
      const rows = [
        row({ description: 'a', user: 'Ben B.' }),
        row({ description: 'b', user: 'Nobody' }),
        row({ description: 'c', user: 'Unmapped' }),
        row({ description: 'd', user: '' }),
        row({ description: 'e' }),
      ];
      const userMapping = { 'Ben B.': ben.userId.toUpperCase(), Nobody: null, Absent: ben.userId };
      expect((await confirm(ana, rows, { userMapping })).body.data.importedCount).toBe(5);
      const users = (await entriesOf(ana)).map(({ userName, userLabel, description }) => [
        description,
        userName,
        userLabel,
      ]);
      expect(users.sort()).toEqual([
        ['a', 'Ben', 'Ben B.'],
        ['b', 'Ana', 'Nobody'],
        ['c', 'Ana', 'Unmapped'],
        ['d', 'Ana', null],
        ['e', 'Ana', null],
      ]);
      expect((await given.entry(ana)).userLabel).toBeNull();
      expect((await ana.get(ENTRIES, { userId: ben.userId })).body.meta.total).toBe(1);
      const found = (await ana.get(ENTRIES, { q: 'BEN b' })).body.data;
      expect(found.map(({ description }: Json) => description)).toEqual(['a']);
      const csv = (await ana.send('GET', ENTRIES, { query: { q: 'ben b' }, headers: { accept: 'text/csv' } })).body;
      expect(csv).toContain(',Ben,Ben B.,');
    });
  });
});

describe('a confirm', () => {
  it('is a 404 without a connection, before anything is said about the body', async () => {
    const bea = await given.user();
    expect((await bea.post(CONFIRM, { rows: [] })).status).toBe(404);
  });
});
