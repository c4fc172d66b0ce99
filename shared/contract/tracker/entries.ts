import * as v from 'valibot';
import { durationInput } from '#shared/contract/duration.ts';
import { defineEndpoint, MAX_TIMEOUT_SECONDS } from '#shared/contract/endpoint.ts';
import {
  clockTime,
  createdAt,
  currency,
  currencyInput,
  day,
  decimal,
  idInput,
  limit,
  minutes,
  offset,
  organizationId,
  rateInput,
  searchText,
  text,
  timestamp,
  updatedAt,
  uuid,
} from '#shared/contract/fields.ts';
import { described, explainedBy, nullableText } from '#shared/contract/meaning.ts';
import type { Listed } from '#shared/contract/pagination.ts';
import { rule } from '#shared/contract/rule.ts';
import { tagged } from '#shared/contract/tagged.ts';
import { entryListWeight } from '#shared/contract/weight.ts';
import { ENTRY_SOURCES } from '#shared/domain/tracker/entry.ts';
import { BILLING_STATUSES } from '#shared/domain/tracker/present-entry.ts';
import { FIRST_WORK_DATE, isDate, isWorkDate, LAST_WORK_DATE } from '#shared/domain/tracker/work-time.ts';

export const entry = v.pipe(
  v.object({
    id: described(uuid, 'The id of the entry.'),
    organizationId,
    userId: described(uuid, 'The user who did the work.'),
    userName: described(v.string(), 'The current name of the user, also of one who was removed.'),
    userLabel: nullableText('The name of the user at the provider, as an import brought it; null without one.'),
    description: described(v.string(), 'The work done.'),
    entryDate: described(timestamp, 'The day of the work, as its midnight in UTC.'),
    startedAt: described(v.nullable(timestamp), 'When the work began; null without clock times.'),
    endedAt: described(v.nullable(timestamp), 'When the work ended; null without clock times.'),
    durationMinutes: described(
      v.pipe(minutes, v.minValue(1)),
      'Whole minutes of work; may be fewer than from start to end, because of a break.',
    ),
    quantity: described(v.string(), 'The duration in hours, as a decimal string.'),
    unit: described(v.literal('hour'), 'The unit of the quantity.'),
    rate: described(
      v.nullable(decimal),
      'The price of an hour, fixed when the entry is written; null: none, and no invoice bills the entry.',
    ),
    currency: described(currency, 'The currency of rate and amount, as an ISO 4217 code.'),
    amount: nullableText(
      'Minutes / 60 x rate, rounded half up to the minor unit. Null without a rate; zero if not billable.',
    ),
    billable: described(
      v.boolean(),
      'Whether the work is to be billed. No invoice bills an entry that is not billable.',
    ),
    billingStatus: described(
      v.picklist(BILLING_STATUSES),
      '`invoiced` while a draft or an invoice holds the entry, which then refuses changes.',
    ),
    invoiceId: described(v.nullable(uuid), 'The invoice that bills the entry; null: none.'),
    source: described(
      v.picklist(ENTRY_SOURCES),
      '`native_tracker`: typed in, or booked by a timer. `remote_api`: imported.',
    ),
    timerSessionId: described(v.nullable(uuid), 'The timer that booked the entry; null: none.'),
    clientId: described(v.nullable(uuid), 'The client who is billed; null: nobody yet.'),
    clientLabel: nullableText('The name of the client, or the name that an import brought; null without either.'),
    projectId: described(v.nullable(uuid), 'The project of the work; null: none.'),
    projectName: nullableText('The current name of the project; null without one.'),
    createdAt,
    updatedAt,
  }),
  v.description('Work of one user on one day.'),
  v.title('WorkEntry'),
  tagged(),
);

const description = text(1, 2_000);
const link = v.nullable(idInput);

interface ClockTimes {
  readonly startTime?: string;
  readonly endTime?: string;
}

/** The issue points to the missing time. */
/* @__NO_SIDE_EFFECTS__ */
function together<Body extends ClockTimes>(missing: keyof ClockTimes, given: keyof ClockTimes) {
  const isComplete = (body: Body) => body[given] === undefined || body[missing] !== undefined;
  return rule('required', `${missing} together with ${given}`, {}, isComplete, missing);
}

const MIDNIGHT = /T00:00(?::00(?:\.0{1,9})?)?(?:Z|[+-]00:00)$/;

const DAY_OR_MIDNIGHT = `^\\d{4}-\\d{2}-\\d{2}(?:${MIDNIGHT.source.slice(0, -1)})?$`;

const dayOf = (sent: string): string => sent.replace(MIDNIGHT, '');

