import { createEntry } from '#shared/contract/tracker/create-entry.ts';
import { readUserZone } from '#shared/data/organization/time-zones.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import { metadataWrites } from '#shared/data/tracker/entry-metadata.ts';
import { linkedProject, readWantedLinks } from '#shared/data/tracker/links.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { mergedMetadata, NO_METADATA } from '#shared/domain/metadata.ts';
import { newEntry, withMetadata } from '#shared/domain/tracker/entry.ts';
import { presentEntry, UNLOCKED } from '#shared/domain/tracker/present-entry.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/entries: books time that the caller worked, or another user. */
export const handler = implement(createEntry, async ({ body, principal, now, newId, answer }) => {
  const { organizationId } = principal;
  const [links, timeZone] = await Promise.all([
    readWantedLinks(organizationId, body),
    body.startTime === undefined ? undefined : readUserZone(organizationId, body.userId ?? principal.userId),
  ]);
  const owner = { ...principal, rounding: links.rounding };
  const made = newEntry({ ...body, timeZone }, linkedProject(links, body.projectId ?? null), owner, newId(), now);
  const metadata = mergedMetadata(NO_METADATA, body.metadata);
  const entry = withMetadata(made, NO_METADATA, metadata, now);
  const shown = presentEntry(entry, { ...links, ...UNLOCKED, metadata: new Map([[entry.id, metadata]]) });
  const answered = await answer(shown, happening('entry.created', shown));
  const others = [...answered, ...metadataWrites(entry, NO_METADATA, metadata)];
  await writeEntries([{ before: null, after: entry }], { others });
  return shown;
});
