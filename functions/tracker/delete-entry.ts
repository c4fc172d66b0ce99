import { deleteEntry } from '#shared/contract/tracker/entries.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import { removeEntry } from '#shared/data/tracker/entry-change.ts';
import { showEntry } from '#shared/data/tracker/links.ts';
import { implement } from '#shared/http/implement.ts';

/** DELETE /v1/work/tracker/entries/{id}: removes an entry for good, unless it is on an invoice. */
export const handler = implement(deleteEntry, {
  load: ({ params, principal }) => readEntry(principal.organizationId, params.id),
  show: showEntry,
  run: async ({ resource }) => {
    await removeEntry(resource);
    return resource.id;
  },
});
