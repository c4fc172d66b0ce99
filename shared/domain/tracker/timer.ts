import { Problem, referenceNotFound } from '#shared/domain/problems.ts';
import type { LinkNames } from './present-entry.ts';
import { assertSameClient, type ProjectTerms, priceOf, type WantedLinks } from './project-terms.ts';

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

export interface SessionDraft extends WantedLinks {
  readonly description: string;
  readonly billable?: boolean;
  readonly rate?: string;
}

/** What a session takes from its project at the start. */
type TimedProject = ProjectTerms & { readonly name: string; readonly billable: boolean };

/** What a session is linked to. */
interface SessionLinks extends Pick<LinkNames, 'clients'> {
  readonly projects: ReadonlyMap<string, TimedProject>;
}

export type TimerLinks = LinkNames & SessionLinks;

interface Owner {
  readonly organizationId: string;
  readonly userId: string;
  readonly currency: string;
}

/**
 * @param links the objects that the draft names, and the client of the project
 * @throws Problem `reference_not_found`, `client_mismatch`
 */
export function newSession(draft: SessionDraft, links: SessionLinks, owner: Owner, id: string, now: Date): Session {
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

function projectOf({ projectId = null }: WantedLinks, { projects }: SessionLinks): TimedProject | null {
  if (projectId === null) return null;
  const project = projects.get(projectId);
  if (!project) throw referenceNotFound('projectId');
  return project;
}

/** The client defaults to the project's; null means no client. */
function clientOf({ clientId }: WantedLinks, project: TimedProject | null, { clients }: SessionLinks): string | null {
  if (clientId === undefined) return project?.clientId ?? null;
  if (clientId !== null && !clients.has(clientId)) throw referenceNotFound('clientId');
  return clientId;
}

/** The name of an object that is linked, if it is there. */
export function nameIn(objects: ReadonlyMap<string, { readonly name: string }>, id: string | null): string | null {
  return (id === null ? undefined : objects.get(id)?.name) ?? null;
}

/** A session as the interface shows it, without links to deleted objects. */
export function presentSession<S extends Session>(
  session: S,
  { projects, clients }: Pick<LinkNames, 'projects' | 'clients'>,
) {
  const { clientId, projectId } = session;
  return {
    ...session,
    clientId: clientId !== null && clients.has(clientId) ? clientId : null,
    projectId: projectId !== null && projects.has(projectId) ? projectId : null,
  };
}

/** @param session the running session, as the interface shows it */
export function timerAlreadyRunning(session: unknown): Problem {
  const detail = 'Stop or discard the running timer before starting another.';
  return new Problem('timer_already_running', { detail, extensions: { session } });
}
