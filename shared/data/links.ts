import * as v from 'valibot';
import type { LinkNames, ProjectTerms } from '#shared/domain/entry.ts';
import { referenceNotFound } from '#shared/domain/problems.ts';
import { batchGet } from './batch.ts';
import { readClaims } from './claims.ts';
import { clientKey, projectKey, unlinkingKey } from './table.ts';

/**
 * What entries, timers and projects are linked to, as it is now. Read with strong consistency, so that a project is gone for everybody
 * from the moment of its deletion.
 */

const project = v.object({
  id: v.string(),
  name: v.string(),
  clientId: v.nullable(v.string()),
  defaultRate: v.nullable(v.string()),
  currency: v.string(),
  billable: v.boolean(),
});

export type LinkedProject = ProjectTerms & v.InferOutput<typeof project>;

const named = v.object({ id: v.string(), name: v.string() });

export interface LinkedObjects extends LinkNames {
  readonly projects: ReadonlyMap<string, LinkedProject>;
}

interface Linked {
  readonly projectId: string | null;
  readonly clientId: string | null;
  readonly claimId?: string | null;
}

/** Reads the distinct projects, clients and claims of some linked objects in one round trip, and the names of just deleted clients in a second. */
export async function readLinks(organizationId: string, linked: readonly Linked[]): Promise<LinkedObjects> {
  const projectIds = distinct(linked.map(({ projectId }) => projectId));
  const clientIds = distinct(linked.map(({ clientId }) => clientId));
  const [projects, clients, claims] = await Promise.all([
    batchGet(projectIds.map((id) => projectKey(organizationId, id))),
    batchGet(clientIds.map((id) => clientKey(organizationId, id))),
    readClaims(organizationId, linked),
  ]);
  const byId = new Map(clients.map((item) => v.parse(named, item)).map((client) => [client.id, client]));
  const missing = clientIds.filter((id) => !byId.has(id));
  const deleted = await batchGet(missing.map((id) => unlinkingKey(organizationId, 'client', id)));
  return {
    projects: new Map(projects.map((item) => v.parse(project, item)).map((found) => [found.id, found])),
    clients: byId,
    deletedClients: new Map(deleted.map((item) => v.parse(named, item)).map(({ id, name }) => [id, name])),
    claims,
  };
}

/** @throws Problem `reference_not_found` when the id is not among what was read */
export function linkedProject({ projects }: LinkedObjects, projectId: string | null): LinkedProject | null {
  if (projectId === null) return null;
  const found = projects.get(projectId);
  if (!found) throw referenceNotFound('projectId');
  return found;
}

/** The project that a body names, if it names one. */
export async function requireProject(
  organizationId: string,
  projectId: string | null = null,
): Promise<LinkedProject | null> {
  return linkedProject(await readLinks(organizationId, [{ projectId, clientId: null }]), projectId);
}

function distinct(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))];
}
