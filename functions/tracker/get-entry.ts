import { getEntry } from '#shared/contract/tracker/get-entry.ts';
import { readDirectory } from '#shared/data/directory/directory.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import { readLinks } from '#shared/data/tracker/links.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/entries/{id}: one entry, with the present names of all that it is linked to. */
export const handler = implement(getEntry, async ({ params, principal: { organizationId } }) => {
  const directory = readDirectory(organizationId);
  const [entry] = await Promise.all([readEntry(organizationId, params.id), directory]);
  return presentEntry(entry, await readLinks(organizationId, [entry], directory));
});
