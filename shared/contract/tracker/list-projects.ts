import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { idInput, limit, offset, searchText } from '#shared/contract/fields.ts';
import { described } from '#shared/contract/meaning.ts';
import { exampleProject, project, status } from '#shared/contract/tracker/project.ts';

export const listProjects = defineEndpoint({
  operationId: 'listProjects',
  method: 'GET',
  path: '/v1/work/tracker/projects',
  area: 'tracker',
  summary: 'List projects with their totals, newest first',
  scope: 'tracker:read',
  query: v.object({
    limit: limit(200, 50),
    offset,
    status: described(v.optional(status), 'Only projects in this status.'),
    clientId: described(v.optional(idInput), 'Only projects of this client. An id that is not known finds nothing.'),
    q: v.optional(searchText("Part of the name, the code or the client's name, in any case.", 0, 200, 'website')),
  }),
  response: { kind: 'list', item: project },
  problems: ['range_too_large'],
  example: { response: exampleProject },
});