/** A date, or its midnight, as which responses show it. */
const entryDate = v.pipe(
  v.string(),
  rule(
    'date',
    'a date that exists, as YYYY-MM-DD or as its midnight in UTC',
    {
      pattern: DAY_OR_MIDNIGHT,
      anyOf: [
        { type: 'string', format: 'date' },
        { type: 'string', format: 'date-time' },
      ],
    },
    (sent: string) => isDate(dayOf(sent)),
  ),
  rule(
    'range',
    `a date from ${FIRST_WORK_DATE} to ${LAST_WORK_DATE}`,
    {},
    (sent: string) => !isDate(dayOf(sent)) || isWorkDate(dayOf(sent)),
  ),
  v.transform(dayOf),
  v.description(`The day of the work, from ${FIRST_WORK_DATE} to ${LAST_WORK_DATE}, or its midnight in UTC.`),
);
const startTime = described(
  v.optional(clockTime),
  'When the work began, on a clock in the zone of the user. It needs `endTime`.',
);
const endTime = described(
  v.optional(clockTime),
  'When the work ended, on a clock in the zone of the user; at or before the start, on the next day. It needs `startTime`.',
);

const createBody = v.pipe(
  v.object({
    userId: described(
      v.optional(idInput),
      'The user who did the work, who must be active; by default the caller. Only an admin may name another user.',
    ),
    description,
    durationMinutes: durationInput,
    entryDate,
    startTime,
    endTime,
    billable: v.optional(v.boolean(), true),
    rate: described(
      v.optional(v.nullable(rateInput)),
      'The price of an hour; by default that of the project. Zero is a rate; null: none, whatever the project has.',
    ),
    currency: described(
      v.optional(currencyInput),
      'The currency of the rate; by default that of the project, else of the organization.',
    ),
    clientId: described(v.optional(link), 'The client who is billed; by default that of the project.'),
    projectId: v.optional(link),
  }),
  explainedBy(entry),
  together('endTime', 'startTime'),
  together('startTime', 'endTime'),
);

const updateBody = v.pipe(
  v.object({
    userId: described(
      v.optional(idInput),
      'The user who did the work; a new one must be active. Only an admin may name another user than itself.',
    ),
    description: v.optional(description),
    durationMinutes: v.optional(durationInput),
    entryDate: v.optional(entryDate),
    startTime,
    endTime,
    billable: v.optional(v.boolean()),
    rate: described(v.optional(v.nullable(rateInput)), 'The price of an hour; null: none.'),
    currency: v.optional(currencyInput),
    clientId: v.optional(link),
    projectId: v.optional(link),
  }),
  explainedBy(entry),
  together('endTime', 'startTime'),
  together('startTime', 'endTime'),
);

const exampleBody = {
  description: 'Kick-off workshop',
  durationMinutes: 90,
  entryDate: '2026-11-20',
  startTime: '09:00',
  endTime: '10:30',
  rate: 120,
  currency: 'USD',
};

export const exampleEntry = {
  id: '019aa2f6-1c00-7a3b-9d52-3f0c8f1d2a61',
  organizationId: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  userId: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  userName: 'Ana',
  userLabel: null,
  description: 'Kick-off workshop',
  entryDate: '2026-11-20T00:00:00.000Z',
  startedAt: '2026-11-20T09:00:00.000Z',
  endedAt: '2026-11-20T10:30:00.000Z',
  durationMinutes: 90,
  quantity: '1.5',
  unit: 'hour',
  rate: '120',
  currency: 'USD',
  amount: '180.00',
  billable: true,
  billingStatus: 'unbilled',
  invoiceId: null,
  source: 'native_tracker',
  timerSessionId: null,
  clientId: null,
  clientLabel: null,
  projectId: null,
  projectName: null,
  createdAt: '2026-11-20T10:31:00.000Z',
  updatedAt: '2026-11-20T10:31:00.000Z',
};

export const createEntry = defineEndpoint({
  operationId: 'createEntry',
  method: 'POST',
  path: '/v1/work/tracker/entries',
  area: 'tracker',
  summary: 'Create a work entry',
  description: [
    '`rate` and `clientId` default to those of the project, the rate only in the same currency. `currency` defaults to that of the project, else of the organization.',
    'Clock times are those of the zone of the user, else of the organization, else of UTC. They are kept as instants, so that a later change of the zone changes no entry. A time that a change to summer time skips is moved forward by the gap; one that comes twice is the first.',
  ].join('\n\n'),
  scope: 'tracker:write',
  members: 'own',
  body: createBody,
  response: { kind: 'resource', status: 201, schema: entry },
  problems: ['reference_not_found', 'client_mismatch', 'invalid_time_range', 'not_yours'],
  example: { body: exampleBody, response: exampleEntry },
});

