import type { LockedThrough } from '#shared/domain/lock.ts';
import type { TimeRounding } from '#shared/domain/time-rounding.ts';
import type { ProjectTerms } from '#shared/domain/tracker/project-terms.ts';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';
import { type Change, type ProjectRow, readChanges, readRows, readVersion } from './rows.ts';

/**
 * A running function keeps the directory in memory, and reads with strong consistency what has changed since: a page of
 * a hundred entries asks one question instead of a hundred, and sees every change that was answered.
 */

/** A deleted client is no longer its client. */
export type LinkedProject = ProjectTerms & ProjectRow;

interface Named {
  readonly id: string;
  readonly name: string;
}

interface LinkedUser extends Named {
  /** False for one who was removed. */
  readonly isActive: boolean;
}

export interface Directory {
  readonly projects: ReadonlyMap<string, LinkedProject>;
  readonly clients: ReadonlyMap<string, Named>;
  readonly users: ReadonlyMap<string, LinkedUser>;
  readonly lockedThrough: LockedThrough;
  /** The organization's rule. */
  readonly rounding: TimeRounding | null;
}

interface CachedDirectory extends Directory {
  readonly version: number;
}

/** A row takes some 150 bytes of memory. */
const MAX_HELD_ROWS = 100_000;

const cached = new BoundedMap<CachedDirectory>(
  MAX_HELD_ROWS,
  ({ projects, clients, users }) => 1 + projects.size + clients.size + users.size,
);

export async function readDirectory(organizationId: string): Promise<Directory> {
  const known = cached.get(organizationId);
  const present = (known && (await refresh(organizationId, known))) ?? (await load(organizationId));
  cached.set(organizationId, present);
  return present;
}

/** @returns undefined if the changes since then are not kept any more */
async function refresh(organizationId: string, known: CachedDirectory): Promise<CachedDirectory | undefined> {
  const { since, changes } = await readChanges(organizationId, known.version);
  if (since > known.version) return undefined;
  return changes.length === 0 ? known : { ...withRows(known, changes), version: since + changes.length };
}

/** The last changes overrule the rows: DynamoDB may show a change before the row that was written with it. */
const CHANGES_UNDER_WAY = 100;

/** Changes are read after all rows, so the client of a project is either among the clients, or deleted. */
async function load(organizationId: string): Promise<CachedDirectory> {
  const [version, rows] = await Promise.all([readVersion(organizationId), readRows(organizationId)]);
  const { since, changes } = await readChanges(organizationId, Math.max(0, version - CHANGES_UNDER_WAY));
  if (since > version) return load(organizationId);
  return { ...withRows(NOTHING, [...rows, ...changes]), version: since + changes.length };
}

const NOTHING: Directory = {
  projects: new Map(),
  clients: new Map(),
  users: new Map(),
  lockedThrough: null,
  rounding: null,
};

function withRows(known: Directory, present: readonly Change[]): Directory {
  const projects = new Map(known.projects);
  const clients = new Map(known.clients);
  const users = new Map(known.users);
  let { lockedThrough, rounding } = known;
  for (const { id, row } of present) {
    if (typeof row === 'string') clients.set(id, { id, name: row });
    else if (row && 'userName' in row) users.set(id, { id, name: row.userName, isActive: row.isActive });
    else if (row && 'lockedThrough' in row) ({ lockedThrough, rounding } = row);
    else if (row) projects.set(id, { id, ...row });
    else if (!clients.delete(id)) projects.delete(id);
  }
  for (const [id, project] of projects) projects.set(id, withLiveClient(project, clients));
  return { projects, clients, users, lockedThrough, rounding };
}

export function withLiveClient<P extends { readonly clientId: string | null }>(
  linked: P,
  clients: { has(id: string): boolean },
): P {
  return linked.clientId === null || clients.has(linked.clientId) ? linked : { ...linked, clientId: null };
}

interface Linked {
  readonly projectId: string | null;
  readonly clientId: string | null;
  readonly userId?: string | null;
}

const gone = new BoundedMap<true>(10_000);

/**
 * Reads once more if a linked project, client or user is missing, which may be new. One that is still missing was
 * deleted, and is remembered as gone.
 */
export async function readDirectoryFor(
  organizationId: string,
  linked: readonly Linked[],
  reading: Promise<Directory> = readDirectory(organizationId),
): Promise<Directory> {
  const directory = await reading;
  const nameOf = (id: string) => `${organizationId} ${id}`;
  if (missingIn(directory, linked).every((id) => gone.get(nameOf(id)))) return directory;
  const newer = await readDirectory(organizationId);
  for (const id of missingIn(newer, linked)) gone.set(nameOf(id), true);
  return newer;
}

function missingIn({ projects, clients, users }: Directory, linked: readonly Linked[]): string[] {
  return linked.flatMap(({ projectId, clientId, userId = null }) => [
    ...(projectId === null || projects.has(projectId) ? [] : [projectId]),
    ...(clientId === null || clients.has(clientId) ? [] : [clientId]),
    ...(userId === null || users.has(userId) ? [] : [userId]),
  ]);
}
