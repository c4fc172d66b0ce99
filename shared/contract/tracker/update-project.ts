import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { currencyInput } from '#shared/contract/fields.ts';
import { described, explainedBy } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import {
  ANOTHER_NAME,
  assignedUserIds,
  billable,
  billingMode,
  clientId,
  code,
  color,
  description,
  estimateHours,
  exampleProject,
  externalRef,
  meanings,
  name,
  oneRate,
  project,
  rate,
  status,
  tags,
} from '#shared/contract/tracker/project.ts';

const changes = v.partial(
  v.object({
    name,
    clientId,
    code,
    description,
    externalRef,
    billingMode,
    billable,
    rate,
    defaultRate: described(rate, ANOTHER_NAME),
    currency: currencyInput,
    estimateHours,
    status,
    color,
    tags,
    assignedUserIds,
  }),
);

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
    'Only the members that are sent change; at least one is required. A new rate or currency applies to new entries; existing ones keep theirs.',
  scope: 'tracker:write',
  body: updateBody,
  response: { kind: 'resource', status: 200, schema: project },
  problems: ['project_name_taken', 'reference_not_found'],
  example: {
    body: { status: 'completed', rate: 100 },
    response: { ...exampleProject, status: 'completed', defaultRate: '100' },
  },
});
