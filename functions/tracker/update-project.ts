import { updateProject } from '#shared/contract/tracker/update-project.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { assertRatesOfUsers } from '#shared/data/tracker/links.ts';
import { readProject, saveProject, withoutDeletedClient } from '#shared/data/tracker/projects.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { presentProject, reviseProject } from '#shared/domain/tracker/project.ts';
import { implement } from '#shared/http/implement.ts';
import { showProject } from '#shared/work/tracker/show-project.ts';

/** PATCH /v1/work/tracker/projects/{id}: changes the members that are sent and no others. */
export const handler = implement(updateProject, {
  load: ({ params, principal }) => readProject(principal.organizationId, params.id),
  show: showProject,
  run: ({ body, now, fresh, answer }) =>
    retrying(fresh, async (stored) => {
      const project = await withoutDeletedClient(stored);
      await assertRatesOfUsers(project.organizationId, body.userRates ?? [], project.userRates);
      const changed = reviseProject(project, body, now);
      const shown = presentProject(changed);
      const others = await answer(shown, happening('project.updated', shown));
      await saveProject(project, changed, body.clientId, others);
      return shown;
    }),
});
