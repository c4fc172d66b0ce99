import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import {
  connectionDueKey,
  connectionKey,
  dueConnectionPartitions,
  dueOf,
  importJobKey,
} from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { readDue } from '#shared/data/table/due.ts';
import { readItem } from '#shared/data/table/item.ts';
import { known } from '#shared/data/table/known.ts';
import { nullableTexts, texts } from '#shared/data/table/members.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import type { Item } from '#shared/data/table/query.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { type TransactItem, transact, tryTransact, type Write } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { change, EXISTS, IS_ABSENT, put, remove, update } from '#shared/data/table/writes.ts';
import {
  beginSync as begin,
  dueAfterSync,
  notConnected,
  type RemoteConnection,
  SYNC_PROBLEMS,
  type Sync,
  type SyncProblem,
  syncTimeout,
  VISIBILITIES,
  withNextSlice,
} from '#shared/domain/remote/connection.ts';
import { NO_PROGRESS, type Progress } from '#shared/domain/remote/sync-progress.ts';

/**
 * All writes but the scheduler's are transactions: the end of an import writes the connection in one, and only
 * `transact` waits for another transaction. A sync is written whole, so it is read with what this version does not know.
 */

const progress = {
  ...nullableTexts('syncedUntil', 'comparedAt'),
  hasGap: v.boolean(),
  unusableEntries: v.number(),
  reading: v.nullable(
    v.looseObject({
      at: v.string(),
      ...nullableTexts('updatedSince', 'from', 'to'),
      laterEnds: v.array(v.nullable(v.string())),
      hasGap: v.boolean(),
      unusableEntries: v.number(),
    }),
  ),
};

const stored = v.object({
  ...texts('organizationId', 'userId', 'accountId', 'accountName', 'encryptedToken', 'dueAt'),
  visibility: known(VISIBILITIES, 'own'),
  syncEnabled: v.boolean(),
  syncIntervalMinutes: v.number(),
  lastSyncAt: v.nullable(v.string()),
  lastSyncStatus: known(['idle', 'succeeded', 'failed'], 'idle'),
  lastSyncProblem: v.nullable(known(SYNC_PROBLEMS, 'sync_interrupted')),
  lastSyncEntriesImported: v.number(),
  ...progress,
  failures: v.number(),
  sync: v.nullable(
    v.looseObject({
      ...texts('jobId', 'at', 'until'),
      reached: v.looseObject(progress),
      entriesBefore: v.number(),
    }),
  ),
  version: v.number(),
});

type StoredConnection = RemoteConnection & Versioned;

export async function findConnection(organizationId: string): Promise<StoredConnection | undefined> {
  const item = await readItem(connectionKey(organizationId));
  return item && fromItem(item);
}

/** @throws Problem `not_found` */
export async function getConnection(organizationId: string): Promise<StoredConnection> {
  const connection = await findConnection(organizationId);
  if (!connection) throw notConnected();
  return connection;
}

/** The connection to another account is a new one. @throws ConditionFailed when somebody else has changed it meanwhile */
export async function saveConnection(
  before: StoredConnection | undefined,
  after: RemoteConnection,
  others: readonly Write[],
): Promise<RemoteConnection> {
  if (after === before) return after;
  const item = toItem({ ...after, version: newVersion() });
  const isOther = before?.accountId !== after.accountId;
  const replacing = () => put(item, fromItem, before ? unchangedSince(before) : IS_ABSENT);
  await transact([isOther ? replacing() : change(toItem(before), item, fromItem, unchangedSince(before)), ...others]);
  return after;
}

/** @throws Problem `not_found` */
export async function deleteConnection({ organizationId }: RemoteConnection, others: readonly Write[]): Promise<void> {
  if (!(await removeConnection(organizationId, others))) throw notConnected();
}

/** @returns whether there was one */
export function removeConnection(organizationId: string, others: readonly Write[]): Promise<boolean> {
  return tryTransact([remove(connectionKey(organizationId), EXISTS), ...others]);
}

export interface DueConnection {
  readonly organizationId: string;
  readonly dueAt: string;
}

/** The index may be a moment behind. */
export async function listDueConnections(now: Date): Promise<DueConnection[]> {
  const due = await readDue(dueConnectionPartitions, now);
  return due.map(dueOf);
}

/** Puts off when the connections are due again. @returns those that nobody else has taken or changed meanwhile */
export async function leaseConnections(due: readonly DueConnection[], now: Date): Promise<DueConnection[]> {
  const lease = randomUUID();
  const isTaken = await mapInParallel(due, (connection) => leaseConnection(connection, lease, now));
  return due.filter((_, position) => isTaken[position]);
}

