import * as v from 'valibot';
import {
  count,
  createdAt,
  currency,
  currencyInput,
  decimal,
  idInput,
  integer,
  list,
  nameText,
  organizationId,
  rateInput,
  text,
  updatedAt,
  uuid,
} from '#shared/contract/fields.ts';
import { described, explained, nullableText } from '#shared/contract/meaning.ts';
import { metadata, shownMetadata } from '#shared/contract/metadata.ts';
import { distinct, rule } from '#shared/contract/rule.ts';
import { resource } from '#shared/contract/tagged.ts';
import { exampleRounding, timeRounding, timeRoundingInput } from '#shared/contract/time-rounding.ts';
import { canonicalDecimal, type Decimal } from '#shared/domain/money.ts';
import { BILLING_MODES, PROJECT_STATUSES } from '#shared/domain/tracker/project.ts';
import type { UserRate } from '#shared/domain/tracker/project-terms.ts';

const MAX_TAGS = 20;

const MAX_ASSIGNED_USERS = 50;

const MAX_USER_RATES = 50;

const userRate = v.object({
  userId: described(uuid, 'The user who does the work.'),
  rate: described(decimal, 'The price of an hour of this user.'),
});

const billingMode = v.picklist(BILLING_MODES);

export const status = v.picklist(PROJECT_STATUSES);

/** The totals come from the entries. */
const projectFields = v.object({
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
    'The price of an hour for new entries and timers without a rate, of users without one in `userRates`; null: they have none, and no invoice bills them.',
  ),
  userRates: described(v.array(userRate), 'Rates of single users, which go before `defaultRate`.'),
  currency: described(currency, 'Default currency of new entries, as an ISO 4217 code.'),
  rounding: described(
    timeRounding,
    'How the time of each entry is rounded that is written from now on; null: as the organization says. A step of 1 rounds nothing.',
  ),
  estimateHours: described(v.nullable(count), 'The expected number of hours; null: not estimated.'),
  status: described(status, 'The state of the project. Time can be booked in any status.'),
  color: nullableText('The color to show the project in, such as `#0066cc`; null without one.'),
  tags: described(v.array(v.string()), 'Words to sort projects by.'),
  assignedUserIds: described(v.array(uuid), 'The users who work on it. A note: everybody can book time on it.'),
  metadata: shownMetadata,
  createdAt,
  updatedAt,
});

const exactSum = v.object({
  currency: described(currency, 'An ISO 4217 code.'),
  amount: described(v.string(), 'The sum in this currency, as a decimal string.'),
});

export const project = resource('Project', 'Work for a client, with the totals of its entries.', {
  ...projectFields.entries,
  totalMinutes: described(integer, 'All tracked minutes, over all time.'),
  billableMinutes: described(integer, 'Minutes of billable entries, over all time.'),
  billedMinutes: described(integer, 'What is billed of these.'),
  totalAmount: described(v.number(), "The sum of the billable entries' amounts in the project's currency."),
  amountsByCurrency: described(
    v.array(exactSum),
    "The exact sums of the billable entries' amounts in each currency that has one.",
  ),
});

/** As callers send them. */
export const members = v.object({
  name: nameText(255),
  clientId: v.nullable(idInput),
  code: v.nullable(text(0, 50)),
  description: v.nullable(text(0, 1_000)),
  externalRef: v.nullable(text(0, 255)),
  billingMode,
  billable: v.boolean(),
  rate: v.nullable(rateInput),
  defaultRate: described(v.nullable(rateInput), 'The name of `rate` in responses; may be sent instead of it.'),
  userRates: v.pipe(
    list(explained(userRate, { userId: idInput, rate: rateInput }), MAX_USER_RATES),
    distinct('no user twice', (rates: UserRate[]) => rates.map(({ userId }) => userId)),
  ),
  currency: currencyInput,
  rounding: timeRoundingInput,
  estimateHours: v.nullable(v.pipe(count, v.maxValue(Number.MAX_SAFE_INTEGER))),
  status,
  color: v.nullable(text(0, 20)),
  tags: list(text(1, 50), MAX_TAGS),
  assignedUserIds: list(uuid, MAX_ASSIGNED_USERS),
  metadata,
});

/** The `rate` of a request is the `defaultRate` of responses, which may be sent back. */
export const meanings = v.object({ ...project.entries, rate: project.entries.defaultRate });

interface Rates {
  readonly rate?: Decimal | null;
  readonly defaultRate?: Decimal | null;
}

const isSame = (one: Decimal | null, other: Decimal | null): boolean =>
  one === null || other === null ? one === other : canonicalDecimal(one) === canonicalDecimal(other);

export function oneRate<Body extends Rates>() {
  return rule(
    'exclusive',
    'the same as rate, of which it is another name',
    {},
    ({ rate, defaultRate }: Body) => rate === undefined || defaultRate === undefined || isSame(rate, defaultRate),
    'defaultRate',
  );
}

export const exampleFields = {
  clientId: '019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b',
  name: 'Website relaunch',
  code: 'WEB-1',
  description: 'Design and construction of the new site',
  externalRef: null,
  billingMode: 'hourly',
  billable: true,
  currency: 'USD',
  rounding: exampleRounding,
  estimateHours: 120,
  status: 'in_progress',
  color: '#0066cc',
  tags: ['web', 'design'],
  assignedUserIds: ['019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f'],
};

export const exampleProject = {
  id: '019aa2f4-8200-7f66-a4b5-3d2e1f0a9b8c',
  organizationId: '019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c',
  ...exampleFields,
  defaultRate: '95.5',
  userRates: [],
  metadata: {},
  totalMinutes: 150,
  billableMinutes: 120,
  billedMinutes: 120,
  totalAmount: 191,
  amountsByCurrency: [{ currency: 'USD', amount: '191.00' }],
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
};
