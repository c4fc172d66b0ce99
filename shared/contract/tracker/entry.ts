import * as v from 'valibot';
import {
  clockTime,
  count,
  createdAt,
  currency,
  date,
  decimal,
  idInput,
  integer,
  organizationId,
  text,
  timestamp,
  updatedAt,
  uuid,
} from '#shared/contract/fields.ts';
import { described, nullableText } from '#shared/contract/meaning.ts';
import { shownMetadata } from '#shared/contract/metadata.ts';
import { rule } from '#shared/contract/rule.ts';
import { resource } from '#shared/contract/tagged.ts';
import { ENTRY_SOURCES, MAX_DURATION_MINUTES } from '#shared/domain/tracker/entry.ts';
import { BILLING_STATUSES } from '#shared/domain/tracker/present-entry.ts';
import { FIRST_WORK_DATE, isDate, isWorkDate, LAST_WORK_DATE } from '#shared/domain/tracker/work-time.ts';

export const entry = resource('WorkEntry', 'Work of one user on one day.', {
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
    v.pipe(integer, v.minValue(1)),
    'Whole minutes of work; may be fewer than from start to end, because of a break.',
  ),
  billedMinutes: described(
    integer,
    'The minutes that are billed: those of the work by the rule of the project, else of the organization, or as given. They are fixed when the entry is written, and those of the work if it is not billable.',
  ),
  quantity: described(v.string(), 'The billed minutes in hours, as a decimal string.'),
  unit: described(v.literal('hour'), 'The unit of the quantity.'),
  rate: described(
    v.nullable(decimal),
    'The price of an hour, fixed when the entry is written; null: none, and no invoice bills the entry.',
  ),
  currency: described(currency, 'The currency of rate and amount, as an ISO 4217 code.'),
  amount: nullableText(
    'Billed minutes / 60 x rate, rounded half up to the minor unit. Null without a rate; zero if not billable.',
  ),
  billable: described(v.boolean(), 'Whether the work is to be billed. No invoice bills an entry that is not billable.'),
  billingStatus: described(
    v.picklist(BILLING_STATUSES),
    '`invoiced` while a draft or an invoice holds the entry, which then refuses changes.',
  ),
  invoiceId: described(v.nullable(uuid), 'The invoice that bills the entry; null: none.'),
  isLocked: described(
    v.boolean(),
    'Whether the date is in the closed period of the organization (`lockedThrough`): the entry then refuses changes, but for those of `metadata` alone.',
  ),
  source: described(
    v.picklist(ENTRY_SOURCES),
    '`native_tracker`: typed in, or booked by a timer. `remote_api`: imported from the provider. `import`: imported from rows of any other source.',
  ),
  timerSessionId: described(v.nullable(uuid), 'The timer that booked the entry; null: none.'),
  clientId: described(v.nullable(uuid), 'The client who is billed; null: nobody yet.'),
  clientLabel: nullableText('The name of the client, or the name that an import brought; null without either.'),
  projectId: described(v.nullable(uuid), 'The project of the work; null: none.'),
  projectName: nullableText('The current name of the project; null without one.'),
  tags: described(v.array(v.string()), 'Words to sort work by.'),
  metadata: shownMetadata,
  createdAt,
  updatedAt,
});

const lockedThrough = { schema: described(date, 'The last date of the closed period.'), example: '2026-11-20' };

/** Members of the problem. */
export const periodLocked = { period_locked: { lockedThrough } };

export const billedMinutes = described(
  v.optional(v.nullable(v.pipe(count, v.maxValue(MAX_DURATION_MINUTES)))),
  'The minutes to bill, of a billable entry; null: by the rule of the project, else of the organization.',
);

export const description = text(1, 2_000);

export const link = v.nullable(idInput);

interface ClockTimes {
  readonly startTime?: string;
  readonly endTime?: string;
}

/** The issue points to the missing time. */
export function together<Body extends ClockTimes>(missing: keyof ClockTimes, given: keyof ClockTimes) {
  const isComplete = (body: Body) => body[given] === undefined || body[missing] !== undefined;
  return rule('required', `${missing} together with ${given}`, {}, isComplete, missing);
}

const MIDNIGHT = /T00:00(?::00(?:\.0{1,9})?)?(?:Z|[+-]00:00)$/;

const DAY_OR_MIDNIGHT = `^\\d{4}-\\d{2}-\\d{2}(?:${MIDNIGHT.source.slice(0, -1)})?$`;

const dayOf = (sent: string): string => sent.replace(MIDNIGHT, '');

/** A date, or its midnight, as which responses show it. */
export const entryDate = v.pipe(
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

export const startTime = described(
  v.optional(clockTime),
  'When the work began, on a clock in the zone of the user. It needs `endTime`.',
);

export const endTime = described(
  v.optional(clockTime),
  'When the work ended, on a clock in the zone of the user; at or before the start, on the next day. It needs `startTime`.',
);

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
  billedMinutes: 90,
  quantity: '1.5',
  unit: 'hour',
  rate: '120',
  currency: 'USD',
  amount: '180.00',
  billable: true,
  billingStatus: 'unbilled',
  invoiceId: null,
  isLocked: false,
  source: 'native_tracker',
  timerSessionId: null,
  clientId: null,
  clientLabel: null,
  projectId: null,
  projectName: null,
  tags: ['design'],
  metadata: {},
  createdAt: '2026-11-20T10:31:00.000Z',
  updatedAt: '2026-11-20T10:31:00.000Z',
};
