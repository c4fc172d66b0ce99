import { Problem } from '#shared/domain/problems.ts';
import { dateOf, plusMinutes } from '#shared/domain/tracker/work-time.ts';

/** The connection to the remote time tracker, and when its scheduled sync is due (decisions, sections 7 and 9). */

export const VISIBILITIES = ['all', 'team', 'own'] as const;

export type Visibility = (typeof VISIBILITIES)[number];

export const SYNC_STATUSES = ['idle', 'syncing', 'succeeded', 'failed'] as const;

/** What a connect has found out; connecting again replaces it. */
export interface Credential {
  readonly organizationId: string;
  /** Who connected: owner of the entries that a scheduled sync makes. */
  readonly userId: string;
  /** The organization's default. */
  readonly currency: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly visibility: Visibility;
  /** Base64, as KMS has made it. */
  readonly encryptedToken: string;
}

export interface SyncSettings {
  readonly syncEnabled: boolean;
  readonly syncIntervalMinutes: number;
}

/** A sync that is under way. */
export interface Sync {
  /** Of the import job that it will make, if there is anything to import. */
  readonly jobId: string;
  /** The tick of the clock that has started it. */
  readonly at: string;
  /** Whoever has not ended by then has died. */
  readonly until: string;
  /** The connection's, once it has succeeded. */
  readonly comparedAt: string | null;
}

export interface RemoteConnection extends Credential, SyncSettings {
  /** When the last scheduled sync ran, whatever came of it. */
  readonly lastSyncAt: string | null;
  /** Of the last sync that has ended. */
  readonly lastSyncStatus: 'idle' | 'succeeded' | 'failed';
  readonly lastSyncEntriesImported: number;
  /** When the last sync that succeeded ran: until then everything is here. */
  readonly syncedUntil: string | null;
  /** When a sync has last compared all work of the last months; null: never. */
  readonly comparedAt: string | null;
  /** Syncs that failed since one succeeded. */
  readonly failures: number;
  readonly sync: Sync | null;
  /** When the scheduler takes it, where its sync is switched on. */
  readonly dueAt: string;
}

const DEFAULT_INTERVAL_MINUTES = 60;

/** Always in the past. */
const AT_ONCE = new Date(0).toISOString();

/** A connection as a connect leaves it, the first as any later one. What the last sync of another account did says nothing about this one. */
export function connect(current: RemoteConnection | undefined, credential: Credential): RemoteConnection {
  if (current?.accountId === credential.accountId) return scheduled({ ...current, ...credential, failures: 0 });
  return {
    ...credential,
    syncEnabled: current?.syncEnabled ?? false,
    syncIntervalMinutes: current?.syncIntervalMinutes ?? DEFAULT_INTERVAL_MINUTES,
    lastSyncAt: null,
    lastSyncStatus: 'idle',
    lastSyncEntriesImported: 0,
    syncedUntil: null,
    comparedAt: null,
    failures: 0,
    sync: null,
    dueAt: AT_ONCE,
  };
}

/** @param settings the interval stays where none is given */
export function reviseSettings(
  connection: RemoteConnection,
  {
    syncEnabled,
    syncIntervalMinutes = connection.syncIntervalMinutes,
  }: Partial<SyncSettings> & { syncEnabled: boolean },
): RemoteConnection {
  return scheduled({ ...connection, syncEnabled, syncIntervalMinutes });
}

/** While a sync is under way, its end says when the next is due. */
function scheduled(connection: RemoteConnection): RemoteConnection {
  return connection.sync ? connection : { ...connection, dueAt: dueAfter(connection) };
}

const PATIENT_FAILURES = 5;
const MINUTES_PER_DAY = 1_440;

/** When the next sync is due: at once if there was none, from the fifth failure in a row on after a day. */
function dueAfter({
  lastSyncAt,
  failures,
  syncIntervalMinutes,
}: Pick<RemoteConnection, 'lastSyncAt' | 'failures' | 'syncIntervalMinutes'>): string {
  if (lastSyncAt === null) return AT_ONCE;
  return plusMinutes(lastSyncAt, failures < PATIENT_FAILURES ? syncIntervalMinutes : MINUTES_PER_DAY);
}

/**
 * How long a sync, from the tick of the clock that starts it to the end of its import, may take: the worker with all its deliveries, and the
 * import of 10,000 rows. After it the sync has failed.
 */
const LEASE_MINUTES = 30;

/** When a connection that is taken now is due again, if nobody says how its sync has ended. */
export function leaseEnd(now: Date): string {
  return plusMinutes(now.toISOString(), LEASE_MINUTES);
}

