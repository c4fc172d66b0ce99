import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { described, explained } from '#shared/contract/meaning.ts';
import {
  exampleFields,
  exampleProject,
  meanings,
  members,
  oneRate,
  project,
} from '#shared/contract/tracker/project.ts';

const sent = members.entries;

const createBody = v.pipe(
  explained(meanings, {
    ...sent,
    clientId: v.optional(sent.clientId, null),
    code: v.optional(sent.code, null),
    description: v.optional(sent.description, null),
    externalRef: v.optional(sent.externalRef, null),
    billingMode: v.optional(sent.billingMode, 'hourly'),
    billable: v.optional(sent.billable, false),
    rate: v.optional(sent.rate),
    defaultRate: v.optional(sent.defaultRate),
    userRates: v.optional(sent.userRates, []),
    currency: described(
      v.optional(sent.currency),
      'Default currency of new entries; by default that of the organization.',
    ),
    rounding: v.optional(sent.rounding, null),
    estimateHours: v.optional(sent.estimateHours, null),
    status: v.optional(sent.status, 'in_progress'),
    color: v.optional(sent.color, null),
    tags: v.optional(sent.tags, []),
    assignedUserIds: v.optional(sent.assignedUserIds, []),
    metadata: v.optional(sent.metadata),
  }),
  oneRate(),
);

/** Names no client, because it must work in any organization. */
const exampleBody = { ...exampleFields, clientId: null, rate: 95.5 };

export const createProject = defineEndpoint({
  operationId: 'createProject',
  method: 'POST',
  path: '/v1/work/tracker/projects',
  location: '/v1/work/tracker/projects/{id}',
  area: 'tracker',
  summary: 'Create a project',
  description: '`currency` defaults to that of the organization. `rate` is returned as `defaultRate`.',
  scope: 'tracker:write',
  body: createBody,
  bodyTakesAnyNames: true,
  events: ['project.created'],
  response: { kind: 'resource', status: 201, schema: project },
  problems: ['project_name_taken', 'reference_not_found'],
  example: { body: exampleBody, response: exampleProject },
});
