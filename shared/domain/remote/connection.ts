import { Problem } from '#shared/domain/problems.ts';
import { plusMinutes } from '#shared/domain/tracker/work-time.ts';
import { NO_PROGRESS, type Progress, readingOf } from './sync-progress.ts';

export const VISIBILITIES = ['all', 'team', 'own'] as const;

export type Visibility = (typeof VISIBILITIES)[number];

export const SYNC_STATUSES = ['idle', 'syncing', 'succeeded', 'failed'] as const;

/** The codes of a failed preview or confirm, and `sync_interrupted` if no end was reported. */
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

/** A provider limits each account by itself, so a throttle is not its failure. */
const OF_PROVIDER: readonly SyncProblem[] = ['remote_unavailable', 'remote_timed_out'];

/** Whether the provider fails, and not just this organization's account with it. */
export const isOfProvider = (problem: SyncProblem): boolean => OF_PROVIDER.includes(problem);

export interface Credential {
  readonly organizationId: string;
  /** Owns the entries of scheduled syncs whose users are not known, while active. */
  readonly userId: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly visibility: Visibility;
  /** The KMS ciphertext, in Base64. */
  readonly encryptedToken: string;
}

export interface SyncSettings {
  readonly syncEnabled: boolean;
  readonly syncIntervalMinutes: number;
}

/** One part of a sync: it ends with its first import, and the next part begins soon after. */
export interface Sync {
  /** The id of its import job, if there is anything to import. */
  readonly jobId: string;
  /** The scheduled time that started it. */
  readonly at: string;
  /** From this instant on it counts as failed. */
  readonly until: string;
  /** The progress once the present import is done. */
  readonly reached: Progress;
  /** Entries made by earlier parts. */
  readonly entriesBefore: number;
}

export interface RemoteConnection extends Credential, SyncSettings, Progress {
  readonly lastSyncAt: string | null;
  readonly lastSyncStatus: 'idle' | 'succeeded' | 'failed';
  readonly lastSyncProblem: SyncProblem | null;
  readonly lastSyncEntriesImported: number;
  /** Consecutive failures. */
  readonly failures: number;
  readonly sync: Sync | null;
  readonly dueAt: string;
}

const DEFAULT_INTERVAL_MINUTES = 60;

const AT_ONCE = new Date(0).toISOString();

/** The sync results of another account say nothing about this one. */
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

/** @param settings without an interval, it stays @returns the connection itself where nothing differs */
export function reviseSettings(
  connection: RemoteConnection,
  {
    syncEnabled,
    syncIntervalMinutes = connection.syncIntervalMinutes,
  }: Partial<SyncSettings> & { syncEnabled: boolean },
): RemoteConnection {
  const { syncEnabled: wasEnabled, syncIntervalMinutes: interval } = connection;
  if (syncEnabled === wasEnabled && syncIntervalMinutes === interval) return connection;
  return scheduled({ ...connection, syncEnabled, syncIntervalMinutes });
}

function scheduled(connection: RemoteConnection): RemoteConnection {
  return connection.sync ? connection : { ...connection, dueAt: dueAfter(connection) };
}

const PATIENT_FAILURES = 5;
const MINUTES_PER_DAY = 1_440;

/** At once for the first sync and for the rest of an unfinished one; a day later from the fifth failure in a row on. */
function dueAfter({
  lastSyncAt,
  failures,
  syncIntervalMinutes,
  reading,
}: Pick<RemoteConnection, 'lastSyncAt' | 'failures' | 'syncIntervalMinutes' | 'reading'>): string {
  if (lastSyncAt === null || (reading && failures === 0)) return AT_ONCE;
  return plusMinutes(lastSyncAt, failures < PATIENT_FAILURES ? syncIntervalMinutes : MINUTES_PER_DAY);
}

/** Covers the worker with all its deliveries, and the import of 10,000 rows. */
const SYNC_TIMEOUT_MINUTES = 30;

/** When a sync that starts now has failed if nobody reports its end. */
export function syncTimeout(now: Date): string {
  return plusMinutes(now.toISOString(), SYNC_TIMEOUT_MINUTES);
}

/** @returns undefined if nothing changes; without a `sync` if another has just failed and the next is not due */
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
  const { dueAt } = connection;
  const { syncedUntil, comparedAt, hasGap } = current;
  const entriesBefore = isUnfinished(current) ? current.lastSyncEntriesImported : 0;
  const isNew = !isUnfinished(current) && connection.sync?.jobId !== jobId;
  const unusableEntries = isNew ? 0 : current.unusableEntries;
  const reached = { syncedUntil, comparedAt, hasGap, unusableEntries, reading: readingOf(current, at) };
  const sync = { jobId, at, until: syncTimeout(new Date(now)), reached, entriesBefore };
  return { ...current, unusableEntries, dueAt, sync };
}

function isUnfinished({ reading, lastSyncStatus }: RemoteConnection): boolean {
  return reading !== null && lastSyncStatus === 'succeeded';
}

/** Whether a sync begins, perhaps after one that failed, and not only the next part of one. */
export function isBeginning({ lastSyncStatus }: RemoteConnection, { at, reached }: Sync): boolean {
  return lastSyncStatus !== 'succeeded' || reached.reading?.at === at;
}

export function withNextSlice(connection: RemoteConnection, sync: Sync, reached: Progress): RemoteConnection {
  return { ...connection, ...sync.reached, sync: { ...sync, reached } };
}

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

export function dueAfterSync(connection: RemoteConnection, { at: lastSyncAt, reached }: Sync): NextDue {
  const { failures, syncIntervalMinutes } = connection;
  const ended = { lastSyncAt, syncIntervalMinutes, reading: reached.reading };
  return {
    succeeded: dueAfter({ ...ended, failures: 0 }),
    failed: dueAfter({ ...ended, failures: failures + 1 }),
  };
}

/** A sync that outlived its time shows as failed. */
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
    lastSyncUnusableEntries: connection.unusableEntries,
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

/** A day left out of the last comparison stays a problem until the next. */
function problemOf({ sync, lastSyncProblem, hasGap }: RemoteConnection, status: SyncStatus): SyncProblem | null {
  if (status === 'failed') return sync ? 'sync_interrupted' : lastSyncProblem;
  return hasGap ? 'too_many_remote_entries' : null;
}

export const NO_CONNECTION = { connected: false } as const;

export function notConnected(): Problem {
  return new Problem('not_found', { detail: 'The organization has no connection to a remote time tracker.' });
}
