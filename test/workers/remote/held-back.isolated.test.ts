import { beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import type { RemoteEntry } from '#test/support/provider.ts';
import { questionsTo, type RemoteAccount } from '#test/support/remote-account.ts';
import { day, daysAskedOf, hoursAfter, minutesOf, syncAt, useSyncs } from '#test/support/syncs.ts';

/** Rows that a sync leaves because an invoice has their entries, until these are free. */

const own = useOwnCloud();
const synced = useSyncs();

const TRACKER = '/v1/work/tracker';
const REMOTE = `${TRACKER}/remote`;

const changedAt = (hours: number) => ({ updatedAt: hoursAfter(hours).toISOString() });

const LONG_AGO = day(-300);
/** Of the sync four hours after the start, but not of later ones, which ask for an hour more than what is new. */
const CORRECTED = changedAt(2.5);
const OLD: RemoteEntry = { id: 1, date: LONG_AGO, hours: 1, notes: 'old', ...changedAt(1) };

let by: User;
let account: RemoteAccount;
let clientId: string;

/** The client's name is that at the provider, so its work is mapped. */
beforeEach(async () => {
  ({ by, account } = await synced());
  clientId = (await given.client(by, { name: 'Globex' })).id;
});

const entries = async (): Promise<Json[]> => (await by.get(`${TRACKER}/entries`, { limit: 200 })).body.data;

const minutes = () => minutesOf(by);

const jobs = async (): Promise<Json[]> => (await by.get(`${REMOTE}/sync/history`)).body.data;

const provide = (...remote: readonly RemoteEntry[]) => account.change({ entries: remote });

const sync = (hours: number) => syncAt(own.cloud, by, hoursAfter(hours));

const daysAsked = () => daysAskedOf(account);

/** An invoice of all that can be billed. */
async function invoiced(...remote: readonly RemoteEntry[]): Promise<Json> {
  await sync(0);
  await provide(...remote);
  await sync(2);
  return bill();
}

const bill = () =>
  given.invoice(by, { clientId, timeEntries: { dateFrom: LONG_AGO, dateTo: day(1), groupBy: 'entry' } });

const send = (id: string) => by.post(`/invoices/${id}/send`);

const keep = async () => {};

const OTHER_LINES = { lineItems: [{ name: 'Hosting', price: '49.90' }] };

/** What must have happened before, and what frees the work. */
const FREEING: readonly [string, (id: string) => Promise<unknown>, (id: string) => Promise<{ status: number }>][] = [
  ['void', send, (id) => by.post(`/invoices/${id}/void`)],
  ['deletion of the draft', keep, (id) => by.delete(`/invoices/${id}`)],
  ['other lines of the draft', keep, (id) => by.patch(`/invoices/${id}`, OTHER_LINES)],
  ['a credit note', send, (id) => by.post(`/invoices/${id}/credit-notes`, { reason: 'Wrong' })],
];

describe('a correction of work that is on an invoice', () => {
  it.each(FREEING)(
    'is made by the first sync after %s, however old the day is, and billed',
    async (_, before, free) => {
      const invoice = await invoiced(OLD);
      await before(invoice.id);
      await provide({ ...OLD, hours: 2, ...CORRECTED });
      await sync(4);
      expect((await jobs())[0]).toMatchObject({ rowCountTotal: 1, updatedCount: 0, skippedCount: 1, heldBackCount: 1 });
      await sync(6);
      expect((await free(invoice.id)).status).toBeLessThan(300);
      expect(await minutes()).toEqual({ old: 60 });
      expect(await daysAsked()).toEqual([]);
      expect(await sync(8)).toMatchObject({ lastSyncStatus: 'succeeded' });
      expect(await minutes()).toEqual({ old: 120 });
      expect(await daysAsked()).toEqual([LONG_AGO]);
      expect((await jobs())[0]).toMatchObject({ updatedCount: 1, skippedCount: 0, heldBackCount: 0 });
      expect((await bill()).total).toBe('200.00');
      await sync(10);
      expect(await daysAsked()).toEqual([LONG_AGO]);
    },
  );

  it('is held back once, and makes one import, however often the provider tells of it', async () => {
    await invoiced(OLD);
    await provide({ ...OLD, hours: 2, ...changedAt(3.9) });
    await sync(4);
    await sync(5);
    expect((await jobs()).map(({ heldBackCount }) => heldBackCount)).toEqual([1, 0]);
    await provide({ ...OLD, hours: 3, ...changedAt(5.9) });
    await sync(6);
    expect((await jobs()).map(({ heldBackCount }) => heldBackCount)).toEqual([1, 1, 0]);
  });

  it('that moved the work to another day finds it there', async () => {
    const { id } = await invoiced(OLD);
    await provide({ ...OLD, date: day(-200), hours: 2, ...CORRECTED });
    await sync(4);
    await provide({ ...OLD, date: day(-100), hours: 2, ...changedAt(4.5) });
    await sync(6);
    await by.delete(`/invoices/${id}`);
    await sync(8);
    expect(await entries()).toMatchObject([{ entryDate: `${day(-100)}T00:00:00.000Z`, durationMinutes: 120 }]);
    await sync(10);
    expect(await daysAsked()).toEqual([day(-200), day(-100)]);
  });

  it.each<[string, readonly RemoteEntry[]]>([
    ['taken back', [{ ...OLD, ...changedAt(5) }]],
    ['followed by the deletion of the work', []],
  ])('changes nothing if it was %s meanwhile, and is forgotten', async (_, remote) => {
    const { id } = await invoiced(OLD);
    await provide({ ...OLD, hours: 2, ...CORRECTED });
    await sync(4);
    await provide(...remote);
    await by.delete(`/invoices/${id}`);
    await sync(8);
    await sync(10);
    expect(await minutes()).toEqual({ old: 60 });
    expect(await daysAsked()).toEqual([LONG_AGO]);
    expect(await jobs()).toHaveLength(2);
  });

  it('waits for its own account, whatever other one was connected between', async () => {
    const { id } = await invoiced(OLD);
    await provide({ ...OLD, hours: 2, ...CORRECTED });
    await sync(4);
    await by.delete(`/invoices/${id}`);
    const stranger = await given.connection(by, { entries: [{ ...OLD, hours: 5 }] });
    await sync(6);
    expect(await minutes()).toEqual({ old: 60 });
    expect((await questionsTo(stranger)).map((query) => query.get('to'))).not.toContain(LONG_AGO);
    await by.delete(REMOTE);
    const { accountId, accessToken } = account;
    await by.post(`${REMOTE}/connect`, { accountId, accessToken });
    await by.patch(`${REMOTE}/settings`, { syncEnabled: true, syncIntervalMinutes: 60 });
    await sync(8);
    expect(await minutes()).toEqual({ old: 120 });
  });

  it('brings nothing else of its day', async () => {
    const { id } = await invoiced(OLD);
    await provide({ ...OLD, hours: 2, ...CORRECTED }, { ...OLD, id: 2, notes: 'never imported', ...changedAt(-90) });
    await sync(4);
    await by.delete(`/invoices/${id}`);
    await sync(8);
    expect(await minutes()).toEqual({ old: 120 });
  });

  it('on a day that has grown too crowded keeps no sync from its work, and is made once the day fits', async () => {
    const { id } = await invoiced(OLD);
    const corrected = { ...OLD, hours: 2, ...CORRECTED };
    await provide(corrected);
    await sync(4);
    await by.delete(`/invoices/${id}`);
    const crowd = Array.from({ length: 10_000 }, (_, i) => ({ ...OLD, id: 100 + i, hours: 0, ...changedAt(-90) }));
    await provide(corrected, { id: 2, date: day(0), notes: 'new', ...changedAt(7) }, ...crowd);
    expect(await sync(8)).toMatchObject({ lastSyncStatus: 'succeeded' });
    expect(await minutes()).toEqual({ old: 60, new: 60 });
    await provide(corrected);
    await sync(10);
    expect(await minutes()).toEqual({ old: 120, new: 60 });
  });
});
