import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import {
  createdAt,
  currency,
  decimal,
  idInput,
  instantInput,
  limit,
  offset,
  rateInput,
  text,
  timestamp,
  updatedAt,
  uuid,
} from '#shared/contract/fields.ts';
import { described, explainedBy, nullableText } from '#shared/contract/meaning.ts';
import { SESSION_STATUSES } from '#shared/domain/tracker/timer.ts';
import { entry, exampleEntry } from './entries.ts';

const minutes = v.pipe(v.number(), v.integer(), v.minValue(1));

export const session = v.pipe(
  v.object({
    id: described(uuid, 'The id of the session.'),
    status: described(v.picklist(SESSION_STATUSES), 'Whether it runs, was stopped, or was discarded.'),
    description: described(v.string(), 'The work being done; may be empty.'),
    clientId: described(v.nullable(uuid), 'The client who is billed; null: nobody yet.'),
    clientName: nullableText('The current name of the client; null without one.'),
    projectId: described(v.nullable(uuid), 'The project of the work; null: none.'),
    projectName: nullableText('The current name of the project; null without one.'),
    billable: described(v.boolean(), 'Whether the work is to be billed. No invoice bills time that is not billable.'),
    rate: described(v.nullable(decimal), 'The price of an hour; null: none, and no invoice bills the time.'),
    currency: described(currency, 'The currency of the rate, as an ISO 4217 code.'),
    startedAt: described(timestamp, 'When the work began: when the timer was started, unless another time was sent.'),
    stoppedAt: described(v.nullable(timestamp), 'When it was stopped or discarded; null while it runs.'),
    durationMinutes: described(v.nullable(minutes), 'Whole minutes, a started one included; null while it runs.'),
    workEntryId: described(
      v.nullable(uuid),
      'The entry that the stop made; it may be deleted by now. Null if it made none.',
    ),
    userId: described(uuid, 'The user of the timer.'),
    createdAt,
    updatedAt,
  }),
  v.description('A timer, from its start to its end.'),
  v.title('TimerSession'),
);

const description = text(0, 2_000);
const link = v.nullable(idInput);

const startBody = v.pipe(
  v.object({
    description: v.optional(description, ''),
    clientId: described(v.optional(link), 'The client who is billed; by default that of the project.'),
    projectId: v.optional(link),
    billable: described(
      v.optional(v.boolean()),
      'Whether the work is to be billed; by default as the project says, which is `false` unless it was set there.',
    ),
    rate: described(
      v.optional(v.nullable(rateInput)),
      'The price of an hour; by default that of the project. Zero is a rate; null: none, whatever the project has.',
    ),
  }),
  explainedBy(session),
);

const updateBody = v.pipe(
  v.object({
    description: v.optional(description),
    clientId: described(
      v.optional(link),
      'The client who is billed; null: nobody yet. With another `projectId`, by default that of the project.',
    ),
    projectId: v.optional(link),
    billable: v.optional(v.boolean()),
    rate: described(v.optional(v.nullable(rateInput)), 'The price of an hour; null: none.'),
    startedAt: described(
      v.optional(instantInput),
      'When the work began, with an offset from UTC: at most 31 days ago, and not in the future. The clock of a caller may be a minute ahead.',
    ),
  }),
  explainedBy(session),
);

const stopBody = v.pipe(
  v.object({
    description: v.optional(description),
    billable: v.optional(v.boolean()),
    rate: v.optional(v.nullable(rateInput)),
    createWorkEntry: described(v.optional(v.boolean(), true), 'False stops the timer without booking its time.'),
  }),
  explainedBy(session),
);

const exampleSession = {
  id: '019aa2f5-9d00-7c44-a2f3-1b0c9d8e7f6a',
  status: 'running',
  description: 'Kick-off workshop',
  clientId: null,
  clientName: null,
  projectId: null,
  projectName: null,
  billable: true,
  rate: '120',
  currency: 'USD',
  startedAt: '2026-11-20T09:00:00.000Z',
  stoppedAt: null,
  durationMinutes: null,
  workEntryId: null,
  userId: '019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f',
  createdAt: '2026-11-20T09:00:00.000Z',
  updatedAt: '2026-11-20T09:00:00.000Z',
};

const exampleWorkEntry = {
  ...exampleEntry,
  timerSessionId: exampleSession.id,
  createdAt: '2026-11-20T10:30:00.000Z',
  updatedAt: '2026-11-20T10:30:00.000Z',
};

const exampleEnd = {
  stoppedAt: '2026-11-20T10:30:00.000Z',
  durationMinutes: 90,
  updatedAt: '2026-11-20T10:30:00.000Z',
};

const exampleStopped = { ...exampleSession, ...exampleEnd, status: 'stopped', workEntryId: exampleWorkEntry.id };

const alreadyRunning = {
  timer_already_running: {
    session: { schema: described(session, 'The timer that runs already.'), example: exampleSession },
  },
};

const ended = described(session, 'The session as it ended.');
const booked = described(v.nullable(entry), 'The entry that the stop made; null if it made none.');

/** For the second of two tabs that stop the timer. */
const notRunning = {
  timer_not_running: {
    session: { schema: ended, example: exampleStopped },
    workEntry: { schema: booked, example: exampleWorkEntry },
  },
};

