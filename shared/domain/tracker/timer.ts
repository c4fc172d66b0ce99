import type { Decimal } from '#shared/domain/money.ts';
import type { Owner } from '#shared/domain/owner.ts';
import { fault, Problem, referenceNotFound } from '#shared/domain/problems.ts';
import { revised } from '#shared/domain/revised.ts';
import type { LinkNames } from './present-entry.ts';
import { assertSameClient, type ProjectTerms, priceOf, rateFor, type WantedLinks } from './project-terms.ts';

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
  readonly tags: readonly string[];
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
  readonly tags?: readonly string[];
}

type TimedProject = ProjectTerms & { readonly name: string; readonly billable: boolean };

interface SessionLinks extends Pick<LinkNames, 'clients'> {
  readonly projects: ReadonlyMap<string, TimedProject>;
}

export type TimerLinks = SessionLinks & LinkNames;

/** Undefined keeps what the session has. */
export interface SessionChanges extends Partial<SessionDraft> {
  readonly startedAt?: Date;
}

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
    ...priceOf({ rate: draft.rate }, project, owner.currency, owner.userId),
    tags: draft.tags ?? [],
    startedAt: now.toISOString(),
    stoppedAt: null,
    durationMinutes: null,
    workEntryId: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  };
}

/**
 * Another project brings its client, rate and currency, and whether its time is billable, as at the start of a timer.
 *
 * @param links the named objects, and those of the session
 * @throws Problem `invalid_time_range`, `reference_not_found`, `client_mismatch`
 */
export function reviseSession<S extends Session>(
  session: S,
  changes: SessionChanges,
  links: SessionLinks,
  now: Date,
): S {
  const { description = session.description, billable, rate, tags = session.tags, startedAt } = changes;
  if (startedAt) assertStart(startedAt, now);
  const terms = termsAfter(session, changes, links);
  const isSameClient = terms.clientId === session.clientId;
  const changed = {
    ...session,
    ...terms,
    description,
    tags,
    clientName: isSameClient ? session.clientName : nameIn(links.clients, terms.clientId),
    billable: billable ?? terms.billable,
    rate: rate === undefined ? terms.rate : rate,
    startedAt: startedAt?.toISOString() ?? session.startedAt,
  };
  return revised(session, changed, now);
}

type SessionTerms = Pick<Session, 'projectId' | 'clientId' | 'billable' | 'rate' | 'currency'>;

/** Links that stay are not checked: a project may move to another client while a timer runs. */
function termsAfter(session: Session, wanted: WantedLinks, links: SessionLinks): SessionTerms {
  const held = links.projects.get(session.projectId ?? '') ?? null;
  const project = wanted.projectId === undefined ? held : projectOf(wanted, links);
  const isOther = project && project.id !== session.projectId;
  const terms = isOther ? { ...project, rate: rateFor(session.userId, project) } : session;
  const named = wanted.clientId === undefined ? terms.clientId : clientOf(wanted, project, links);
  // Who unlinks what is deleted changes nothing.
  const isDead = !isOther && !links.clients.has(session.clientId ?? '');
  const clientId = named === null && isDead ? session.clientId : named;
  if (clientId !== terms.clientId) assertSameClient(clientId, project);
  const projectId = wanted.projectId ?? (held && wanted.projectId === null ? null : session.projectId);
  const { billable, rate, currency } = terms;
  return { projectId, clientId, billable, rate, currency };
}

const MILLISECONDS_PER_MINUTE = 60_000;
const MILLISECONDS_PER_DAY = 1_440 * MILLISECONDS_PER_MINUTE;

const MAX_DAYS_BACK = 31;

/** The clock of a caller may be ahead of ours. */
function assertStart(startedAt: Date, now: Date): void {
  const age = now.getTime() - startedAt.getTime();
  if (age >= -MILLISECONDS_PER_MINUTE && age <= MAX_DAYS_BACK * MILLISECONDS_PER_DAY) return;
  throw fault('invalid_time_range', 'startedAt', `A timer starts at most ${MAX_DAYS_BACK} days back, and not ahead.`);
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

/** With the present names of what is linked, and without links to deleted objects. */
export function presentSession<S extends Session>(
  session: S,
  { projects, clients }: Pick<LinkNames, 'projects' | 'clients'>,
) {
  const clientName = nameIn(clients, session.clientId);
  const projectName = nameIn(projects, session.projectId);
  return {
    ...session,
    clientId: clientName === null ? null : session.clientId,
    clientName,
    projectId: projectName === null ? null : session.projectId,
    projectName,
  };
}

export function timerAlreadyRunning(session: unknown): Problem {
  const detail = 'Stop or discard the running timer before starting another.';
  return new Problem('timer_already_running', { detail, extensions: { session } });
}
