import type { Decimal } from '#shared/domain/money.ts';
import { Problem } from '#shared/domain/problems.ts';
import { billedMinutesOf } from '#shared/domain/time-rounding.ts';
import { dateIn, type TimeZone, UTC } from '#shared/domain/time-zone.ts';
import { type Entry, MAX_DURATION_MINUTES, type OrganizationRule, ruleFor } from './entry.ts';
import { type LinkNames, presentEntry, UNLOCKED, withoutDeadLinks } from './present-entry.ts';
import { nameIn, presentSession, type Session, type TimerLinks } from './timer.ts';
import { billableMinutes } from './work-time.ts';

export type EndedSession = Session & { readonly stoppedAt: string; readonly durationMinutes: number };

export interface Stop {
  readonly description?: string;
  readonly billable?: boolean;
  readonly rate?: Decimal | null;
  readonly createWorkEntry: boolean;
  /** The user's zone, in which the entry gets its date; UTC by default. */
  readonly timeZone?: TimeZone;
}

type EndLinks = TimerLinks & OrganizationRule;

export interface Stopped {
  readonly session: EndedSession;
  readonly entry: Entry | null;
}

export function stopSession(running: Session, stop: Stop, links: EndLinks, entryId: string, now: Date): Stopped {
  const { createWorkEntry, description, billable, rate, timeZone = UTC } = stop;
  const session = {
    ...endSession(running, 'stopped', now),
    description: description ?? running.description,
    billable: billable ?? running.billable,
    rate: rate === undefined ? running.rate : rate,
    workEntryId: createWorkEntry ? entryId : null,
  };
  return { session, entry: createWorkEntry ? entryOf(session, links, entryId, timeZone) : null };
}

/** A clock behind the start ends the session at its start. A timer counts one year at most. */
export function endSession(running: Session, status: 'stopped' | 'discarded', now: Date): EndedSession {
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

const DEFAULT_DESCRIPTION = 'Tracked time';

/** The name of a client deleted meanwhile stays as the label. */
function entryOf(session: EndedSession, links: EndLinks, id: string, zone: TimeZone): Entry {
  const { description, clientId, clientName, projectId, startedAt, stoppedAt } = session;
  const entry = withoutDeadLinks(
    {
      id,
      organizationId: session.organizationId,
      userId: session.userId,
      description: description.trim() === '' ? (nameIn(links.projects, projectId) ?? DEFAULT_DESCRIPTION) : description,
      entryDate: dateIn(zone, new Date(startedAt)),
      startedAt,
      endedAt: stoppedAt,
      durationMinutes: session.durationMinutes,
      billedMinutes: billedMinutesOf(session, ruleFor(links.projects.get(projectId ?? ''), links)),
      billable: session.billable,
      rate: session.rate,
      currency: session.currency,
      source: 'native_tracker',
      timerSessionId: session.id,
      clientId,
      clientLabel: null,
      projectId,
      tags: session.tags,
      holdId: null,
      imported: null,
      createdAt: stoppedAt,
      updatedAt: stoppedAt,
    },
    links,
  );
  return entry.clientId === clientId ? entry : { ...entry, clientLabel: entry.clientLabel ?? clientName };
}

export function presentStopped({ session, entry }: Stopped, links: LinkNames) {
  return {
    session: presentSession(session, links),
    workEntry: entry && presentEntry(entry, { ...links, ...UNLOCKED }),
    durationMinutes: session.durationMinutes,
  };
}

export function timerNotRunning(session: unknown, workEntry: unknown): Problem {
  const detail = 'The timer was stopped or discarded before.';
  return new Problem('timer_not_running', { detail, extensions: { session, workEntry } });
}
