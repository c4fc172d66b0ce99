import { getProject } from '#shared/contract/tracker/projects.ts';
import { readProject, withoutDeletedClient } from '#shared/data/tracker/projects.ts';
import { presentProject } from '#shared/domain/tracker/project.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/projects/{id}: one project with its totals over all time. */
export const handler = implement(getProject, async ({ params, principal }) =>
  presentProject(await withoutDeletedClient(await readProject(principal.organizationId, params.id))),
);
