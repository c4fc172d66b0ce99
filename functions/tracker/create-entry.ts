import { createEntry } from '#shared/contract/entries.ts';
import { insertEntry } from '#shared/data/entry-change.ts';
import { requireProject } from '#shared/data/links.ts';
import { newEntry, presentEntry } from '#shared/domain/entry.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/entries: books time that the caller worked. */
export const handler = implement(createEntry, async ({ body, principal, now, newId }) => {
  const { organizationId } = principal;
  const project = await requireProject(organizationId, body.projectId);
  const id = newId();
  const inheritsClient = body.clientId === undefined;
  const { entry, links } = await insertEntry(organizationId, project, inheritsClient, (terms) =>
    newEntry(body, terms, principal, id, now),
  );
  return presentEntry(entry, links);
});
