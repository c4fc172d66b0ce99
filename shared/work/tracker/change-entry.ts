import { resolveHolds } from '#shared/data/holds/billing.ts';
import { readUserZone } from '#shared/data/organization/time-zones.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { linkedProject, readWantedLinks } from '#shared/data/tracker/links.ts';
import { assertNotInvoiced, type EntryChanges, reviseEntry } from '#shared/domain/tracker/entry.ts';
import { type PresentedEntry, presentEntry, withoutDeadLinks } from '#shared/domain/tracker/present-entry.ts';
import type { WantedLinks } from '#shared/domain/tracker/project-terms.ts';

/**
 * @param changes null unlinks, undefined leaves a link as it is
 * @throws Problem `entry_invoiced`, `invoicing_in_progress`, `reference_not_found`, `client_mismatch`,
 *   `invalid_time_range`; ConditionFailed
 */
export async function changeEntry(
  entry: StoredEntry,
  changes: EntryChanges & WantedLinks,
  now: Date,
  answer?: (changed: PresentedEntry) => Promise<unknown>,
): Promise<PresentedEntry> {
  const { organizationId } = entry;
  const holds = await resolveHolds(organizationId, [entry]);
  assertNotInvoiced(entry, holds);
  const [links, timeZone] = await Promise.all([
    readWantedLinks(organizationId, changes, [entry], holds),
    needsZone(entry, changes) ? readUserZone(organizationId, changes.userId ?? entry.userId) : undefined,
  ]);
  const visible = withoutDeadLinks(entry, links);
  if (Object.keys(changes).length === 0) return presentEntry(visible, links);
  const project = linkedProject(links, changes.projectId === undefined ? visible.projectId : changes.projectId);
  const changed = reviseEntry(visible, { ...changes, timeZone }, project, now);
  const shown = presentEntry(changed, links);
  await answer?.(shown);
  await writeEntries(organizationId, [{ before: entry, after: changed }]);
  return shown;
}

/** Only clock times are of a zone. */
function needsZone({ startedAt }: StoredEntry, { startTime, entryDate }: EntryChanges): boolean {
  return startTime !== undefined || (startedAt !== null && entryDate !== undefined);
}
