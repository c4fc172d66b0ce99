import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { project } from '#shared/contract/tracker/project.ts';

export const deleteProject = defineEndpoint({
  operationId: 'deleteProject',
  method: 'DELETE',
  path: '/v1/work/tracker/projects/{id}',
  of: project,
  area: 'tracker',
  summary: 'Delete a project',
  description: 'Its entries stay, without a project. Links to it vanish at once.',
  scope: 'tracker:write',
  events: ['project.deleted'],
  response: { kind: 'deletion' },
  example: {},
});
