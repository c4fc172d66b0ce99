import * as v from 'valibot';
import { type Key, runningTimerKey, sessionCountKey, sessionKey, sessionPartition } from '#shared/data/layout/keys.ts';
import { equalling } from '#shared/data/table/collection.ts';
import { countIn } from '#shared/data/table/counts.ts';
import { readItem, requireItem } from '#shared/data/table/item.ts';
import { known } from '#shared/data/table/known.ts';
import { nullableTexts, texts } from '#shared/data/table/members.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import { sumsUpdate } from '#shared/data/table/sums.ts';
import { Outdated, transact, type Write } from '#shared/data/table/transaction.ts';
import { newVersion, unchangedSince, type Versioned } from '#shared/data/table/versioned.ts';
import { change, check, IS_ABSENT, put, remove } from '#shared/data/table/writes.ts';
import type { Listed, Slice } from '#shared/domain/page.ts';
import { Problem } from '#shared/domain/problems.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import { SESSION_STATUSES, type Session, type SessionStatus } from '#shared/domain/tracker/timer.ts';
import type { EndedSession } from '#shared/domain/tracker/timer-end.ts';
import { readEntries, writeEntries } from './entries.ts';
import type { StoredEntry } from './entry-items.ts';

/**
 * The running session is also stored under one key per user, which is the lock: conditional writes let exactly one
 * start and one stop win. Its version lets no stop overlook a change, and no change follow a stop.
 */

const stored = v.object({
  ...texts('id', 'organizationId', 'userId', 'description', 'currency', 'startedAt', 'createdAt', 'updatedAt'),
  ...nullableTexts('clientId', 'clientName', 'projectId', 'rate', 'stoppedAt', 'workEntryId'),
  billable: v.boolean(),
  durationMinutes: v.nullable(v.number()),
  tags: v.optional(v.array(v.string()), []),
  /** One that only a newer version knows cannot be stopped here. */
  status: known(SESSION_STATUSES, 'discarded'),
  version: v.number(),
});

const fromItem = v.parser(stored);

export type StoredSession = Session & Versioned;

interface Owner {
  readonly organizationId: string;
  readonly userId: string;
}

/** @throws Problem `not_found`, for another user's session too */
export async function getSession({ organizationId, userId }: Owner, id: string): Promise<StoredSession> {
  return fromItem(await requireItem(sessionKey(organizationId, userId, id)));
}

export async function findRunningSession({ organizationId, userId }: Owner): Promise<StoredSession | undefined> {
  const item = await readItem(runningTimerKey(organizationId, userId));
  return item && fromItem(item);
}

/** @throws ConditionFailed when a timer was running */
export function saveStarted(session: Session, others: readonly Write[]): Promise<void> {
  return transact([...startWrites(session), ...others]);
}

function startWrites(session: Session): Write[] {
  const item = itemOf(session);
  return [
    put({ ...runningKeyOf(session), ...item }, fromItem, IS_ABSENT),
    put({ ...sessionKeyOf(session), ...item }, fromItem),
    ...sessionCountChange(session, [['running', 1n]]),
  ];
}

/** @throws ConditionFailed when the session has changed or ended */
export async function saveRunning(before: StoredSession, after: Session, others: readonly Write[]): Promise<void> {
  if (after === before) return;
  const key = runningKeyOf(before);
  const item = itemOf(after);
  await transact([
    change({ ...key, ...before }, { ...key, ...item }, fromItem, unchangedSince(before)),
    sessionChange(before, item),
    ...others,
  ]);
}

interface Ending {
  readonly session: EndedSession;
  readonly entry: Entry | null;
}

/** @throws Problem `period_locked`; ConditionFailed when the session has changed or ended, or its project was deleted meanwhile */
export async function saveEnded(
  running: StoredSession,
  { session, entry }: Ending,
  others: readonly Write[],
): Promise<void> {
  const changes = entry ? [{ before: null, after: entry }] : [];
  try {
    await writeEntries(changes, { others: [...endWrites(running, session), ...others] });
  } catch (error) {
    const isProjectGone = error instanceof Problem && error.code === 'reference_not_found';
    throw isProjectGone ? new Outdated() : error;
  }
}

/** For a transaction, which fails where the session has changed or ended meanwhile. */
export function endWrites(running: StoredSession, ended: EndedSession): Write[] {
  return [
    remove(runningKeyOf(running), unchangedSince(running)),
    sessionChange(running, itemOf(ended)),
    ...sessionCountChange(ended, [
      ['running', -1n],
      [ended.status, 1n],
    ]),
  ];
}

/** For a transaction, which fails where a timer was started meanwhile. */
export function noneRunning({ organizationId, userId }: Owner): Write {
  return check(runningTimerKey(organizationId, userId), IS_ABSENT);
}

const itemOf = (session: Session) => fromItem({ ...session, version: newVersion() });

/** The change of the session that a timer runs for: the timer's own item has the same version. */
function sessionChange(before: StoredSession, after: StoredSession): Write {
  const key = sessionKeyOf(before);
  return change({ ...key, ...before }, { ...key, ...after }, fromItem, unchangedSince(before));
}

const runningKeyOf = ({ organizationId, userId }: Owner): Key => runningTimerKey(organizationId, userId);

const sessionKeyOf = ({ organizationId, userId, id }: Session): Key => sessionKey(organizationId, userId, id);

function sessionCountChange({ organizationId, userId }: Owner, change: readonly (readonly [SessionStatus, bigint])[]) {
  const update = sumsUpdate(sessionCountKey(organizationId, userId), new Map(change));
  return update ? [update] : [];
}

/** The entry that a session has booked, if it is still there. */
export async function findWorkEntry({ organizationId, workEntryId }: Session): Promise<StoredEntry | null> {
  if (workEntryId === null) return null;
  const [entry = null] = await readEntries(organizationId, [workEntryId]);
  return entry;
}

interface ListRequest extends Slice {
  readonly status?: SessionStatus;
}

/** The counts tell where the page ends, and whether there is anything to read. @throws Problem `range_too_large` */
export function listSessions(owner: Owner, { status, ...page }: ListRequest): Promise<Listed<Session>> {
  const partition = sessionPartition(owner.organizationId, owner.userId);
  const filter = equalling({ status });
  const total = () => countSessions(owner, status);
  return readPage({ partition, filter, total, ...page }, fromItem);
}

async function countSessions({ organizationId, userId }: Owner, status?: SessionStatus): Promise<number> {
  const item = await readItem(sessionCountKey(organizationId, userId));
  const counted: readonly SessionStatus[] = status ? [status] : SESSION_STATUSES;
  return counted.reduce((sum, each) => sum + countIn(item, each), 0);
}
