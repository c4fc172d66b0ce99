import { createHash } from 'node:crypto';
import { marshall } from '@aws-sdk/util-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Interception, ObservedCall } from '#scripts/local/aws-endpoint.ts';
import { connectionDueKey, connectionKey } from '#shared/data/layout/keys.ts';
import { deleteConnection, findConnection, getConnection, listDueConnections } from '#shared/data/remote/connection.ts';
import { readItem } from '#shared/data/table/item.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { type RemoteConnection, reviseSettings } from '#shared/domain/remote/connection.ts';
import { type SyncMessage, syncMessage } from '#shared/queue/sync-message.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';
import { changeStoredConnection } from '#test/support/stored.ts';
import { saveCredential } from '#test/support/syncs.ts';
import { putItems } from '#test/support/table-scan.ts';

const own = useOwnCloud();

const NOW = new Date('2026-11-21T10:00:00.000Z');
const minutesAfter = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

const batch = v.object({ Entries: v.array(v.object({ Id: v.string(), MessageBody: v.string() })) });

/** A queue that only keeps what the scheduler sends; the ids in `refused` it does not take. */
let queued: SyncMessage[];
let refused: readonly string[];
/** How many calls of the scheduler still get through before it is dead. */
let callsLeft: number;
let connected: RemoteConnection[];
let endInterception: () => void;

beforeEach(() => {
  [queued, refused, connected] = [[], [], []];
  callsLeft = Number.POSITIVE_INFINITY;
  endInterception = own.cloud.intercept((call): Interception => {
    if (!isOf(call, 'sync-scheduler')) return undefined;
    callsLeft -= 1;
    if (callsLeft < 0) return 'drop';
    if (call.service !== 'sqs') return undefined;
    const { Entries } = v.parse(batch, JSON.parse(call.requestBody));
    const taken = Entries.filter(({ Id }) => !refused.includes(Id));
    queued.push(...taken.map(({ MessageBody }) => v.parse(syncMessage, JSON.parse(MessageBody))));
    const Successful = taken.map(({ Id, MessageBody }) => ({ Id, MessageId: Id, MD5OfMessageBody: md5(MessageBody) }));
    const Failed = refused.map((Id) => ({ Id, Code: 'InternalError', SenderFault: false }));
    return { status: 200, body: JSON.stringify({ Successful, Failed }) };
  });
});

afterEach(async () => {
  endInterception();
  await mapInParallel(connected, (each) => deleteConnection(each, []));
});

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** A connection of an organization of its own, whose sync is switched on. */
async function connection(settings: { syncEnabled: boolean } = { syncEnabled: true }): Promise<RemoteConnection> {
  const organizationId = uuidV7();
  await saveCredential({ organizationId, userId: uuidV7() });
  const stored = await getConnection(organizationId);
  const made = await changeStoredConnection(stored, (current) => reviseSettings(current, settings));
  connected.push(made);
  return made;
}

/** Many more like one that there is. @returns the organizations of all */
async function copies(
  { organizationId, dueAt }: RemoteConnection,
  count: number,
): Promise<{ organizationId: string }[]> {
  const item = await readItem(connectionKey(organizationId));
  const made = Array.from({ length: count }, () => ({ organizationId: uuidV7() }));
  await putItems(
    made.map(({ organizationId: id }) => {
      return { ...item, ...connectionKey(id), ...connectionDueKey(id, dueAt), organizationId: id };
    }),
  );
  return [{ organizationId }, ...made];
}

const connections = (count: number) => mapInParallel(Array(count).fill(undefined), () => connection());

/** @returns whether the run succeeded */
async function run(time: Date): Promise<boolean> {
  const { functionError } = await own.cloud.invoke('sync-scheduler', { time: time.toISOString() });
  return functionError === undefined;
}

async function switchOff({ organizationId }: RemoteConnection): Promise<void> {
  const stored = await getConnection(organizationId);
  await changeStoredConnection(stored, (current) => reviseSettings(current, { syncEnabled: false }));
}

async function remove(made: RemoteConnection): Promise<void> {
  await deleteConnection(made, []);
  connected.splice(connected.indexOf(made), 1);
}

/** Lets the index show the scheduler what it shows now, until the test is over. */
async function stopIndex(): Promise<void> {
  const due = await listDueConnections(NOW);
  const rows = due.map(({ organizationId, dueAt }) => connectionDueKey(organizationId, dueAt));
  const end = own.cloud.intercept((call) => {
    if (!isOf(call, 'sync-scheduler') || call.operation !== 'Query') return undefined;
    const Items = rows.filter(({ duePk }) => call.requestBody.includes(`"${duePk}"`)).map((row) => marshall(row));
    return { status: 200, body: JSON.stringify({ Items, Count: Items.length, ScannedCount: Items.length }) };
  });
  onTestFinished(end);
}

