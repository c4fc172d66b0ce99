import {
  type Claims,
  type Entry,
  heldByPending,
  type ProjectTerms,
  withoutDeadClaim,
  withoutDeadLinks,
} from '#shared/domain/entry.ts';
import { whenSettled } from './claiming.ts';
import { readClaims } from './claims.ts';
import { getEntry, ProjectChanged, type StoredEntry, writeEntries } from './entries.ts';
import { type LinkedObjects, type LinkedProject, linkedProject, readLinks, requireProject } from './links.ts';
import { withFreshVersion } from './versioned.ts';

/** Changes of single entries that start again from the present state when another request was faster. */

/**
 * @param projectId the project to link to; null unlinks, undefined leaves the link as it is
 * @param change gets the entry without dead links and the project that it is linked to from now on
 * @returns the entry as it is now
 * @throws Problem `invoicing_in_progress`, and what `change` throws
 */
export async function changeEntry(
  entry: StoredEntry,
  projectId: string | null | undefined,
  change: (current: Entry, project: ProjectTerms | null) => Entry,
): Promise<Entry> {
  const { organizationId } = entry;
  return withFreshEntry(entry, async (current) => {
    const linked = [current, { projectId: projectId ?? null, clientId: null }];
    const links = await settled(current, () => readLinks(organizationId, linked));
    const visible = withoutDeadLinks(current, links);
    const wanted = linkedProject(links, projectId === undefined ? visible.projectId : projectId);
    const hasKnownClient = wanted?.clientId != null && links.clients.has(wanted.clientId);
    const project = hasKnownClient ? wanted : await withLiveClient(organizationId, wanted);
    const changed = change(visible, project);
    if (changed !== visible) await writeEntries(organizationId, [{ before: current, after: changed }]);
    return changed;
  });
}

/** What is read of an entry once its claim is settled. @throws Problem `invoicing_in_progress` */
function settled<Read extends { readonly claims: Claims }>(entry: Entry, read: () => Promise<Read>): Promise<Read> {
  return whenSettled(entry.organizationId, read, ({ claims }) => heldByPending(entry, claims));
}

/** For a moment a project still names a client that was just deleted: no entry that moves to it inherits that. */
async function withLiveClient(organizationId: string, project: ProjectTerms | null): Promise<ProjectTerms | null> {
  if (!project?.clientId) return project;
  const { clients } = await readLinks(organizationId, [{ projectId: null, clientId: project.clientId }]);
  return clients.has(project.clientId) ? project : { ...project, clientId: null };
}

export interface BookedEntry {
  readonly entry: Entry;
  /** What it is linked to. */
  readonly links: LinkedObjects;
}

/**
 * Books a new entry. A client that it has only from its project is not checked by itself, which would cost as much as another write, but by
 * the project's naming it. For a moment a project still names a client that was just deleted: where the links, which are read at the same time,
 * show that, the entry goes without it again.
 *
 * @param project what the entry is for
 * @param inheritsClient whether it has the project's client, since the caller said nothing of one
 * @param make the entry as it is with the project's terms
 * @throws Problem `reference_not_found` when the project, or a client that the caller named, does not exist (any more)
 */
export async function insertEntry(
  organizationId: string,
  project: LinkedProject | null,
  inheritsClient: boolean,
  make: (project: ProjectTerms | null) => Entry,
): Promise<BookedEntry> {
  for (let terms = project; ; terms = await requireProject(organizationId, project?.id)) {
    const entry = make(terms);
    const clientId = inheritsClient ? (terms?.clientId ?? null) : null;
    const namedClient = terms && clientId !== null ? { projectId: terms.id, clientId } : undefined;
    try {
      const [links] = await Promise.all([
        readLinks(organizationId, [entry]),
        writeEntries(organizationId, [{ before: null, after: entry }], { namedClient }),
      ]);
      const isDeleted = clientId !== null && !links.clients.has(clientId);
      return { entry: isDeleted ? await withoutClient(entry) : entry, links };
    } catch (error) {
      if (!(error instanceof ProjectChanged)) throw error;
    }
  }
}

/** Of an entry that was just booked, whatever comes of this: what it cannot take away, the worker does that removes all links to the client. */
async function withoutClient(booked: Entry): Promise<Entry> {
  const after = { ...booked, clientId: null };
  await writeEntries(booked.organizationId, [{ before: { ...booked, version: 1 }, after }]).catch(() => undefined);
  return after;
}

/** @param check throws where the entry may not be removed @throws Problem `invoicing_in_progress`, and what `check` throws */
export async function removeEntry(entry: StoredEntry, check: (current: Entry) => void): Promise<void> {
  await withFreshEntry(entry, async (current) => {
    const { organizationId } = current;
    const { claims } = await settled(current, async () => ({
      claims: await readClaims(organizationId, [current]),
    }));
    check(withoutDeadClaim(current, claims));
    await writeEntries(organizationId, [{ before: current, after: null }]);
  });
}

function withFreshEntry<T>(entry: StoredEntry, write: (current: StoredEntry) => Promise<T>): Promise<T> {
  return withFreshVersion(entry, () => getEntry(entry.organizationId, entry.id), write);
}
