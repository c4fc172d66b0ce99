import { getEntry } from '#shared/contract/tracker/entries.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import { showEntry } from '#shared/data/tracker/links.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/entries/{id}: one entry, with the present name of its client. */
export const handler = implement(getEntry, async ({ params, principal }) =>
  showEntry(await readEntry(principal.organizationId, params.id)),
);
