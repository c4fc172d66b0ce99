import type { Decimal } from '#shared/domain/money.ts';
import type { Owner } from '#shared/domain/owner.ts';
import { Problem, referenceNotFound } from '#shared/domain/problems.ts';
import type { LinkNames } from './present-entry.ts';
import { assertSameClient, type ProjectTerms, priceOf, type WantedLinks } from './project-terms.ts';

export const SESSION_STATUSES = ['running', 'stopped', 'discarded'] as const;

export type SessionStatus = (typeof SESSION_STATUSES)[number];

export interface Session {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly status: SessionStatus;
  readonly description: string;
  readonly clientId: string | null;
  /** The client's name at the start: the label of the entry if the client is deleted meanwhile. */
  readonly clientName: string | null;
  readonly projectId: string | null;
  readonly billable: boolean;
  readonly rate: Decimal | null;
  readonly currency: string;
  readonly startedAt: string;
  readonly stoppedAt: string | null;
  readonly durationMinutes: number | null;
  readonly workEntryId: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface SessionDraft extends WantedLinks {
  readonly description: string;
  readonly billable?: boolean;
  readonly rate?: Decimal | null;
}

type TimedProject = ProjectTerms & { readonly name: string; readonly billable: boolean };

interface SessionLinks extends Pick<LinkNames, 'clients'> {
  readonly projects: ReadonlyMap<string, TimedProject>;
}

export type TimerLinks = LinkNames & SessionLinks;

/** @param links the named objects, and the client of the project */
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

function clientOf({ clientId }: WantedLinks, project: TimedProject | null, { clients }: SessionLinks): string | null {
  if (clientId === undefined) return project?.clientId ?? null;
  if (clientId !== null && !clients.has(clientId)) throw referenceNotFound('clientId');
  return clientId;
}

export function nameIn(objects: ReadonlyMap<string, { readonly name: string }>, id: string | null): string | null {
  return (id === null ? undefined : objects.get(id)?.name) ?? null;
}

/** Drops links to deleted objects. */
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

export function timerAlreadyRunning(session: unknown): Problem {
  const detail = 'Stop or discard the running timer before starting another.';
  return new Problem('timer_already_running', { detail, extensions: { session } });
}
