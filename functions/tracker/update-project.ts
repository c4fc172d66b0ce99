import { updateProject } from '#shared/contract/tracker/projects.ts';
import { changeProject, readProject, showProject } from '#shared/data/tracker/projects.ts';
import { presentProject, reviseProject } from '#shared/domain/tracker/project.ts';
import { implement } from '#shared/http/implement.ts';

/** PATCH /v1/work/tracker/projects/{id}: changes the members that are sent and no others. */
export const handler = implement(updateProject, {
  load: ({ params, principal }) => readProject(principal.organizationId, params.id),
  show: showProject,
  run: async ({ resource, body, now }) =>
    presentProject(await changeProject(resource, (project) => reviseProject(project, body, now), body.clientId)),
});
