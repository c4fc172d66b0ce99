import { describe, expect, it } from 'vitest';
import { importRows } from '#shared/contract/remote/import-rows.ts';
import { readHeldBack } from '#shared/data/remote/held-back.ts';
import { accountOf } from '#shared/domain/remote/row.ts';
import type { Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

/** What a confirm does as well is in `confirm-remote-sync.test.ts`, for both. */

const IMPORTS = '/v1/work/tracker/imports';
const CONFIRM = '/v1/work/tracker/remote/sync/confirm';
const HISTORY = '/v1/work/tracker/remote/sync/history';
const ENTRIES = '/v1/work/tracker/entries';

const row = (values: Json = {}): Json => ({ date: '2026-11-02', durationMinutes: 30, ...values });

const importBy = (by: User, rows: readonly Json[], values: Json = {}) =>
  by.post(IMPORTS, { origin: 'old-tracker', rows, ...values });

const dryRun = (by: User, rows: readonly Json[], values: Json = {}) =>
  by.send('POST', IMPORTS, { query: { dryRun: true }, body: { origin: 'old-tracker', rows, ...values } });

const historyOf = async (by: User): Promise<Json[]> => (await by.get(HISTORY)).body.data;

const countOf = async (by: User, query: Json = {}): Promise<number> => (await by.get(ENTRIES, query)).body.meta.total;

describe('rows from anywhere', () => {
  it('never meet those of the provider, of another origin or of another organization', async () => {
    const [ana, eve] = [await given.user(), await given.user()];
    await given.connection(ana);
    const rows = [row({ externalId: '1' }), row()];
    const sent = [
      await ana.post(CONFIRM, { rows }),
      await importBy(ana, rows),
      await importBy(ana, rows, { origin: 'other' }),
      await importBy(eve, rows),
    ];
    expect(sent.map(({ body }) => body.data.importedCount)).toEqual([2, 2, 2, 2]);
    expect(await countOf(ana)).toBe(6);
    expect(await countOf(ana, { source: 'import' })).toBe(4);
    expect(await countOf(ana, { source: 'remote_api' })).toBe(2);
    const range = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };
    const { missingEntries } = (await ana.post('/v1/work/tracker/remote/sync/preview', range)).body.data;
    expect(missingEntries).toHaveLength(1);
  });

  it('wait for nobody where an invoice has the entry: they are counted, and update it when they are sent again', async () => {
    const ana = await given.user();
    const { id: clientId } = await given.client(ana);
    const mapping = { clientMapping: { Acme: clientId }, updateChanged: true };
    const work = (durationMinutes: number) => row({ externalId: '1', client: 'Acme', rate: 60, durationMinutes });
    await importBy(ana, [work(30)], mapping);
    const timeEntries = { dateFrom: '2026-11-01', dateTo: '2026-11-30', groupBy: 'entry' };
    const { id: invoiceId } = await given.invoice(ana, { clientId, lineItems: undefined, timeEntries });
    expect((await importBy(ana, [work(45)], mapping)).body.data).toMatchObject({ updatedCount: 0, skippedCount: 1 });
    expect((await historyOf(ana))[0]).toMatchObject({ heldBackCount: 1 });
    const source = { organizationId: ana.organization.id, accountId: accountOf('old-tracker') };
    expect(await readHeldBack(source)).toEqual([]);
    expect((await ana.delete(`/invoices/${invoiceId}`)).status).toBe(200);
    expect((await importBy(ana, [work(45)], mapping)).body.data).toMatchObject({ updatedCount: 1 });
  });

  it.each([
    ['is empty', ''],
    ['has capitals', 'Toggl'],
    ['has a space', 'old tracker'],
    ['ends with a line', 'toggl\n'],
    ['has 51 characters', 'a'.repeat(51)],
  ])('are refused with an origin that %s', (_, origin) => {
    expectBodyRefused(importRows, { origin, rows: [row()] }, 'origin', 'regex');
  });
});

