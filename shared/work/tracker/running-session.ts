import * as v from 'valibot';
import { entry as entrySchema } from '#shared/contract/tracker/entry.ts';
import { session as sessionSchema } from '#shared/contract/tracker/timer.ts';
import { readDirectoryFor } from '#shared/data/directory/directory.ts';
import { ConditionFailed, type Write } from '#shared/data/table/transaction.ts';
import { findRunningSession, findWorkEntry, saveEnded, saveStarted } from '#shared/data/tracker/timers.ts';
import { isPeriodLocked, stopLocked } from '#shared/domain/lock.ts';
import { presentSession, type Session, timerAlreadyRunning } from '#shared/domain/tracker/timer.ts';
import { timerNotRunning } from '#shared/domain/tracker/timer-end.ts';
import { showEntry } from './show-entry.ts';

/** @throws Problem `timer_already_running`; ConditionFailed when a timer was running, and no longer is */
export async function startSession(session: Session, others: readonly Write[]): Promise<void> {
  try {
    await saveStarted(session, others);
  } catch (error) {
    const running = error instanceof ConditionFailed ? await findRunningSession(session) : undefined;
    throw running ? timerAlreadyRunning(await shownSession(running)) : error;
  }
}

/** @throws Problem `timer_not_running` with the session, and the entry that it booked */
export async function assertRunning(session: Session): Promise<void> {
  if (session.status === 'running') return;
  const entry = await findWorkEntry(session);
  throw timerNotRunning(await shownSession(session), entry && v.parse(entrySchema, await showEntry(entry)));
}

/** @throws Problem `period_locked` with the session, which runs on; ConditionFailed */
export async function saveStopped(...[running, ...ending]: Parameters<typeof saveEnded>): Promise<void> {
  try {
    await saveEnded(running, ...ending);
  } catch (error) {
    throw isPeriodLocked(error) ? stopLocked(error, await shownSession(running)) : error;
  }
}

/** Members of a problem do not pass through the schema of a response, so they are parsed here. */
async function shownSession(session: Session): Promise<unknown> {
  return v.parse(sessionSchema, presentSession(session, await readDirectoryFor(session.organizationId, [session])));
}