/**
 * Begins a sync, or begins it again where the worker that had begun it has died. Another sync that has not ended in its time has failed: it
 * counts as a failure, and the next is due as after one.
 *
 * @param at the tick of the clock that asks for it; the message may have waited
 * @param clock
 * @returns undefined where there is nothing to change: the sync is switched off, has been made already, or another one is under way; without
 * a sync where one has failed that way and the next is not due
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
  // The scheduler has put it off already, for as long as the sync may take.
  const { dueAt } = connection;
  return {
    ...current,
    dueAt,
    sync: { jobId, at, until: leaseEnd(new Date(now)), comparedAt: comparedAfter(current, at) },
  };
}

/** A connection whose sync has died. */
function afterDeath(connection: RemoteConnection, { at }: Sync): RemoteConnection {
  return scheduled({
    ...connection,
    lastSyncAt: at,
    lastSyncStatus: 'failed',
    lastSyncEntriesImported: 0,
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

/** When the next sync is due once the one under way has ended so or so. */
export function dueAfterSync(connection: RemoteConnection, { at: lastSyncAt }: Sync): NextDue {
  const { failures, syncIntervalMinutes } = connection;
  return {
    succeeded: dueAfter({ lastSyncAt, failures: 0, syncIntervalMinutes }),
    failed: dueAfter({ lastSyncAt, failures: failures + 1, syncIntervalMinutes }),
  };
}

/** What the provider is asked for: the work of dates, both inclusive, or what was changed since an instant, whatever its date. */
export type RemoteQuestion = { readonly from: string; readonly to: string } | { readonly updatedSince: string };

type SyncQuestions = readonly [question: RemoteQuestion, comparison?: RemoteQuestion];

const OVERLAP_MINUTES = 60;
const FIRST_WINDOW_DAYS = 30;
const COMPARED_DAYS = 90;
const DAYS_BETWEEN_COMPARISONS = 7;

/**
 * What a sync asks. The first one reads the last days by their dates. Any other asks for what has changed since the last good one, so that work
 * which was booked late or mended later arrives; and once a week it compares the last months, for what such a question may have missed.
 */
export function syncQuestions({ syncedUntil, comparedAt }: SyncedSince, at: string): SyncQuestions {
  if (syncedUntil === null) return [lastDays(FIRST_WINDOW_DAYS, at)];
  const changed = { updatedSince: plusMinutes(syncedUntil, -OVERLAP_MINUTES) };
  return isToCompare(comparedAt, at) ? [changed, lastDays(COMPARED_DAYS, at)] : [changed];
}

type SyncedSince = Pick<RemoteConnection, 'syncedUntil' | 'comparedAt'>;

/** When the last comparison will have been, once a sync has ended well. The first sync is one. */
function comparedAfter({ syncedUntil, comparedAt }: SyncedSince, at: string): string | null {
  return syncedUntil === null || isToCompare(comparedAt, at) ? at : comparedAt;
}

function isToCompare(comparedAt: string | null, at: string): boolean {
  return comparedAt === null || plusMinutes(comparedAt, DAYS_BETWEEN_COMPARISONS * MINUTES_PER_DAY) <= at;
}

/** The working day begins up to fourteen hours before that of UTC, hence tomorrow. */
function lastDays(days: number, at: string) {
  return { from: daysFrom(at, -days), to: daysFrom(at, 1) };
}

function daysFrom(instant: string, days: number): string {
  return dateOf(new Date(plusMinutes(instant, days * MINUTES_PER_DAY)));
}

/** A connection as the interface shows it. A sync that has not ended in its time has failed, though nobody was left to say so. */
export function presentConnection(connection: RemoteConnection, now: Date) {
  const { accountName, visibility, lastSyncAt, lastSyncEntriesImported, syncEnabled, syncIntervalMinutes } = connection;
  return {
    connected: true as const,
    accountName,
    visibility,
    lastSyncAt,
    lastSyncStatus: statusOf(connection, now),
    lastSyncEntriesImported,
    syncEnabled,
    syncIntervalMinutes,
  };
}

function statusOf({ sync, lastSyncStatus }: RemoteConnection, now: Date): (typeof SYNC_STATUSES)[number] {
  if (sync === null) return lastSyncStatus;
  return now.toISOString() < sync.until ? 'syncing' : 'failed';
}

/** What the interface shows where there is no connection. */
export const NO_CONNECTION = { connected: false } as const;

export function notConnected(): Problem {
  return new Problem('not_found', { detail: 'The organization has no connection to a remote time tracker.' });
}
