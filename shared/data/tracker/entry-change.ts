import { readDirectory } from '#shared/data/clients/directory.ts';
import { withFreshVersion } from '#shared/data/dynamo/versioned.ts';
import { readSettledHolds } from '#shared/data/holds/billing.ts';
import { referenceNotFound } from '#shared/domain/problems.ts';
import { assertNotInvoiced, type Entry } from '#shared/domain/tracker/entry.ts';
import { withoutDeadLinks } from '#shared/domain/tracker/present-entry.ts';
import type { ProjectTerms, WantedLinks } from '#shared/domain/tracker/project-terms.ts';
import { readEntry, writeEntries } from './entries.ts';
import type { StoredEntry } from './entry-items.ts';
import { type LinkedObjects, linkedProject, readLinks } from './links.ts';

/** Changes of single entries. If another request was faster, they start again from the present state. */

export interface WrittenEntry {
  readonly entry: Entry;
  /** What the entry is linked to. */
  readonly links: LinkedObjects;
}

/**
 * Books a new entry.
 *
 * @param wanted what the entry is to be linked to
 * @param make makes the entry from the project's terms, right before it is written
 * @throws Problem `reference_not_found` when the project, or a client that the entry names, does not exist, or no
 * longer
 */
export async function insertEntry(
  organizationId: string,
  { projectId = null, clientId = null }: WantedLinks,
  make: (project: ProjectTerms | null, links: LinkedObjects) => Entry,
): Promise<WrittenEntry> {
  const links = await readLinks(organizationId, [{ projectId, clientId }]);
  const project = linkedProject(links, projectId);
  assertLinkable(links, clientId);
  const entry = make(project, links);
  await writeEntries(organizationId, [{ before: null, after: entry }]);
  return { entry, links };
}

/**
 * @param wanted links; null unlinks, undefined leaves a link as it is
 * @param change gets the entry without dead links, and the project that it is linked to from now on
 * @throws Problem `entry_invoiced`, `reference_not_found`, `invoicing_in_progress`, and what `change` throws
 */
export async function changeEntry(
  entry: StoredEntry,
  wanted: WantedLinks,
  change: (current: Entry, project: ProjectTerms | null) => Entry,
): Promise<WrittenEntry> {
  const { organizationId } = entry;
  return withFreshEntry(entry, async (current) => {
    const linked = [current, { projectId: wanted.projectId ?? null, clientId: wanted.clientId ?? null }];
    const holds = await readSettledHolds(organizationId, [current]);
    assertNotInvoiced(current, holds);
    const links = await readLinks(organizationId, linked, readDirectory(organizationId), holds);
    const visible = withoutDeadLinks(current, links);
    const project = linkedProject(links, wanted.projectId === undefined ? visible.projectId : wanted.projectId);
    const changed = change(visible, project);
    assertLinkable(links, wanted.clientId ?? null);
    if (changed !== visible) await writeEntries(organizationId, [{ before: current, after: changed }]);
    return { entry: changed, links };
  });
}

/** @throws Problem `reference_not_found` when the client does not exist */
function assertLinkable({ clients }: LinkedObjects, clientId: string | null): void {
  if (clientId !== null && !clients.has(clientId)) throw referenceNotFound('clientId');
}

/** @throws Problem `entry_invoiced`, `invoicing_in_progress` */
export async function removeEntry(entry: StoredEntry): Promise<void> {
  await withFreshEntry(entry, async (current) => {
    const { organizationId } = current;
    assertNotInvoiced(current, await readSettledHolds(organizationId, [current]));
    await writeEntries(organizationId, [{ before: current, after: null }]);
  });
}

function withFreshEntry<T>(entry: StoredEntry, write: (current: StoredEntry) => Promise<T>): Promise<T> {
  return withFreshVersion(entry, () => readEntry(entry.organizationId, entry.id), write);
}
