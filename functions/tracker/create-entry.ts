import { createEntry } from '#shared/contract/tracker/create-entry.ts';
import { readUserZone } from '#shared/data/organization/time-zones.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import { linkedProject, readWantedLinks } from '#shared/data/tracker/links.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/entries: books time that the caller worked, or another user. */
export const handler = implement(createEntry, async ({ body, principal, now, newId, answer }) => {
  const { organizationId } = principal;
  const [links, timeZone] = await Promise.all([
    readWantedLinks(organizationId, body),
    body.startTime === undefined ? undefined : readUserZone(organizationId, body.userId ?? principal.userId),
  ]);
  const entry = newEntry({ ...body, timeZone }, linkedProject(links, body.projectId ?? null), principal, newId(), now);
  const shown = presentEntry(entry, links);
  await writeEntries(organizationId, [{ before: null, after: entry }], { others: await answer(shown) });
  return shown;
});
