import { Problem } from '#shared/domain/problems.ts';
import { plusMinutes } from '#shared/domain/tracker/work-time.ts';
import { NO_PROGRESS, type Progress, readingOf } from './sync-progress.ts';

/** The connection to the remote time tracker, and when its scheduled sync is due. */

export const VISIBILITIES = ['all', 'team', 'own'] as const;

export type Visibility = (typeof VISIBILITIES)[number];

export const SYNC_STATUSES = ['idle', 'syncing', 'succeeded', 'failed'] as const;

/** Why a sync fails: the codes that a preview or a confirm would answer with, or that nobody has reported its end. */
export const SYNC_PROBLEMS = [
  'remote_credential_rejected',
  'remote_unavailable',
  'remote_throttled',
  'remote_timed_out',
  'too_many_remote_entries',
  'invalid_import',
  'import_failed',
  'sync_interrupted',
] as const;

export type SyncProblem = (typeof SYNC_PROBLEMS)[number];

/** What a connect found out. Connecting again replaces it. */
export interface Credential {
  readonly organizationId: string;
  /** Who connected. This user owns the entries that a scheduled sync makes. */
  readonly userId: string;
  /** The organization's default currency. */
  readonly currency: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly visibility: Visibility;
  /** Base64 of what KMS returned. */
  readonly encryptedToken: string;
}

export interface SyncSettings {
  readonly syncEnabled: boolean;
  readonly syncIntervalMinutes: number;
}

/** A sync that is under way, or a part of it: a part ends with its first import, and the next one begins soon after. */
export interface Sync {
  /** The id of the import job that it makes if there is anything to import. */
  readonly jobId: string;
  /** The tick of the clock that started it. */
  readonly at: string;
  /** A sync that has not ended by this instant counts as failed. */
  readonly until: string;
  /** The connection's progress once what is being imported is imported. */
  readonly reached: Progress;
  /** How many entries earlier parts have made. */
  readonly entriesBefore: number;
}

export interface RemoteConnection extends Credential, SyncSettings, Progress {
  /** When the last scheduled sync ran, whether it succeeded or failed. */
  readonly lastSyncAt: string | null;
  /** The outcome of the last sync that ended. */
  readonly lastSyncStatus: 'idle' | 'succeeded' | 'failed';
  /** Why the last sync failed; null where it did not. */
  readonly lastSyncProblem: SyncProblem | null;
  readonly lastSyncEntriesImported: number;
  /** How many syncs have failed since the last success. */
  readonly failures: number;
  readonly sync: Sync | null;
  /** When the scheduler takes the connection, if its sync is switched on. */
  readonly dueAt: string;
}

const DEFAULT_INTERVAL_MINUTES = 60;

/** Always in the past. */
const AT_ONCE = new Date(0).toISOString();

/**
 * The connection after a connect, whether the first or a later one. What the last sync of another account did says
 * nothing about this account.
 */
export function connect(current: RemoteConnection | undefined, credential: Credential): RemoteConnection {
  if (current?.accountId === credential.accountId) return scheduled({ ...current, ...credential, failures: 0 });
  return {
    ...credential,
    syncEnabled: current?.syncEnabled ?? false,
    syncIntervalMinutes: current?.syncIntervalMinutes ?? DEFAULT_INTERVAL_MINUTES,
    lastSyncAt: null,
    lastSyncStatus: 'idle',
    lastSyncProblem: null,
    lastSyncEntriesImported: 0,
    ...NO_PROGRESS,
    failures: 0,
    sync: null,
    dueAt: AT_ONCE,
  };
}

/** @param settings without an interval, the interval stays */
export function reviseSettings(
  connection: RemoteConnection,
  {
    syncEnabled,
    syncIntervalMinutes = connection.syncIntervalMinutes,
  }: Partial<SyncSettings> & { syncEnabled: boolean },
): RemoteConnection {
  return scheduled({ ...connection, syncEnabled, syncIntervalMinutes });
}

/** While a sync is under way, the end of that sync sets when the next one is due. */
function scheduled(connection: RemoteConnection): RemoteConnection {
  return connection.sync ? connection : { ...connection, dueAt: dueAfter(connection) };
}

const PATIENT_FAILURES = 5;
const MINUTES_PER_DAY = 1_440;

/**
 * When the next sync is due: at once if there was none before, or if it goes on with what the last one could not take at
 * once; a day later from the fifth failure in a row on.
 */
function dueAfter({
  lastSyncAt,
  failures,
  syncIntervalMinutes,
  reading,
}: Pick<RemoteConnection, 'lastSyncAt' | 'failures' | 'syncIntervalMinutes' | 'reading'>): string {
  if (lastSyncAt === null || (reading && failures === 0)) return AT_ONCE;
  return plusMinutes(lastSyncAt, failures < PATIENT_FAILURES ? syncIntervalMinutes : MINUTES_PER_DAY);
}