describe('a dry run', () => {
  it('says which rows are new, known, changed, or twice in the request, as the import then counts them', async () => {
    const ana = await given.user();
    await importBy(ana, [row({ externalId: '1' }), row({ externalId: '2' }), row()]);
    const rows = [
      row({ externalId: '1' }),
      row({ externalId: '2', durationMinutes: 45 }),
      row(),
      row(),
      row({ externalId: '3' }),
      row({ externalId: '3', durationMinutes: 60 }),
    ];
    const after = await presentEnd(ana);
    const { status, body } = await dryRun(ana, rows);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ totalRows: 6, newRows: 2, duplicateRows: 4, changedRows: 1 });
    const statuses = body.data.rows.map((each: Json) => each.status);
    expect(statuses).toEqual(['duplicate', 'changed', 'duplicate', 'new', 'new', 'duplicate']);
    expect(body.data.rows[1]).toEqual({
      ...{ date: '2026-11-02', durationMinutes: 45, description: 'Imported time', project: null, client: null },
      ...{ user: null, externalId: '2', billable: true, rate: null, currency: null, tags: [], status: 'changed' },
      isLocked: false,
    });
    expect(await happenedSince(ana, after)).toEqual([]);
    expect(await historyOf(ana)).toHaveLength(1);
    const imported = (await importBy(ana, rows, { updateChanged: true })).body.data;
    expect(imported).toMatchObject({ importedCount: 2, updatedCount: 1, skippedCount: 3 });
    const { data } = (await ana.get(ENTRIES)).body;
    expect(data.map((entry: Json) => entry.durationMinutes).sort()).toEqual([30, 30, 30, 30, 45]);
  });

  it('says what names stand for: as the request says, as an import of the origin said before, or as they are called', async () => {
    const ana = await given.user({ name: 'Ana' });
    const [acme, globex, initech] = await Promise.all(
      ['Acme', 'Globex', 'Initech'].map((name) => given.client(ana, { name })),
    );
    const rows = ['ACME', 'Global', 'Umbrella'].map((client) => row({ client, project: 'Site', user: 'ana' }));
    const first = (await dryRun(ana, rows)).body.data;
    expect(first).toMatchObject({
      clientMapping: { ACME: acme?.id },
      projectMapping: {},
      userMapping: { ana: ana.userId },
      unmappedClients: ['Global', 'Umbrella'],
      unmappedProjects: ['Site'],
      unmappedUsers: [],
    });
    const given1 = { clientMapping: { Global: globex?.id, Umbrella: null } };
    expect((await dryRun(ana, rows, given1)).body.data).toMatchObject({
      clientMapping: { ACME: acme?.id, Global: globex?.id },
      unmappedClients: ['Umbrella'],
    });
    expect((await dryRun(ana, rows)).body.data.clientMapping).toEqual({ ACME: acme?.id });
    await importBy(ana, rows, { clientMapping: { Global: globex?.id, ACME: initech?.id } });
    const remembered = { ACME: initech?.id, Global: globex?.id };
    expect((await dryRun(ana, rows)).body.data.clientMapping).toEqual(remembered);
    expect((await dryRun(ana, rows, { origin: 'other' })).body.data.clientMapping).toEqual({ ACME: acme?.id });
  });

  it('refuses what the import would, and keeps nothing of it', async () => {
    const ana = await given.user();
    const foreign = await given.project(await given.user());
    const mapping = { projectMapping: { Foreign: foreign.id } };
    const rows = [row()];
    const after = await presentEnd(ana);
    const tried = await dryRun(ana, rows, mapping);
    const detail = 'Nothing would be imported.';
    expect(tried).toMatchObject({ status: 400, body: { code: 'invalid_import', importJobId: null, detail } });
    expect(tried.body.errors).toMatchObject([{ path: 'projectMapping.Foreign' }]);
    expect(await historyOf(ana)).toEqual([]);
    expect(await happenedSince(ana, after)).toEqual([]);
    const refused = await importBy(ana, rows, mapping);
    expect(refused.body).toMatchObject({
      errors: tried.body.errors,
      detail: 'Nothing was imported. The history has the import as failed.',
    });
    expect(await historyOf(ana)).toMatchObject([{ id: refused.body.importJobId, status: 'failed' }]);
  });
});
