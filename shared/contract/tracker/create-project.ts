import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { currencyInput } from '#shared/contract/fields.ts';
import { described, explainedBy } from '#shared/contract/meaning.ts';
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
  exampleFields,
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

const createBody = v.pipe(
  v.object({
    name,
    clientId: v.optional(clientId, null),
    code: v.optional(code, null),
    description: v.optional(description, null),
    externalRef: v.optional(externalRef, null),
    billingMode: v.optional(billingMode, 'hourly'),
    billable: v.optional(billable, false),
    rate: v.optional(rate),
    defaultRate: described(v.optional(rate), ANOTHER_NAME),
    currency: described(
      v.optional(currencyInput),
      'Default currency of new entries; by default that of the organization.',
    ),
    estimateHours: v.optional(estimateHours, null),
    status: v.optional(status, 'in_progress'),
    color: v.optional(color, null),
    tags: v.optional(tags, []),
    assignedUserIds: v.optional(assignedUserIds, []),
  }),
  explainedBy(meanings),
  oneRate(),
);

/** Names no client, because it must work in any organization. */
const exampleBody = { ...exampleFields, clientId: null, rate: 95.5 };

export const createProject = defineEndpoint({
  operationId: 'createProject',
  method: 'POST',
  path: '/v1/work/tracker/projects',
  area: 'tracker',
  summary: 'Create a project',
  description: '`currency` defaults to that of the organization. `rate` is returned as `defaultRate`.',
  scope: 'tracker:write',
  body: createBody,
  response: { kind: 'resource', status: 201, schema: project },
  problems: ['project_name_taken', 'reference_not_found'],
  example: { body: exampleBody, response: exampleProject },
});