/**
 * How long a part of a sync may take, from the tick of the clock that starts it to the end of its import. This covers the
 * worker with all its deliveries and the import of 10,000 rows. After that it has failed.
 */
const LEASE_MINUTES = 30;

/** When a connection that is taken now is due again if nobody reports how its sync ended. */
export function leaseEnd(now: Date): string {
  return plusMinutes(now.toISOString(), LEASE_MINUTES);
}

/**
 * Begins a sync, or begins it again if its worker died. If another sync has outlived its time, that sync has
 * failed: it counts as a failure, and the next sync is due as after any failure.
 *
 * @param at the tick of the clock that asks for the sync; the message may have waited
 * @param clock
 * @returns undefined if nothing changes: the sync is switched off, was made already, or another sync is under way.
 * If another sync outlived its time and the next sync is not due yet, the connection has no sync.
 */
export function beginSync(
  connection: RemoteConnection,
  { jobId, at }: Pick<Sync, 'jobId' | 'at'>,
  clock: Date,
): RemoteConnection | undefined {
  const now = later(at, clock.toISOString());
  const isOther = connection.sync !== null && connection.sync.jobId !== jobId;
  if (!connection.syncEnabled || (isOther && now < connection.sync.until)) return undefined;
  const current = isOther ? afterDeath(connection, connection.sync) : connection;
  if (dueAfter(current) > at) return isOther ? current : undefined;
  // The scheduler has already put the sync off for as long as it may take.
  const { dueAt } = connection;
  const { syncedUntil, comparedAt, hasGap } = current;
  const reached = { syncedUntil, comparedAt, hasGap, reading: readingOf(current, at) };
  const entriesBefore = isUnfinished(current) ? current.lastSyncEntriesImported : 0;
  return { ...current, dueAt, sync: { jobId, at, until: leaseEnd(new Date(now)), reached, entriesBefore } };
}

/** Whether the last part of a sync did well, and another one is to come. */
function isUnfinished({ reading, lastSyncStatus }: RemoteConnection): boolean {
  return reading !== null && lastSyncStatus === 'succeeded';
}

/** The connection when its sync has imported what it was about to import, and is about to import the next slice. */
export function goOn(connection: RemoteConnection, sync: Sync, reached: Progress): RemoteConnection {
  return { ...connection, ...sync.reached, sync: { ...sync, reached } };
}

/** The connection after its sync died. */
function afterDeath(connection: RemoteConnection, { at, entriesBefore }: Sync): RemoteConnection {
  return scheduled({
    ...connection,
    lastSyncAt: at,
    lastSyncStatus: 'failed',
    lastSyncProblem: 'sync_interrupted',
    lastSyncEntriesImported: entriesBefore,
    failures: connection.failures + 1,
    sync: null,
  });
}

function later(one: string, other: string): string {
  return one > other ? one : other;
}

export interface NextDue {
  readonly succeeded: string;
  readonly failed: string;
}

/** When the next sync is due after the current one, for success and for failure. */
export function dueAfterSync(connection: RemoteConnection, { at: lastSyncAt, reached }: Sync): NextDue {
  const { failures, syncIntervalMinutes } = connection;
  const ended = { lastSyncAt, syncIntervalMinutes, reading: reached.reading };
  return {
    succeeded: dueAfter({ ...ended, failures: 0 }),
    failed: dueAfter({ ...ended, failures: failures + 1 }),
  };
}

/** A connection as the interface shows it. A sync that outlived its time shows as failed. */
export function presentConnection(connection: RemoteConnection, now: Date) {
  const { accountName, visibility, lastSyncAt, lastSyncEntriesImported, syncEnabled, syncIntervalMinutes } = connection;
  const lastSyncStatus = statusOf(connection, now);
  return {
    connected: true as const,
    accountName,
    visibility,
    lastSyncAt,
    lastSyncStatus,
    lastSyncProblem: problemOf(connection, lastSyncStatus),
    lastSyncEntriesImported,
    syncEnabled,
    syncIntervalMinutes,
  };
}

type SyncStatus = (typeof SYNC_STATUSES)[number];

function statusOf(connection: RemoteConnection, now: Date): SyncStatus {
  const { sync, syncEnabled, lastSyncStatus } = connection;
  if (sync) return now.toISOString() < sync.until ? 'syncing' : 'failed';
  return syncEnabled && isUnfinished(connection) ? 'syncing' : lastSyncStatus;
}

/** A day that was left out of the last comparison is a problem until the next comparison. */
function problemOf({ sync, lastSyncProblem, hasGap }: RemoteConnection, status: SyncStatus): SyncProblem | null {
  if (status === 'failed') return sync ? 'sync_interrupted' : lastSyncProblem;
  return hasGap ? 'too_many_remote_entries' : null;
}

/** What the interface shows if there is no connection. */
export const NO_CONNECTION = { connected: false } as const;

export function notConnected(): Problem {
  return new Problem('not_found', { detail: 'The organization has no connection to a remote time tracker.' });
}
