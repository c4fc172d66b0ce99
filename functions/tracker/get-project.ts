import { getProject } from '#shared/contract/tracker/get-project.ts';
import { readProject } from '#shared/data/tracker/projects.ts';
import { implement } from '#shared/http/implement.ts';
import { showProject } from '#shared/work/tracker/show-project.ts';

/** GET /v1/work/tracker/projects/{id}: one project with its totals over all time. */
export const handler = implement(getProject, async ({ params, principal }) =>
  showProject(await readProject(principal.organizationId, params.id)),
);
