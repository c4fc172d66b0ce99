import { listProjects } from '#shared/contract/tracker/list-projects.ts';
import { readProjects } from '#shared/data/tracker/projects.ts';
import { presentProject } from '#shared/domain/tracker/project.ts';
import { implement } from '#shared/http/implement.ts';

/** GET /v1/work/tracker/projects: lists projects with their totals, newest first. */
export const handler = implement(listProjects, async ({ query, principal }) => {
  const { items, total } = await readProjects({ organizationId: principal.organizationId, ...query });
  return { items: items.map(presentProject), total };
});
