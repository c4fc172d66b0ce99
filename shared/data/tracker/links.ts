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
import type { Entry } from '#shared/domain/tracker/entry.ts';
import type { Holds } from '#shared/domain/tracker/hold.ts';
import { type LinkNames, presentEntry } from '#shared/domain/tracker/present-entry.ts';
import type { WantedLinks } from '#shared/domain/tracker/project-terms.ts';

/** A link to a deleted object stays in the table for ever, and nobody sees it from the moment of the deletion. */

export interface LinkedObjects extends LinkNames {
  readonly projects: ReadonlyMap<string, LinkedProject>;
}

interface Linked {
  readonly projectId: string | null;
  readonly clientId: string | null;
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
  const [{ projects, clients }, holds] = await Promise.all([
    readDirectoryFor(organizationId, linked, directory),
    known ?? readHolds(organizationId, linked),
  ]);
  const deleted = linked.flatMap(({ clientId }) => (clientId === null || clients.has(clientId) ? [] : clientId));
  return { projects, clients, deletedNames: await readDeletedNames(organizationId, deleted), holds };
}

const NOTHING: Omit<LinkNames, 'holds'> = { projects: new Map(), clients: new Map(), deletedNames: new Map() };

/** A single link is read by its key, which costs least. */
export async function readLinkNames(organizationId: string, linked: Linked): Promise<LinkNames> {
  const { projectId, clientId } = linked;
  if (projectId !== null && clientId !== null) return readLinks(organizationId, [linked]);
  const [project, client, holds] = await Promise.all([
    projectId === null ? undefined : findNamed(projectKey(organizationId, projectId)),
    clientId === null ? undefined : findNamed(clientKey(organizationId, clientId)),
    readHolds(organizationId, [linked]),
  ]);
  if (project) return { ...NOTHING, projects: new Map([[project.id, project]]), holds };
  if (client) return { ...NOTHING, clients: new Map([[client.id, client]]), holds };
  return {
    ...NOTHING,
    deletedNames: await readDeletedNames(organizationId, clientId === null ? [] : [clientId]),
    holds,
  };
}

export async function showEntry(entry: Entry) {
  return presentEntry(entry, await readLinkNames(entry.organizationId, entry));
}

const named = v.object({ id: v.string(), name: v.string() });

async function findNamed(key: Key): Promise<v.InferOutput<typeof named> | undefined> {
  const [item] = await batchGet([key]);
  return item && v.parse(named, item);
}

/** @throws Problem `reference_not_found` when the wanted client or project does not exist */
export async function readWantedLinks(
  organizationId: string,
  { projectId = null, clientId = null }: WantedLinks,
  linked: readonly Linked[] = [],
  holds?: Holds,
): Promise<LinkedObjects> {
  const wanted = [{ projectId, clientId }, ...linked];
  const links = await readLinks(organizationId, wanted, readDirectory(organizationId), holds);
  linkedProject(links, projectId);
  if (clientId !== null && !links.clients.has(clientId)) throw referenceNotFound('clientId');
  return links;
}

export function linkedProject({ projects }: LinkedObjects, projectId: string | null): LinkedProject | null {
  if (projectId === null) return null;
  const found = projects.get(projectId);
  if (!found) throw referenceNotFound('projectId');
  return found;
}