const organizations = (of: readonly { organizationId: string }[]) =>
  of.map(({ organizationId }) => organizationId).toSorted();

describe('the sync scheduler', () => {
  it('queues what is due, once, and again when nobody has said for half an hour how it has ended', async () => {
    const due = await connections(3);
    expect(await run(NOW)).toBe(true);
    expect(organizations(queued)).toEqual(organizations(due));
    expect(new Set(queued.map(({ jobId }) => jobId)).size).toBe(3);
    expect(queued.map(({ at }) => at)).toEqual(Array(3).fill(NOW.toISOString()));
    for (const minutes of [0, 5, 29]) await run(minutesAfter(minutes));
    expect(queued).toHaveLength(3);
    await run(minutesAfter(30));
    expect(queued).toHaveLength(6);
  });

  it('leaves alone what is switched off, was switched off again, or is gone', async () => {
    await connection({ syncEnabled: false });
    await switchOff(await connection());
    await remove(await connection());
    await run(NOW);
    expect(queued).toEqual([]);
  });

  it('leaves alone what a late index still shows as due, though it was taken, switched off, or is gone', async () => {
    const [taken, off, gone] = [await connection(), await connection(), await connection()];
    await stopIndex();
    await switchOff(off);
    await remove(gone);
    expect([await run(NOW), await run(minutesAfter(5))]).toEqual([true, true]);
    expect(organizations(queued)).toEqual([taken.organizationId]);
    expect(await findConnection(off.organizationId)).toMatchObject({ syncEnabled: false });
    expect(await findConnection(gone.organizationId)).toBeUndefined();
  });

  it('takes what was switched on a moment ago, though the clock of events has whole seconds', async () => {
    const { organizationId } = await connection();
    await own.cloud.fireSchedule('sync-scheduler', new Date());
    expect(organizations(queued)).toEqual([organizationId]);
  });

  it('fails where the queue does not take all, and queues the rest when its lease has ended', async () => {
    await connections(12);
    refused = ['1', '7'];
    expect(await run(NOW)).toBe(false);
    const missing = 12 - queued.length;
    expect(missing).toBeGreaterThanOrEqual(2);
    refused = [];
    await run(minutesAfter(29));
    expect(queued).toHaveLength(12 - missing);
    await run(minutesAfter(30));
    expect(new Set(organizations(queued)).size).toBe(12);
  });

  it('loses no connection wherever it dies', async () => {
    const due = await connections(15);
    for (const [round, life] of [1, 8, 12, 20, 24].entries()) {
      queued = [];
      callsLeft = life;
      const time = minutesAfter(round * 60);
      expect(await run(time)).toBe(false);
      callsLeft = Number.POSITIVE_INFINITY;
      await run(new Date(time.getTime() + 60_000));
      await run(new Date(time.getTime() + 30 * 60_000));
      expect(new Set(organizations(queued))).toEqual(new Set(organizations(due)));
    }
  });

  it('queues a connection whose lease was answered to nobody, so that the SDK asked for it again', async () => {
    const { organizationId } = await connection();
    const end = own.cloud.intercept((call) => {
      if (!isOf(call, 'sync-scheduler') || call.operation !== 'UpdateItem') return undefined;
      end();
      return 'dropAnswer';
    });
    expect(await run(NOW)).toBe(true);
    expect(queued).toEqual([expect.objectContaining({ organizationId })]);
  });

  it('queues a thousand due connections in one run, each once though two run at once, and scans nothing', {
    timeout: 60_000,
  }, async () => {
    const due = await copies(await connection(), 999);
    const calls: ObservedCall[] = [];
    const end = own.cloud.observe((call) => {
      if (isOf(call, 'sync-scheduler')) calls.push(call);
    });
    expect(await Promise.all([run(NOW), run(NOW)])).toEqual([true, true]);
    end();
    expect(organizations(queued)).toEqual(organizations(due));
    const count = (operation: string) => calls.filter((call) => call.operation === operation).length;
    // A function that has just been started asks for the layout of the table with GetItem.
    const operations = calls.map(({ operation }) => operation).filter((operation) => operation !== 'GetItem');
    expect(new Set(operations)).toEqual(new Set(['Query', 'UpdateItem', 'SendMessageBatch']));
    expect(count('Query')).toBe(16);
    expect(count('UpdateItem')).toBeLessThanOrEqual(2_000);
    expect(count('SendMessageBatch')).toBeLessThanOrEqual(200);
  });
});
