import { updateEntry } from '#shared/contract/tracker/update-entry.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { implement } from '#shared/http/implement.ts';
import { changeEntry } from '#shared/work/tracker/change-entry.ts';
import { showEntry } from '#shared/work/tracker/show-entry.ts';

/** PATCH /v1/work/tracker/entries/{id}: changes what is sent. Recomputes dates, clock times and duration together. */
export const handler = implement(updateEntry, {
  load: ({ params, principal }) => readEntry(principal.organizationId, params.id),
  show: showEntry,
  run: ({ body, now, fresh, answer }) =>
    retrying(fresh, (entry) =>
      changeEntry(entry, body, now, (changed) => answer(changed, happening('entry.updated', changed))),
    ),
});
