import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { kindOf, lockKeys } from '#shared/data/layout/keys.ts';
import { readItems } from '#shared/data/table/batch.ts';
import type { Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls, beforeTransaction } from '#test/support/interleaving.ts';

const ORGANIZATION = '/v1/organization';
const ENTRIES = '/v1/work/tracker/entries';
const TIMER = '/v1/work/tracker/timer';
const IMPORTS = '/v1/work/tracker/imports';
const HISTORY = '/v1/work/tracker/remote/sync/history';

const LOCKED = '2026-10-31';
const OPEN = '2026-11-01';
const MILLISECONDS_PER_DAY = 86_400_000;

const refused = { status: 409, code: 'period_locked', lockedThrough: LOCKED };
const outcome = ({ status, body: { code, lockedThrough } }: Json) => ({ status, code, lockedThrough });

let ana: User;
let old: Json;
let open: Json;

beforeEach(async () => {
  ana = await given.user();
  old = await given.entry(ana, { entryDate: LOCKED, description: 'old', rate: 60 });
  open = await given.entry(ana, { entryDate: OPEN, description: 'open' });
});

const lock = (lockedThrough: string | null, by = ana) => by.patch(ORGANIZATION, { lockedThrough });
const pathOf = ({ id }: Json) => `${ENTRIES}/${id}`;
const entry = async (of: Json): Promise<Json> => (await ana.get(pathOf(of))).body.data;
const book = (entryDate: string, by = ana) => by.post(ENTRIES, { description: 'x', durationMinutes: 5, entryDate });

