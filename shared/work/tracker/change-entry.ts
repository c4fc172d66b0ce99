import { resolveHolds } from '#shared/data/holds/billing.ts';
import { readUserZone } from '#shared/data/organization/time-zones.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { metadataWrites } from '#shared/data/tracker/entry-metadata.ts';
import { linkedProject, readWantedLinks } from '#shared/data/tracker/links.ts';
import { mergedMetadata, NO_METADATA } from '#shared/domain/metadata.ts';
import { assertNotInvoiced, type EntryChanges, reviseEntry, withMetadata } from '#shared/domain/tracker/entry.ts';
import { type PresentedEntry, presentEntry, UNLOCKED, withoutDeadLinks } from '#shared/domain/tracker/present-entry.ts';
import type { WantedLinks } from '#shared/domain/tracker/project-terms.ts';

/**
 * Metadata alone change no more than themselves, also on an invoice.
 *
 * @param changes null unlinks, undefined leaves a link as it is
 * @throws Problem `entry_invoiced`, `invoicing_in_progress`, `reference_not_found`, `client_mismatch`,
 *   `invalid_time_range`, `validation_failed`, `period_locked`; ConditionFailed
 */
export async function changeEntry(
  entry: StoredEntry,
  { metadata: facts, ...changes }: EntryChanges & WantedLinks,
  now: Date,
  answer?: (changed: PresentedEntry) => Promise<readonly Write[]>,
): Promise<PresentedEntry> {
  const { organizationId } = entry;
  const keepsHold = facts !== undefined && Object.keys(changes).length === 0;
  const holds = keepsHold ? undefined : await resolveHolds(organizationId, [entry]);
  if (holds) assertNotInvoiced(entry, holds);
  const [links, timeZone] = await Promise.all([
    readWantedLinks(organizationId, changes, [entry], holds),
    needsZone(entry, changes) ? readUserZone(organizationId, changes.userId ?? entry.userId) : undefined,
  ]);
  const visible = withoutDeadLinks(entry, links);
  const project = linkedProject(links, changes.projectId === undefined ? visible.projectId : changes.projectId);
  const before = links.metadata.get(entry.id) ?? NO_METADATA;
  const metadata = mergedMetadata(before, facts);
  const revised = keepsHold ? entry : reviseEntry(visible, { ...changes, timeZone }, project, now, links);
  const changed = withMetadata(revised, before, metadata, now);
  const keepsWork = revised === visible || revised === entry;
  const names = { ...links, metadata: new Map([[entry.id, metadata]]) };
  const shown = presentEntry(changed, keepsWork ? names : { ...names, ...UNLOCKED });
  const answered = (await answer?.(shown)) ?? [];
  if (changed === visible || changed === entry) return shown;
  const others = [...answered, ...metadataWrites(entry, before, metadata)];
  await writeEntries([{ before: entry, after: changed, keepsHold, keepsWork }], { others });
  return shown;
}

/** Only clock times are of a zone. */
function needsZone({ startedAt }: StoredEntry, { startTime, entryDate }: EntryChanges): boolean {
  return startTime !== undefined || (startedAt !== null && entryDate !== undefined);
}
