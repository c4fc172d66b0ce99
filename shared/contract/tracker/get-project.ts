import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { exampleProject, project } from '#shared/contract/tracker/project.ts';

export const getProject = defineEndpoint({
  operationId: 'getProject',
  method: 'GET',
  path: '/v1/work/tracker/projects/{id}',
  area: 'tracker',
  summary: 'Get a project with its totals over all time',
  scope: 'tracker:read',
  response: { kind: 'resource', status: 200, schema: project },
  example: { response: exampleProject },
});
