import { deleteProject } from '#shared/contract/projects.ts';
import { getProject, deleteProject as removeProject } from '#shared/data/projects.ts';
import { implement } from '#shared/http/implement.ts';
import { requestUnlink } from '#shared/queue/unlinks.ts';

/** DELETE /v1/work/tracker/projects/{id}: removes a project at once; a worker then removes what its entries remember of it. */
export const handler = implement(deleteProject, {
  load: ({ params, principal }) => getProject(principal.organizationId, params.id),
  run: async ({ resource, now }) => {
    const { organizationId, id } = resource;
    await removeProject(resource, now);
    await requestUnlink({ kind: 'project', organizationId, id });
    return id;
  },
});