/** The cost of filters that only the entries themselves can answer. */
const SCANNED = 'Reads all entries of the range, at most 50,000 and 100 MB: `dateFrom` and `dateTo` narrow it.';

export const listEntries = defineEndpoint({
  operationId: 'listEntries',
  method: 'GET',
  path: '/v1/work/tracker/entries',
  area: 'tracker',
  summary: 'List native and imported entries',
  description: 'Newest first: by date, then start, then creation. A CSV file ignores `limit` and `offset`.',
  scope: 'tracker:read',
  weight: entryListWeight,
  query: v.object({
    limit: limit(200, 50),
    offset,
    dateFrom: v.optional(day('The first day, inclusive.', '2026-11-01')),
    dateTo: v.optional(day('The last day, inclusive.', '2026-11-30')),
    projectId: described(v.optional(idInput), 'Only entries of this project.'),
    clientId: described(v.optional(idInput), 'Only entries of this client.'),
    source: v.optional(
      v.pipe(
        text(1, 50),
        v.description('`native_tracker` or `remote_api`; any other value finds nothing.'),
        v.examples(['remote_api']),
      ),
    ),
    billable: described(v.optional(v.boolean()), 'Only entries that are billable, or only those that are not.'),
    userId: described(v.optional(idInput), `Only work of this user. ${SCANNED}`),
    billingStatus: described(v.optional(v.picklist(BILLING_STATUSES)), `Only entries with this status. ${SCANNED}`),
    invoiceId: described(v.optional(idInput), `Only entries on this invoice. ${SCANNED}`),
    q: v.optional(
      searchText(
        `Part of the description, of the client label or of the user label, in any case. ${SCANNED}`,
        0,
        200,
        'workshop',
      ),
    ),
  }),
  response: { kind: 'list', item: entry },
  csv: {
    fileName: 'entries.csv',
    table: ({ items }: Listed<v.InferOutput<typeof entry>>) => ({ columns: Object.keys(entry.entries), rows: items }),
    example: { result: { items: [exampleEntry] } },
  },
  problems: ['invalid_date_range', 'range_too_large'],
  timeoutSeconds: MAX_TIMEOUT_SECONDS,
  example: { response: exampleEntry },
});

export const getEntry = defineEndpoint({
  operationId: 'getEntry',
  method: 'GET',
  path: '/v1/work/tracker/entries/{id}',
  area: 'tracker',
  summary: 'Get a work entry',
  scope: 'tracker:read',
  response: { kind: 'resource', status: 200, schema: entry },
  example: { response: exampleEntry },
});

export const updateEntry = defineEndpoint({
  operationId: 'updateEntry',
  method: 'PATCH',
  path: '/v1/work/tracker/entries/{id}',
  area: 'tracker',
  summary: 'Change a work entry',
  description: [
    'Clock times without a duration set the duration to their span. A duration without clock times moves the end. A new date keeps the clock times. The span is of elapsed minutes, of which a change of summer time makes more or fewer. `null` unlinks the client or the project.',
    'An invoiced entry refuses changes. While a request is putting it on an invoice, the problem is `invoicing_in_progress` with `Retry-After`.',
  ].join('\n\n'),
  scope: 'tracker:write',
  members: 'own',
  body: updateBody,
  response: { kind: 'resource', status: 200, schema: entry },
  problems: [
    'reference_not_found',
    'client_mismatch',
    'invalid_time_range',
    'entry_invoiced',
    'invoicing_in_progress',
    'not_yours',
  ],
  example: {
    body: { durationMinutes: 60 },
    response: {
      ...exampleEntry,
      durationMinutes: 60,
      quantity: '1',
      amount: '120.00',
      endedAt: '2026-11-20T10:00:00.000Z',
    },
  },
});

export const deleteEntry = defineEndpoint({
  operationId: 'deleteEntry',
  method: 'DELETE',
  path: '/v1/work/tracker/entries/{id}',
  area: 'tracker',
  summary: 'Delete a work entry for good',
  description:
    'An invoiced entry cannot be deleted. While a request is putting it on an invoice, the problem is `invoicing_in_progress` with `Retry-After`.',
  scope: 'tracker:write',
  members: 'own',
  response: { kind: 'deletion', of: entry },
  problems: ['entry_invoiced', 'invoicing_in_progress', 'not_yours'],
  example: {},
});
