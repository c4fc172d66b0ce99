import { deleteEntry } from '#shared/contract/tracker/delete-entry.ts';
import { resolveHolds } from '#shared/data/holds/billing.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { readEntry, writeEntries } from '#shared/data/tracker/entries.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { assertNotInvoiced } from '#shared/domain/tracker/entry.ts';
import { implement } from '#shared/http/implement.ts';
import { showEntry } from '#shared/work/tracker/show-entry.ts';

/** DELETE /v1/work/tracker/entries/{id}: removes an entry for good, unless it is on an invoice. */
export const handler = implement(deleteEntry, {
  load: ({ params, principal }) => readEntry(principal.organizationId, params.id),
  show: showEntry,
  run: ({ fresh, answer }) =>
    retrying(fresh, async (entry) => {
      assertNotInvoiced(entry, await resolveHolds(entry.organizationId, [entry]));
      const others = await answer(entry.id, happening('entry.deleted', entry));
      await writeEntries([{ before: entry, after: null }], { others });
      return entry.id;
    }),
});
