import { createEntry } from '#shared/contract/entries.ts';
import { insertEntry } from '#shared/data/entry-change.ts';
import { readLinks, requireProject } from '#shared/data/links.ts';
import { newEntry, presentEntry } from '#shared/domain/entry.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/entries: books time that the caller worked. */
export const handler = implement(createEntry, async ({ body, principal, now, newId }) => {
  const { organizationId } = principal;
  const project = await requireProject(organizationId, body.projectId);
  const id = newId();
  const linked = { projectId: project?.id ?? null, clientId: body.clientId ?? project?.clientId ?? null };
  const [entry, links] = await Promise.all([
    insertEntry(organizationId, project, (terms) => newEntry(body, terms, principal, id, now)),
    readLinks(organizationId, [linked]),
  ]);
  return presentEntry(entry, links);
});
