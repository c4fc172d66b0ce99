import * as v from 'valibot';
import { readDeletedNames } from '#shared/data/directory/deleted-clients.ts';
import {
  type Directory,
  type LinkedProject,
  readDirectory,
  readDirectoryFor,
} from '#shared/data/directory/directory.ts';
import { readHolds } from '#shared/data/holds/holds.ts';
import { clientKey, type Key, projectKey } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { referenceNotFound } from '#shared/domain/problems.ts';
import type { Holds } from '#shared/domain/tracker/hold.ts';
import type { LinkNames } from '#shared/domain/tracker/present-entry.ts';
import type { WantedLinks } from '#shared/domain/tracker/project-terms.ts';

/** A link to a deleted object stays in the table for ever, and nobody sees it from the moment of the deletion. */

export interface LinkedObjects extends LinkNames {
  readonly projects: ReadonlyMap<string, LinkedProject>;
  readonly users: Directory['users'];
}

interface Linked {
  readonly projectId: string | null;
  readonly clientId: string | null;
  readonly userId?: string;
  readonly holdId?: string | null;
}

/**
 * @param directory if the caller has begun to read it
 * @param known the holds, if the caller has read them
 */
export async function readLinks(
  organizationId: string,
  linked: readonly Linked[],
  directory: Promise<Directory> = readDirectory(organizationId),
  known?: Holds,
): Promise<LinkedObjects> {
  const [{ projects, clients, users }, holds] = await Promise.all([
    readDirectoryFor(organizationId, linked, directory),
    known ?? readHolds(organizationId, linked),
  ]);
  const deleted = linked.flatMap(({ clientId }) => (clientId === null || clients.has(clientId) ? [] : clientId));
  return { projects, clients, users, deletedNames: await readDeletedNames(organizationId, deleted), holds };
}

/** A single link is read by its key, which costs least. */
export async function readLinkNames(
  organizationId: string,
  linked: Linked,
): Promise<Pick<LinkNames, 'projects' | 'clients'>> {
  const { projectId, clientId } = linked;
  if (projectId !== null && clientId !== null) return readDirectoryFor(organizationId, [linked]);
  return {
    projects: await findNamed(projectId === null ? [] : [projectKey(organizationId, projectId)]),
    clients: await findNamed(clientId === null ? [] : [clientKey(organizationId, clientId)]),
  };
}

const named = v.object({ id: v.string(), name: v.string() });

async function findNamed(keys: readonly Key[]): Promise<Map<string, v.InferOutput<typeof named>>> {
  const items = await batchGet(keys);
  return new Map(v.parse(v.array(named), items).map((each) => [each.id, each]));
}

/**
 * @param linked that keep what they are linked to, also a user who was removed
 * @throws Problem `reference_not_found` when the wanted client or project does not exist, or the user is not active
 */
export async function readWantedLinks(
  organizationId: string,
  { projectId = null, clientId = null, userId }: WantedLinks,
  linked: readonly Linked[] = [],
  holds?: Holds,
): Promise<LinkedObjects> {
  const wanted = [{ projectId, clientId }, ...linked];
  const links = await readLinks(organizationId, wanted, readDirectory(organizationId), holds);
  linkedProject(links, projectId);
  if (clientId !== null && !links.clients.has(clientId)) throw referenceNotFound('clientId');
  const isKept = userId === undefined || linked.some((each) => each.userId === userId);
  if (!isKept && !links.users.get(userId)?.isActive) throw referenceNotFound('userId');
  return links;
}

export function linkedProject({ projects }: LinkedObjects, projectId: string | null): LinkedProject | null {
  if (projectId === null) return null;
  const found = projects.get(projectId);
  if (!found) throw referenceNotFound('projectId');
  return found;
}
