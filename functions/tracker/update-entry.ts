import { updateEntry } from '#shared/contract/entries.ts';
import { getEntry } from '#shared/data/entries.ts';
import { changeEntry } from '#shared/data/entry-change.ts';
import { assertNotInvoiced, presentEntry, reviseEntry } from '#shared/domain/entry.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /v1/work/tracker/entries/{id}: changes what is sent; dates, clock times and duration are recomputed together. */
export const handler = implement(updateEntry, {
  load: ({ params, principal }) => getEntry(principal.organizationId, params.id),
  run: async ({ resource, body, now }) => {
    const { entry, links } = await changeEntry(resource, body, (current, project) => {
      assertNotInvoiced(current);
      return Object.keys(body).length === 0 ? current : reviseEntry(current, body, project, now);
    });
    return presentEntry(entry, links);
  },
});