describe('a closed period', () => {
  const CHANGES: readonly [string, () => Promise<Json>][] = [
    ['a new entry on its last day', () => book(LOCKED)],
    ['a new entry on an earlier day', () => book('1999-12-31')],
    ['another description', () => ana.patch(pathOf(old), { description: 'new' })],
    ['a description with metadata', () => ana.patch(pathOf(old), { description: 'new', metadata: { a: 'b' } })],
    ['a move into it', () => ana.patch(pathOf(open), { entryDate: LOCKED })],
    ['a move out of it', () => ana.patch(pathOf(old), { entryDate: OPEN })],
    ['a deletion', () => ana.delete(pathOf(old))],
  ];

  it.each(CHANGES)('refuses %s from its answer on, and takes it once it is open again', async (_, send) => {
    expect(await lock(LOCKED)).toMatchObject({ status: 200, body: { data: { lockedThrough: LOCKED } } });
    const before = [await entry(old), await entry(open)];
    expect(outcome(await send())).toEqual(refused);
    expect([await entry(old), await entry(open)]).toEqual(before);
    expect((await lock('2026-10-30')).status).toBe(200);
    expect((await lock('1999-12-30')).status).toBe(200);
    expect((await send()).status).toBeLessThan(300);
  });

  it('refuses what had begun before, and arrives behind its answer', async () => {
    const isChecked = (command: object) =>
      command instanceof TransactWriteCommand &&
      (command.input.TransactItems ?? []).some(
        ({ ConditionCheck }) => kindOf(String(ConditionCheck?.Key?.pk)) === 'LOCK',
      );
    for (const send of [() => book(LOCKED), () => ana.delete(pathOf(old))]) {
      beforeCalls(isChecked, [async () => expect((await lock(LOCKED)).status).toBe(200)]);
      expect(outcome(await send())).toEqual(refused);
      vi.restoreAllMocks();
      await lock(null);
    }
  });

  it('is open in the answer to a change that it takes, as it is opened just before', async () => {
    await lock(LOCKED);
    beforeTransaction(() => lock(null));
    const { status, body } = await ana.patch(pathOf(old), { description: 'new' });
    expect({ status, isLocked: body.data.isLocked }).toEqual({ status: 200, isLocked: false });
  });

  it('takes what changes no work: metadata alone, and a change that changes nothing', async () => {
    await lock(LOCKED);
    const facts = await ana.patch(pathOf(old), { metadata: { cost: '4711' } });
    expect(facts.body.data).toMatchObject({ isLocked: true, metadata: { cost: '4711' } });
    expect(await ana.patch(pathOf(old), { description: 'old' })).toMatchObject({
      status: 200,
      body: { data: { isLocked: true } },
    });
    const both = await ana.patch(pathOf(old), { description: 'old', metadata: { cost: null } });
    expect(both.body.data).toMatchObject({ isLocked: true, metadata: {} });
    expect((await ana.patch(pathOf(old), {})).status).toBe(200);
  });

  it('shows in each entry, and in its tag', async () => {
    const tagOf = async () => (await ana.get(pathOf(old))).headers.get('etag');
    const shown = async () => (await ana.get(ENTRIES)).body.data.map(({ isLocked }: Json) => isLocked);
    const open = await tagOf();
    expect(await shown()).toEqual([false, false]);
    await lock(LOCKED);
    expect(await shown()).toEqual([false, true]);
    expect(await tagOf()).not.toBe(open);
  });

  it('is set by whoever may change the organization, and told as its change alone', async () => {
    const bea = await given.user({ organization: ana.organization, role: 'member' });
    expect((await lock(LOCKED, bea)).body.code).toBe('admin_required');
    const own = (await book(LOCKED, bea)).body.data;
    const after = await presentEnd(ana);
    await lock(LOCKED);
    expect(await happenedSince(ana, after)).toEqual([
      ['organization.updated', { type: 'organization', id: ana.organization.id }],
    ]);
    expect(outcome(await bea.delete(pathOf(own)))).toEqual(refused);
    expect((await bea.delete(pathOf(old))).body.code).toBe('not_yours');
    expect((await bea.post(ENTRIES, { ...ENTRY, userId: ana.userId, entryDate: LOCKED })).body.code).toBe('not_yours');
  });

  const ENTRY = { description: 'x', durationMinutes: 5 };

  it('ends today at the latest', async () => {
    const late = await lock(new Date(Date.now() + MILLISECONDS_PER_DAY).toISOString().slice(0, 10));
    expect([late.status, late.body.code, late.body.errors[0].path]).toEqual([
      400,
      'invalid_date_range',
      'lockedThrough',
    ]);
    expect((await lock(null)).body.data.lockedThrough).toBeNull();
  });

  it('hinders no billing, and no links that go null', async () => {
    const { id: clientId } = await given.client(ana);
    const { id: projectId } = await given.project(ana, { clientId });
    const billed = await given.entry(ana, { entryDate: LOCKED, clientId, projectId, rate: 60 });
    await lock(LOCKED);
    const draft = () =>
      given.invoice(ana, { clientId, timeEntries: { dateFrom: LOCKED, dateTo: LOCKED, groupBy: 'entry' } });
    expect((await ana.delete(`/invoices/${(await draft()).id}`)).status).toBe(200);
    const { id } = await draft();
    expect(await entry(billed)).toMatchObject({ invoiceId: id, billingStatus: 'invoiced', isLocked: true });
    expect((await ana.post(`/invoices/${id}/send`)).status).toBe(200);
    expect((await ana.post(`/invoices/${id}/credit-notes`, { reason: 'Wrong' })).status).toBe(201);
    const again = (await draft()).id;
    expect((await ana.post(`/invoices/${again}/send`)).status).toBe(200);
    expect((await ana.post(`/invoices/${again}/void`)).status).toBe(200);
    expect(await entry(billed)).toMatchObject({ invoiceId: null, billingStatus: 'unbilled' });
    expect((await ana.delete(`/v1/work/tracker/projects/${projectId}`)).status).toBe(200);
    expect(await entry(billed)).toMatchObject({ projectId: null, isLocked: true });
    expect(outcome(await ana.patch(pathOf(billed), { description: 'new' }))).toEqual(refused);
  });

  it('lies in five equal items, and nothing is left of it where it is open', async () => {
    const stored = async () => {
      const itemOf = await readItems(lockKeys(ana.organization.id));
      return lockKeys(ana.organization.id).map((key) => itemOf(key)?.lockedThrough);
    };
    await lock(LOCKED);
    expect(await stored()).toEqual(Array.from({ length: 5 }, () => LOCKED));
    await lock(null);
    expect(await stored()).toEqual(Array.from({ length: 5 }, () => undefined));
  });

  it('is closed within moments while others write, none of whom is refused for that', async () => {
    const writing = Array.from({ length: 40 }, () => book(OPEN));
    const [closed, ...booked] = await Promise.all([lock(LOCKED), ...writing]);
    expect([closed.status, ...booked.map(({ status }) => status)]).toEqual([200, ...booked.map(() => 201)]);
  });
});

