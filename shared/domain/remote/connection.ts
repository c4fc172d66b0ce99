import { Problem } from '#shared/domain/problems.ts';
import { dateOf, plusMinutes } from '#shared/domain/tracker/work-time.ts';

/** The connection to the remote time tracker, and when its scheduled sync is due. */

export const VISIBILITIES = ['all', 'team', 'own'] as const;

export type Visibility = (typeof VISIBILITIES)[number];

export const SYNC_STATUSES = ['idle', 'syncing', 'succeeded', 'failed'] as const;

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

/** A sync that is under way. */
export interface Sync {
  /** The id of the import job that the sync makes if there is anything to import. */
  readonly jobId: string;
  /** The tick of the clock that started the sync. */
  readonly at: string;
  /** A sync that has not ended by this instant counts as failed. */
  readonly until: string;
  /** What the connection's `comparedAt` becomes if the sync succeeds. */
  readonly comparedAt: string | null;
}

export interface RemoteConnection extends Credential, SyncSettings {
  /** When the last scheduled sync ran, whether it succeeded or failed. */
  readonly lastSyncAt: string | null;
  /** The outcome of the last sync that ended. */
  readonly lastSyncStatus: 'idle' | 'succeeded' | 'failed';
  readonly lastSyncEntriesImported: number;
  /** When the last successful sync ran. All work up to this instant is imported. */
  readonly syncedUntil: string | null;
  /** When a sync last compared all work of the last months; null: never. */
  readonly comparedAt: string | null;
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
    lastSyncEntriesImported: 0,
    syncedUntil: null,
    comparedAt: null,
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

/** When the next sync is due: at once if there was none before; a day later from the fifth failure in a row on. */
function dueAfter({
  lastSyncAt,
  failures,
  syncIntervalMinutes,
}: Pick<RemoteConnection, 'lastSyncAt' | 'failures' | 'syncIntervalMinutes'>): string {
  if (lastSyncAt === null) return AT_ONCE;
  return plusMinutes(lastSyncAt, failures < PATIENT_FAILURES ? syncIntervalMinutes : MINUTES_PER_DAY);
}

/**
 * How long a sync may take, from the tick of the clock that starts it to the end of its import. This covers the
 * worker with all its deliveries and the import of 10,000 rows. After that the sync has failed.
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
  return {
    ...current,
    dueAt,
    sync: { jobId, at, until: leaseEnd(new Date(now)), comparedAt: comparedAfter(current, at) },
  };
}

/** The connection after its sync died. */
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

/** When the next sync is due after the current one, for success and for failure. */
export function dueAfterSync(connection: RemoteConnection, { at: lastSyncAt }: Sync): NextDue {
  const { failures, syncIntervalMinutes } = connection;
  return {
    succeeded: dueAfter({ lastSyncAt, failures: 0, syncIntervalMinutes }),
    failed: dueAfter({ lastSyncAt, failures: failures + 1, syncIntervalMinutes }),
  };
}

/** What the provider is asked for: the work of some dates (both inclusive), or all changes since an instant. */
export type RemoteQuestion = { readonly from: string; readonly to: string } | { readonly updatedSince: string };

type SyncQuestions = readonly [question: RemoteQuestion, comparison?: RemoteQuestion];

const OVERLAP_MINUTES = 60;
const FIRST_WINDOW_DAYS = 30;
const COMPARED_DAYS = 90;
const DAYS_BETWEEN_COMPARISONS = 7;

/**
 * What a sync asks. The first sync reads the last days by their dates. Every later sync asks for what changed since
 * the last successful one, which also finds work that was booked or corrected late. Once a week the sync also
 * compares the last months, because asking for changes may have missed something.
 */
export function syncQuestions({ syncedUntil, comparedAt }: SyncedSince, at: string): SyncQuestions {
  if (syncedUntil === null) return [lastDays(FIRST_WINDOW_DAYS, at)];
  const changed = { updatedSince: plusMinutes(syncedUntil, -OVERLAP_MINUTES) };
  return isToCompare(comparedAt, at) ? [changed, lastDays(COMPARED_DAYS, at)] : [changed];
}

type SyncedSince = Pick<RemoteConnection, 'syncedUntil' | 'comparedAt'>;

/** The instant of the last comparison once this sync has succeeded. The first sync is a comparison. */
function comparedAfter({ syncedUntil, comparedAt }: SyncedSince, at: string): string | null {
  return syncedUntil === null || isToCompare(comparedAt, at) ? at : comparedAt;
}

function isToCompare(comparedAt: string | null, at: string): boolean {
  return comparedAt === null || plusMinutes(comparedAt, DAYS_BETWEEN_COMPARISONS * MINUTES_PER_DAY) <= at;
}

/** A working day can begin up to fourteen hours before the UTC day, so the range includes tomorrow. */
function lastDays(days: number, at: string) {
  return { from: daysFrom(at, -days), to: daysFrom(at, 1) };
}

function daysFrom(instant: string, days: number): string {
  return dateOf(new Date(plusMinutes(instant, days * MINUTES_PER_DAY)));
}

/** A connection as the interface shows it. A sync that outlived its time shows as failed. */
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

/** What the interface shows if there is no connection. */
export const NO_CONNECTION = { connected: false } as const;

export function notConnected(): Problem {
  return new Problem('not_found', { detail: 'The organization has no connection to a remote time tracker.' });
}
