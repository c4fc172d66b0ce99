import { createEntry } from '#shared/contract/tracker/entries.ts';
import { insertEntry } from '#shared/data/tracker/entry-change.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/entries: books time that the caller worked. */
export const handler = implement(createEntry, async ({ body, principal, now, newId, answer }) => {
  const { entry, links } = await insertEntry(principal.organizationId, body, (project, found) => {
    const made = newEntry(body, project, principal, newId(), now);
    answer(presentEntry(made, found));
    return made;
  });
  return presentEntry(entry, links);
});