describe('a timer in a closed period', () => {
  const yesterday = () => new Date(Date.now() - MILLISECONDS_PER_DAY);
  const stop = (id: string, body: Json = {}) => ana.post(`${TIMER}/${id}/stop`, body);
  let id: string;
  let closed: string;

  beforeEach(async () => {
    ({ id } = await given.timer(ana));
    closed = yesterday().toISOString().slice(0, 10);
    await lock(closed);
    const moved = await ana.patch(`${TIMER}/${id}`, { startedAt: yesterday().toISOString() });
    expect(moved.status).toBe(200);
  });

  it('runs on where its stop is refused, which says so with the session', async () => {
    const reply = await stop(id);
    expect(outcome(reply)).toEqual({ ...refused, lockedThrough: closed });
    expect(reply.body.session).toEqual((await ana.get(`${TIMER}/active`)).body.data);
    expect(reply.body.session).toMatchObject({ id, status: 'running' });
  });

  it.each<[string, () => Promise<Json>]>([
    ['stopped without an entry', () => stop(id, { createWorkEntry: false })],
    ['discarded', () => ana.post(`${TIMER}/${id}/discard`)],
    [
      'stopped after another start',
      async () => {
        await ana.patch(`${TIMER}/${id}`, { startedAt: new Date().toISOString() });
        return stop(id);
      },
    ],
  ])('can be %s', async (_, end) => {
    expect((await end()).status).toBe(200);
    expect((await ana.get(`${TIMER}/active`)).body.data).toBeNull();
    expect((await given.timer(ana)).status).toBe('running');
  });
});

describe('an import into a closed period', () => {
  const row = (date: string, externalId: string, durationMinutes = 60) => ({ date, externalId, durationMinutes });
  const ROWS = [row(LOCKED, '1'), row('2026-10-01', '2'), row(OPEN, '3'), row(OPEN, '4')];
  const send = async (rows: readonly Json[], query: Json = {}): Promise<Json> => {
    const body = { origin: 'csv', rows, updateChanged: true };
    return (await ana.send('POST', IMPORTS, { query, body })).body.data;
  };
  const history = async (): Promise<Json> => (await ana.get(HISTORY)).body.data[0];
  const minutes = async () => {
    const { data } = (await ana.get(ENTRIES, { source: 'import' })).body;
    return data.map(({ durationMinutes }: Json) => durationMinutes);
  };

  it('skips its rows, counts them, and makes them when they are sent again after it was opened', async () => {
    await lock(LOCKED);
    const rehearsed = await send(ROWS, { dryRun: true });
    expect(rehearsed.rows.map(({ isLocked }: Json) => isLocked)).toEqual([true, true, false, false]);
    const counts = { importedCount: 2, updatedCount: 0, skippedCount: 2, lockedCount: 2 };
    expect(await send(ROWS)).toMatchObject({ status: 'imported', ...counts });
    expect(await history()).toMatchObject({ ...counts, rowCountDeduped: 0, rowCountTotal: 4 });
    await lock('2026-10-01');
    expect(await send(ROWS)).toMatchObject({ importedCount: 1, skippedCount: 3, lockedCount: 1 });
    expect(await history()).toMatchObject({ rowCountDeduped: 2, lockedCount: 1 });
    await lock(null);
    expect(await send(ROWS)).toMatchObject({ importedCount: 1, skippedCount: 3, lockedCount: 0 });
  });

  it('changes none of its entries, and none moves there or from there', async () => {
    await send(ROWS);
    await lock(LOCKED);
    const changed = [row(LOCKED, '1', 90), row(OPEN, '2'), row(LOCKED, '3'), row(OPEN, '4', 90)];
    expect(await send(changed)).toMatchObject({ importedCount: 0, updatedCount: 1, skippedCount: 3, lockedCount: 3 });
    expect((await minutes()).toSorted()).toEqual([60, 60, 60, 90]);
  });

  it('counts no row that would do nothing anyway', async () => {
    await send(ROWS);
    await lock(LOCKED);
    expect(await send(ROWS)).toMatchObject({ importedCount: 0, skippedCount: 4, lockedCount: 0 });
  });

  it('is undone but for its entries there', async () => {
    const { importJobId } = await send(ROWS);
    await lock(LOCKED);
    const undo = async (query: Json) => (await ana.send('POST', `${HISTORY}/${importJobId}/undo`, { query })).body.data;
    const counts = { importJobId, removedCount: 2, keptInvoicedCount: 0, keptEditedCount: 0, keptLockedCount: 2 };
    expect(await undo({ dryRun: true })).toEqual(counts);
    expect(await undo({})).toEqual(counts);
    expect(await minutes()).toEqual([60, 60]);
  });
});
