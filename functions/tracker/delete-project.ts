import { deleteProject } from '#shared/contract/tracker/delete-project.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { readProject, removeProject } from '#shared/data/tracker/projects.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { implement } from '#shared/http/implement.ts';
import { showProject } from '#shared/work/tracker/show-project.ts';

/** DELETE /v1/work/tracker/projects/{id}: removes a project. Links to it vanish at once. */
export const handler = implement(deleteProject, {
  load: ({ params, principal }) => readProject(principal.organizationId, params.id),
  show: showProject,
  run: ({ fresh, answer }) =>
    retrying(fresh, async (project) => {
      await removeProject(project, await answer(project.id, happening('project.deleted', project)));
      return project.id;
    }),
});
