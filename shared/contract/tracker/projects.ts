import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import {
  createdAt,
  currency,
  currencyInput,
  decimal,
  idInput,
  limit,
  list,
  minutes,
  nameText,
  offset,
  organizationId,
  rateInput,
  searchText,
  text,
  updatedAt,
  uuid,
} from '#shared/contract/fields.ts';
import { described, explainedBy, nullableText } from '#shared/contract/meaning.ts';
import { rule } from '#shared/contract/rule.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { canonicalDecimal, type Decimal } from '#shared/domain/money.ts';
import { BILLING_MODES, PROJECT_STATUSES } from '#shared/domain/tracker/project.ts';

const MAX_TAGS = 20;
const MAX_ASSIGNED_USERS = 50;

const billingMode = v.picklist(BILLING_MODES);
const status = v.picklist(PROJECT_STATUSES);

/** The totals come from the entries. */
export const projectFields = v.object({
  id: described(uuid, 'The id of the project.'),
  organizationId,
  clientId: described(v.nullable(uuid), 'The client who is billed for the project; null: nobody yet.'),
  name: described(v.string(), 'Unique in the organization, ignoring case. Surrounding space is removed.'),
  code: nullableText('A short name, such as `WEB-1`; null without one.'),
  description: nullableText('The purpose of the project; null without a description.'),
  externalRef: nullableText('The reference of the project in another system; null without one.'),
  billingMode: described(billingMode, 'The agreed way of billing: a note, which computes nothing.'),
  billable: described(
    v.boolean(),
    'Whether timers that start on the project are billable by default. No invoice bills time that is not billable. Entries that are typed in are billable by default in any project.',
  ),
  defaultRate: described(
    v.nullable(decimal),
    'The price of an hour for new entries and timers without a rate; null: they have none, and no invoice bills them.',
  ),
  currency: described(currency, 'Default currency of new entries, as an ISO 4217 code.'),
  estimateHours: described(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
    'The expected number of hours; null: not estimated.',
  ),
  status: described(status, 'The state of the project. Time can be booked in any status.'),
  color: nullableText('The color to show the project in, such as `#0066cc`; null without one.'),
  tags: described(v.array(v.string()), 'Words to sort projects by.'),
  assignedUserIds: described(v.array(uuid), 'The users who work on it. A note: everybody can book time on it.'),
  createdAt,
  updatedAt,
});

const exactSum = v.object({
  currency: described(currency, 'An ISO 4217 code.'),
  amount: described(v.string(), 'The sum in this currency, as a decimal string.'),
});

export const project = v.pipe(
  v.object({
    ...projectFields.entries,
    totalMinutes: described(minutes, 'All tracked minutes, over all time.'),
    billableMinutes: described(minutes, 'Minutes of billable entries, over all time.'),
    totalAmount: described(v.number(), "The sum of the billable entries' amounts in the project's currency."),
    amountsByCurrency: described(
      v.array(exactSum),
      "The exact sums of the billable entries' amounts in each currency that has one.",
    ),
  }),
  v.description('Work for a client, with the totals of its entries.'),
  v.title('Project'),
  tagged(),
);

const name = nameText(255);
const clientId = v.nullable(idInput);
const code = v.nullable(text(0, 50));
const description = v.nullable(text(0, 1_000));
const externalRef = v.nullable(text(0, 255));
const billable = v.boolean();
const rate = v.nullable(rateInput);
const ANOTHER_NAME = 'The name of `rate` in responses; may be sent instead of it.';
const estimateHours = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER)));
const color = v.nullable(text(0, 20));
const tags = list(text(1, 50), MAX_TAGS);
const assignedUserIds = list(uuid, MAX_ASSIGNED_USERS);

/** The `rate` of a request is the `defaultRate` of responses, which may be sent back. */
const meanings = v.object({ ...project.entries, rate: project.entries.defaultRate });

interface Rates {
  readonly rate?: Decimal | null;
  readonly defaultRate?: Decimal | null;
}

const isSame = (one: Decimal | null, other: Decimal | null): boolean =>
  one === null || other === null ? one === other : canonicalDecimal(one) === canonicalDecimal(other);

/* @__NO_SIDE_EFFECTS__ */
function oneRate<Body extends Rates>() {
  return rule(
    'exclusive',
    'the same as rate, of which it is another name',
    {},
    ({ rate, defaultRate }: Body) => rate === undefined || defaultRate === undefined || isSame(rate, defaultRate),
    'defaultRate',
  );
}

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

const exampleFields = {
  clientId: '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b',
  name: 'Website relaunch',
  code: 'WEB-1',
  description: 'Design and construction of the new site',
  externalRef: null,
  billingMode: 'hourly',
  billable: true,
  currency: 'USD',
  estimateHours: 120,
  status: 'in_progress',
  color: '#0066cc',
  tags: ['web', 'design'],
  assignedUserIds: ['019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f'],
};

/** Names no client, because it must work in any organization. */
const exampleBody = { ...exampleFields, clientId: null, rate: 95.5 };

const exampleProject = {
  id: '019aa2f4-8200-7f66-a4b5-3d2e1f0a9b8c',
  organizationId: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  ...exampleFields,
  defaultRate: '95.5',
  totalMinutes: 150,
  billableMinutes: 120,
  totalAmount: 191,
  amountsByCurrency: [{ currency: 'USD', amount: '191.00' }],
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};

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

export const deleteProject = defineEndpoint({
  operationId: 'deleteProject',
  method: 'DELETE',
  path: '/v1/work/tracker/projects/{id}',
  area: 'tracker',
  summary: 'Delete a project',
  description: 'Its entries stay, without a project. Links to it vanish at once.',
  scope: 'tracker:write',
  response: { kind: 'deletion', of: project },
  example: {},
});