export const getActiveTimer = defineEndpoint({
  operationId: 'getActiveTimer',
  method: 'GET',
  path: '/v1/work/tracker/timer/active',
  area: 'tracker',
  summary: "Get the caller's running timer, or null",
  description: 'A timer runs until it is stopped or discarded, past midnight and for days.',
  scope: 'tracker:read',
  response: {
    kind: 'resource',
    status: 200,
    schema: described(v.nullable(session), 'The running timer; null if none runs.'),
  },
  example: { response: exampleSession },
});

export const startTimer = defineEndpoint({
  operationId: 'startTimer',
  method: 'POST',
  path: '/v1/work/tracker/timer/start',
  area: 'tracker',
  summary: 'Start a timer',
  description: [
    'A user has at most one running timer in an organization. If one runs, the problem is `timer_already_running`, with that timer as `session`.',
    'The client, the rate, the currency and whether the time is billable come from the project by default. A rate of 0 is a rate. Time without a project is billable by default, in the currency of the organization. No invoice bills time that is not billable or has no rate: a project is not billable unless it was made so.',
  ].join('\n\n'),
  scope: 'tracker:write',
  members: 'own',
  body: startBody,
  bodyOptional: true,
  response: { kind: 'resource', status: 201, schema: session },
  problems: ['reference_not_found', 'client_mismatch', 'timer_already_running'],
  problemMembers: alreadyRunning,
  example: { body: { description: 'Kick-off workshop', rate: 120 }, response: exampleSession },
});

export const updateTimer = defineEndpoint({
  operationId: 'updateTimer',
  method: 'PATCH',
  path: '/v1/work/tracker/timer/{sessionId}',
  area: 'tracker',
  summary: 'Change a running timer',
  description: [
    'Another project brings its client, or none if it has none, its rate and currency, and whether its time is billable, unless they are sent. `null` unlinks the client or the project, and leaves the rest as it is.',
    'A timer that was stopped or discarded, by another tab too, answers `timer_not_running`.',
  ].join('\n\n'),
  scope: 'tracker:write',
  members: 'own',
  body: updateBody,
  response: { kind: 'resource', status: 200, schema: session },
  problems: ['invalid_time_range', 'reference_not_found', 'client_mismatch', 'timer_not_running'],
  problemMembers: notRunning,
  example: {
    body: { startedAt: '2026-11-20T09:45:00+01:00' },
    response: { ...exampleSession, startedAt: '2026-11-20T08:45:00.000Z', updatedAt: '2026-11-20T09:10:00.000Z' },
  },
});

export const stopTimer = defineEndpoint({
  operationId: 'stopTimer',
  method: 'POST',
  path: '/v1/work/tracker/timer/{sessionId}/stop',
  area: 'tracker',
  summary: 'Stop a running timer and book its time',
  description: [
    'The body replaces values of the start. A started minute counts as a whole one. A timer that ran for more than a year counts 525,600 minutes, the maximum of an entry.',
    'The entry is on the date of the start in the zone of the user, else of the organization, else in UTC. Its description defaults to the name of the project, else to `Tracked time`. Links to a project or client deleted meanwhile are dropped; the name of the client stays as the label.',
    'One of several concurrent stops makes the entry. The others answer `timer_not_running` with the session and the entry.',
  ].join('\n\n'),
  scope: 'tracker:write',
  members: 'own',
  body: stopBody,
  bodyOptional: true,
  response: {
    kind: 'resource',
    status: 200,
    schema: v.pipe(
      v.object({
        session: ended,
        workEntry: booked,
        durationMinutes: described(minutes, 'Whole minutes that the timer ran, a started one included.'),
      }),
      v.description('The result of stopping a timer.'),
      v.title('StoppedTimer'),
    ),
  },
  problems: ['timer_not_running'],
  problemMembers: notRunning,
  example: {
    body: { description: 'Kick-off workshop', billable: true },
    response: { session: exampleStopped, workEntry: exampleWorkEntry, durationMinutes: 90 },
  },
});

export const discardTimer = defineEndpoint({
  operationId: 'discardTimer',
  method: 'POST',
  path: '/v1/work/tracker/timer/{sessionId}/discard',
  area: 'tracker',
  summary: 'Discard a running timer',
  description: 'Ends the session and books nothing.',
  scope: 'tracker:write',
  members: 'own',
  response: { kind: 'resource', status: 200, schema: session },
  problems: ['timer_not_running'],
  problemMembers: notRunning,
  example: { response: { ...exampleSession, ...exampleEnd, status: 'discarded' } },
});

export const listTimerSessions = defineEndpoint({
  operationId: 'listTimerSessions',
  method: 'GET',
  path: '/v1/work/tracker/timer/sessions',
  area: 'tracker',
  summary: "List the caller's timer sessions, newest first",
  scope: 'tracker:read',
  query: v.object({
    limit: limit(200, 50),
    offset,
    status: described(v.optional(v.picklist(SESSION_STATUSES)), 'Only sessions in this status.'),
  }),
  response: { kind: 'list', item: session },
  problems: ['range_too_large'],
  example: { response: exampleStopped },
});
