import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { explainedBy } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { exampleProject, meanings, members, oneRate, project } from '#shared/contract/tracker/project.ts';

const changes = v.partial(members);

const updateBody = v.pipe(
  changes,
  explainedBy(meanings),
  rule(
    'required',
    'at least one field of a project',
    { minProperties: 1 },
    (sent: v.InferOutput<typeof changes>) => Object.keys(sent).length > 0,
  ),
  oneRate(),
);

export const updateProject = defineEndpoint({
  operationId: 'updateProject',
  method: 'PATCH',
  path: '/v1/work/tracker/projects/{id}',
  area: 'tracker',
  summary: 'Change a project',
  description:
    'Only the members that are sent change; at least one is required. New rates, a new currency or another `rounding` apply to new entries; existing ones keep theirs. `userRates` replaces the list, in which a user who was removed may stay.',
  scope: 'tracker:write',
  body: updateBody,
  bodyTakesAnyNames: true,
  events: ['project.updated'],
  response: { kind: 'resource', status: 200, schema: project },
  problems: ['project_name_taken', 'reference_not_found'],
  example: {
    body: { status: 'completed', rate: 100 },
    response: { ...exampleProject, status: 'completed', defaultRate: '100' },
  },
});
