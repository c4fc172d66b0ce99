import { updateEntry } from '#shared/contract/tracker/entries.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import { changeEntry } from '#shared/data/tracker/entry-change.ts';
import { showEntry } from '#shared/data/tracker/links.ts';
import { reviseEntry } from '#shared/domain/tracker/entry.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /v1/work/tracker/entries/{id}: changes what is sent. Recomputes dates, clock times and duration together. */
export const handler = implement(updateEntry, {
  load: ({ params, principal }) => readEntry(principal.organizationId, params.id),
  show: showEntry,
  run: async ({ resource, body, now }) => {
    const { entry, links } = await changeEntry(resource, body, (current, project) =>
      Object.keys(body).length === 0 ? current : reviseEntry(current, body, project, now),
    );
    return presentEntry(entry, links);
  },
});