async function leaseConnection({ organizationId, dueAt }: DueConnection, lease: string, now: Date): Promise<boolean> {
  try {
    await database.send(
      new UpdateCommand({
        TableName: TABLE_NAME,
        Key: connectionKey(organizationId),
        UpdateExpression: 'SET dueSk = :leased, leasedBy = :lease, version = :version',
        ConditionExpression: 'dueSk = :due AND attribute_exists(duePk)',
        ExpressionAttributeValues: {
          ':leased': connectionDueKey(organizationId, syncTimeout(now)).dueSk,
          ':due': connectionDueKey(organizationId, dueAt).dueSk,
          ':version': newVersion(),
          ':lease': lease,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return true;
  } catch (error) {
    // If the first answer was lost, the second attempt finds the connection leased: by its own lease.
    if (error instanceof ConditionalCheckFailedException) return error.Item?.leasedBy?.S === lease;
    if (error instanceof TransactionConflictException) return false;
    throw error;
  }
}

/**
 * @param failing goes with the note that an earlier sync has outlived its time
 * @returns undefined where there is nothing to do, or a running import will end the sync
 */
export async function beginSync(
  organizationId: string,
  sync: Pick<Sync, 'jobId' | 'at'>,
  clock: Date,
  failing: readonly Write[],
): Promise<SyncingConnection | undefined> {
  const read = () => findConnection(organizationId);
  return retrying(read, async (current) => {
    const begun = current && begin(current, sync, clock);
    if (!begun || (await isImporting(current, sync.jobId))) return undefined;
    await saveConnection(current, begun, begun.failures > current.failures ? failing : []);
    return begun.sync ? { ...begun, sync: begun.sync } : undefined;
  });
}

export type SyncingConnection = RemoteConnection & { readonly sync: Sync };

/** All that the sync had reached is imported. @returns whether the connection still waits for it */
export async function noteProgress(organizationId: string, jobId: string, reached: Progress): Promise<boolean> {
  const read = () => findConnection(organizationId);
  return retrying(read, async (current) => {
    if (current?.sync?.jobId !== jobId) return false;
    await saveConnection(current, withNextSlice(current, current.sync, reached), []);
    return true;
  });
}

/** Whether an earlier delivery of the message began its import already, or an overdue sync is still importing. */
async function isImporting({ organizationId, sync }: RemoteConnection, jobId: string): Promise<boolean> {
  if (!sync) return false;
  const item = await readItem(importJobKey(organizationId, sync.jobId));
  return item !== undefined && (sync.jobId === jobId || item.status === 'processing');
}

export interface SyncOutcome {
  readonly entriesImported: number;
  readonly problem: SyncProblem | null;
}

/** The condition fails if the connection was removed, has another account, or has begun another sync. */
export function syncOutcomeUpdate(
  organizationId: string,
  jobId: string,
  { entriesImported, problem }: SyncOutcome,
): TransactItem {
  const status = problem === null ? 'succeeded' : 'failed';
  const progress = PROGRESS.map((name) => `#${name} = #sync.#reached.#${name}`).join(', ');
  return update(connectionKey(organizationId), {
    UpdateExpression: `SET lastSyncAt = #sync.#at, lastSyncStatus = :status, lastSyncProblem = :problem, lastSyncEntriesImported = #sync.#entriesBefore + :imported, dueSk = #sync.#dueSk.#status, #sync = :none, version = :version, ${
      problem === null ? `${progress}, failures = :zero` : 'failures = failures + :one'
    }`,
    ConditionExpression: '#sync.#jobId = :jobId',
    ExpressionAttributeNames: {
      '#sync': 'sync',
      '#at': 'at',
      '#entriesBefore': 'entriesBefore',
      '#dueSk': 'dueSk',
      '#status': status,
      '#jobId': 'jobId',
      ...(problem === null && { '#reached': 'reached', ...namesOf(PROGRESS) }),
    },
    ExpressionAttributeValues: {
      ':status': status,
      ':problem': problem,
      ':imported': entriesImported,
      ...(problem === null ? { ':zero': 0 } : { ':one': 1 }),
      ':version': newVersion(),
      ':none': null,
      ':jobId': jobId,
    },
  });
}

const PROGRESS = Object.keys(NO_PROGRESS);

function namesOf(attributes: readonly string[]): Record<string, string> {
  return Object.fromEntries(attributes.map((name) => [`#${name}`, name]));
}

export async function endSync(
  organizationId: string,
  jobId: string,
  outcome: SyncOutcome,
  others: readonly Write[],
): Promise<void> {
  await tryTransact([syncOutcomeUpdate(organizationId, jobId, outcome), ...others]);
}

function fromItem(item: Item): StoredConnection {
  return v.parse(stored, { ...item, dueAt: dueOf(v.parse(v.string(), item.dueSk)).dueAt });
}

/** During a sync, the item holds both index places that the end of the sync may need: an update cannot compute them. */
function toItem(connection: StoredConnection) {
  const { organizationId, sync, syncEnabled } = connection;
  const { dueAt, ...attributes } = v.parse(stored, connection);
  const { duePk, dueSk } = connectionDueKey(organizationId, dueAt);
  return {
    ...connectionKey(organizationId),
    ...attributes,
    sync: sync && { ...sync, dueSk: nextDueKeys(connection, sync) },
    dueSk,
    ...(syncEnabled && { duePk }),
  };
}

function nextDueKeys(connection: RemoteConnection, sync: Sync) {
  const { succeeded, failed } = dueAfterSync(connection, sync);
  const sortKey = (dueAt: string) => connectionDueKey(connection.organizationId, dueAt).dueSk;
  return { succeeded: sortKey(succeeded), failed: sortKey(failed) };
}
