import { Problem } from '#shared/domain/problems.ts';
import { type Entry, MAX_DURATION_MINUTES } from './entry.ts';
import { type LinkNames, presentEntry, withoutDeadLinks } from './present-entry.ts';
import { nameIn, presentSession, type Session, type TimerLinks } from './timer.ts';
import { billableMinutes, dateOf } from './work-time.ts';

/** How timers end: they are stopped, which books an entry if that is wanted, or discarded. */

/** A session that is over. */
export type EndedSession = Session & { readonly stoppedAt: string; readonly durationMinutes: number };

/** What a stop may change of what the start said. */
export interface Stop {
  readonly description?: string;
  readonly billable?: boolean;
  readonly rate?: string;
  readonly createWorkEntry: boolean;
}

export interface Stopped {
  readonly session: EndedSession;
  readonly entry: Entry | null;
}

/** @param entryId for the entry that the stop books, if it books one */
export function stopSession(running: Session, stop: Stop, links: TimerLinks, entryId: string, now: Date): Stopped {
  const { createWorkEntry, description, billable, rate } = stop;
  const session = {
    ...ended(running, 'stopped', now),
    description: description ?? running.description,
    billable: billable ?? running.billable,
    rate: rate ?? running.rate,
    workEntryId: createWorkEntry ? entryId : null,
  };
  return { session, entry: createWorkEntry ? entryOf(session, links, entryId) : null };
}

export function discardSession(running: Session, now: Date): EndedSession {
  return ended(running, 'discarded', now);
}

/** If the clock is behind the start, the session ends at its start. A timer counts one year at most. */
function ended(running: Session, status: 'stopped' | 'discarded', now: Date): EndedSession {
  const startedAt = new Date(running.startedAt);
  const stoppedAt = now < startedAt ? startedAt : now;
  return {
    ...running,
    status,
    stoppedAt: stoppedAt.toISOString(),
    durationMinutes: Math.min(billableMinutes(startedAt, stoppedAt), MAX_DURATION_MINUTES),
    updatedAt: stoppedAt.toISOString(),
  };
}

/** The description if neither the start, the stop nor a project gives one. */
const DEFAULT_DESCRIPTION = 'Tracked time';

/** If the client was deleted while the timer ran, its name remains. A deleted project leaves nothing. */
function entryOf(session: EndedSession, links: TimerLinks, id: string): Entry {
  const { description, clientId, clientName, projectId, startedAt, stoppedAt } = session;
  const entry = withoutDeadLinks(
    {
      id,
      organizationId: session.organizationId,
      userId: session.userId,
      description: description.trim() === '' ? (nameIn(links.projects, projectId) ?? DEFAULT_DESCRIPTION) : description,
      entryDate: dateOf(new Date(startedAt)),
      startedAt,
      endedAt: stoppedAt,
      durationMinutes: session.durationMinutes,
      billable: session.billable,
      rate: session.rate,
      currency: session.currency,
      source: 'native_tracker',
      timerSessionId: session.id,
      clientId,
      clientLabel: null,
      projectId,
      holdId: null,
      imported: null,
      createdAt: stoppedAt,
      updatedAt: stoppedAt,
    },
    links,
  );
  return entry.clientId === clientId ? entry : { ...entry, clientLabel: entry.clientLabel ?? clientName };
}

/** A stopped timer as the interface shows it, with the entry that it booked. */
export function presentStopped({ session, entry }: Stopped, links: LinkNames) {
  return {
    session: presentSession(session, links),
    workEntry: entry && presentEntry(entry, links),
    durationMinutes: session.durationMinutes,
  };
}

/**
 * @param session as the interface shows it
 * @param workEntry the entry that its stop booked, as the interface shows it, or null
 */
export function timerNotRunning(session: unknown, workEntry: unknown): Problem {
  const detail = 'The timer was stopped or discarded before.';
  return new Problem('timer_not_running', { detail, extensions: { session, workEntry } });
}
