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
import { nullableTexts, texts } from '#shared/data/table/members.ts';
import type { Metadata } from '#shared/domain/metadata.ts';
import { referenceNotFound } from '#shared/domain/problems.ts';
import type { Holds } from '#shared/domain/tracker/hold.ts';
import type { LinkNames } from '#shared/domain/tracker/present-entry.ts';
import type { UserRate, WantedLinks } from '#shared/domain/tracker/project-terms.ts';
import { readMetadata, type WithMetadata } from './entry-metadata.ts';

/** A link to a deleted object stays in the table for ever, and nobody sees it from the moment of the deletion. */

export interface LinkedObjects extends LinkNames {
  readonly projects: ReadonlyMap<string, LinkedProject>;
  readonly users: Directory['users'];
  readonly rounding: Directory['rounding'];
  readonly metadata: ReadonlyMap<string, Metadata>;
}

interface Linked extends WithMetadata {
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
  const [{ projects, clients, users, lockedThrough, rounding }, holds, metadata] = await Promise.all([
    readDirectoryFor(organizationId, linked, directory),
    known ?? readHolds(organizationId, linked),
    readMetadata(organizationId, linked),
  ]);
  const deleted = linked.flatMap(({ clientId }) => (clientId === null || clients.has(clientId) ? [] : clientId));
  const deletedNames = await readDeletedNames(organizationId, deleted);
  return { projects, clients, users, lockedThrough, rounding, deletedNames, holds, metadata };
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

export const userRates = v.optional(v.array(v.object(texts('userId', 'rate'))), []);

/** All that decides about a rate is of one reading. */
const priced = v.object({ ...texts('id', 'currency'), ...nullableTexts('defaultRate'), userRates });

/** @returns the projects, the wanted ones with the rates of their users */
export async function withUserRates(
  organizationId: string,
  projects: ReadonlyMap<string, LinkedProject>,
  wantedIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, LinkedProject>> {
  const wanted = [...new Set(wantedIds)].flatMap((id) => projects.get(id ?? '') ?? []);
  const rated = wanted.filter(({ hasUserRates }) => hasUserRates);
  if (rated.length === 0) return projects;
  const items = await batchGet(rated.map(({ id }) => projectKey(organizationId, id)));
  const terms = new Map(v.parse(v.array(priced), items).map((each) => [each.id, each]));
  return new Map([
    ...projects,
    ...rated.map((project) => [project.id, { ...project, ...terms.get(project.id) }] as const),
  ]);
}

/** @param kept users whose rates stay, also of one who was removed @throws Problem `reference_not_found` */
export async function assertRatesOfUsers(
  organizationId: string,
  rates: readonly UserRate[],
  kept: readonly UserRate[] = [],
): Promise<void> {
  const keptIds = new Set(kept.map(({ userId }) => userId));
  if (rates.every(({ userId }) => keptIds.has(userId))) return;
  const { users } = await readDirectory(organizationId);
  const unknown = rates.findIndex(({ userId }) => !keptIds.has(userId) && !users.get(userId)?.isActive);
  if (unknown >= 0) throw referenceNotFound(`userRates.${unknown}.userId`);
}

/**
 * @param linked that keep what they are linked to, also a user who was removed
 * @returns with the rates of users of the wanted project
 * @throws Problem `reference_not_found` when the wanted client does not exist, or the user is not active
 */
export async function readWantedLinks(
  organizationId: string,
  { projectId = null, clientId = null, userId }: WantedLinks,
  linked: readonly Linked[] = [],
  holds?: Holds,
): Promise<LinkedObjects> {
  const wanted = [{ projectId, clientId }, ...linked];
  const links = await readLinks(organizationId, wanted, readDirectory(organizationId), holds);
  if (clientId !== null && !links.clients.has(clientId)) throw referenceNotFound('clientId');
  const isKept = userId === undefined || linked.some((each) => each.userId === userId);
  if (!isKept && !links.users.get(userId)?.isActive) throw referenceNotFound('userId');
  return { ...links, projects: await withUserRates(organizationId, links.projects, [projectId]) };
}

/** @throws Problem `reference_not_found` */
export function linkedProject({ projects }: LinkedObjects, projectId: string | null): LinkedProject | null {
  if (projectId === null) return null;
  const found = projects.get(projectId);
  if (!found) throw referenceNotFound('projectId');
  return found;
}
