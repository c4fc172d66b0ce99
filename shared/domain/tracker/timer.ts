import { Problem, referenceNotFound } from '#shared/domain/problems.ts';
import {
  assertSameClient,
  type Entry,
  type LinkNames,
  MAX_DURATION_MINUTES,
  type ProjectTerms,
  presentEntry,
  priceOf,
  type WantedLinks,
  withoutDeadLinks,
} from './entry.ts';
import { billableMinutes, dateOf } from './work-time.ts';

/** Timers: each user of an organization has at most one running session. */

export const SESSION_STATUSES = ['running', 'stopped', 'discarded'] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];

export interface Session {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly status: SessionStatus;
  /** Empty if nobody has described the work. */
  readonly description: string;
  readonly clientId: string | null;
  /** The client's name at the start. If the client is deleted before the timer stops, the entry has only this name. */
  readonly clientName: string | null;
  readonly projectId: string | null;
  readonly billable: boolean;
  /** Decimal string, by the hour. Unless given, the project's rate at the start. */
  readonly rate: string | null;
  readonly currency: string;
  readonly startedAt: string;
  /** When it was stopped or discarded. */
  readonly stoppedAt: string | null;
  readonly durationMinutes: number | null;
  /** The entry that the stop booked. */
  readonly workEntryId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A session that is over. */
export type EndedSession = Session & { readonly stoppedAt: string; readonly durationMinutes: number };

export interface SessionDraft extends WantedLinks {
  readonly description: string;
  readonly billable?: boolean;
  readonly rate?: string;
}

/** What a session takes from its project at the start. */
type TimedProject = ProjectTerms & { readonly name: string; readonly billable: boolean };

export interface TimerLinks extends LinkNames {
  readonly projects: ReadonlyMap<string, TimedProject>;
}

interface Owner {
  readonly organizationId: string;
  readonly userId: string;
  readonly currency: string;
}

/**
 * @param links the objects that the draft names, and the client of the project
 * @throws Problem `reference_not_found`, `client_mismatch`
 */
export function newSession(draft: SessionDraft, links: TimerLinks, owner: Owner, id: string, now: Date): Session {
  const project = projectOf(draft, links);
  const clientId = clientOf(draft, project, links);
  assertSameClient(clientId, project);
  return {
    id,
    organizationId: owner.organizationId,
    userId: owner.userId,
    status: 'running',
    description: draft.description,
    clientId,
    clientName: nameIn(links.clients, clientId),
    projectId: project?.id ?? null,
    billable: draft.billable ?? project?.billable ?? true,
    ...priceOf({ rate: draft.rate }, project, owner.currency),
    startedAt: now.toISOString(),
    stoppedAt: null,
    durationMinutes: null,
    workEntryId: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

function projectOf({ projectId = null }: WantedLinks, { projects }: TimerLinks): TimedProject | null {
  if (projectId === null) return null;
  const project = projects.get(projectId);
  if (!project) throw referenceNotFound('projectId');
  return project;
}

/** The client defaults to the project's; null means no client. */
function clientOf({ clientId }: WantedLinks, project: TimedProject | null, { clients }: TimerLinks): string | null {
  if (clientId === undefined) return project?.clientId ?? null;
  if (clientId !== null && !clients.has(clientId)) throw referenceNotFound('clientId');
  return clientId;
}

function nameIn(objects: ReadonlyMap<string, { readonly name: string }>, id: string | null): string | null {
  return (id === null ? undefined : objects.get(id)?.name) ?? null;
}

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
      invoiceId: null,
      imported: null,
      claimId: null,
      createdAt: stoppedAt,
      updatedAt: stoppedAt,
    },
    links,
  );
  return entry.clientId === clientId ? entry : { ...entry, clientLabel: entry.clientLabel ?? clientName };
}

/** A session as the interface shows it, without links to deleted objects. */
export function presentSession<S extends Session>(session: S, { projects, clients }: LinkNames) {
  const { clientId, projectId } = session;
  return {
    ...session,
    clientId: clientId !== null && clients.has(clientId) ? clientId : null,
    projectId: projectId !== null && projects.has(projectId) ? projectId : null,
  };
}

/** A stopped timer as the interface shows it, with the entry that it booked. */
export function presentStopped({ session, entry }: Stopped, links: LinkNames) {
  return {
    session: presentSession(session, links),
    workEntry: entry && presentEntry(entry, links),
    durationMinutes: session.durationMinutes,
  };
}

/** @param session the running session, as the interface shows it */
export function timerAlreadyRunning(session: unknown): Problem {
  const detail = 'Stop or discard the running timer before starting another.';
  return new Problem('timer_already_running', { detail, extensions: { session } });
}

/**
 * @param session as the interface shows it
 * @param workEntry the entry that its stop booked, as the interface shows it, or null
 */
export function timerNotRunning(session: unknown, workEntry: unknown): Problem {
  const detail = 'The timer was stopped or discarded before.';
  return new Problem('timer_not_running', { detail, extensions: { session, workEntry } });
}
