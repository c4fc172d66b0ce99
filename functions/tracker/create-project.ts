import { createProject } from '#shared/contract/tracker/create-project.ts';
import { assertRatesOfUsers } from '#shared/data/tracker/links.ts';
import { insertProject } from '#shared/data/tracker/projects.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { newProject, presentProject } from '#shared/domain/tracker/project.ts';
import { implement } from '#shared/http/implement.ts';

/** POST /v1/work/tracker/projects: adds a project to the caller's organization. */
export const handler = implement(createProject, async ({ body, principal, now, newId, answer }) => {
  await assertRatesOfUsers(principal.organizationId, body.userRates);
  const project = newProject(body, principal, newId(), now);
  const shown = presentProject(project);
  await insertProject(project, await answer(shown, happening('project.created', shown)));
  return shown;
});
