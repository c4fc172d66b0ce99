import * as v from 'valibot';
import {
  addressDetails,
  bankAccount,
  contactDetails,
  electronicAddress,
  taxNumbers,
} from '#shared/contract/details.ts';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { currencyInput, integerFrom, nameText, text, timeZone, workDate } from '#shared/contract/fields.ts';
import { described, explainedBy } from '#shared/contract/meaning.ts';
import {
  exampleNumberings,
  exampleOrganization,
  exampleProfile,
  formatMeaning,
  locale,
  nextMeaning,
  organization,
} from '#shared/contract/organization/organization.ts';
import { matching, rule } from '#shared/contract/rule.ts';
import { taxRounding } from '#shared/contract/tax.ts';
import { timeRoundingInput } from '#shared/contract/time-rounding.ts';
import { isNumberFormat, MAX_FORMAT_CHARACTERS, MAX_POSITION } from '#shared/domain/organization/numbering.ts';
import { NO_PROFILE } from '#shared/domain/organization/organization.ts';

const COLOUR = /^#[0-9A-Fa-f]{6}$/;

const colour = v.pipe(v.string(), matching('colour', 'a colour such as #1d4e89', COLOUR, { examples: ['#1d4e89'] }));

const LINE_END = /\r\n?|[\n\u2028\u2029]/;

const atMostThreeLines = rule('lines', 'at most three lines', {}, (input: string) => input.split(LINE_END).length <= 3);

const format = v.pipe(
  v.string(),
  v.minLength(3),
  v.maxLength(MAX_FORMAT_CHARACTERS),
  rule(
    'number_format',
    'printable characters with one {n}, and at most one each of {yyyy}, {yy} and {mm}',
    { examples: ['RE-{yyyy}-{n:4}'] },
    isNumberFormat,
  ),
);

const next = integerFrom(1, MAX_POSITION);

const numbering = v.nullable(
  v.object({
    format: v.optional(described(v.nullable(format), `${formatMeaning} Null: the one by default.`)),
    next: v.optional(described(v.nullable(next), `${nextMeaning} Null: as if it was not sent.`)),
  }),
);

const changes = v.object({
  name: nameText(100),
  legalName: v.nullable(nameText(255)),
  ...addressDetails,
  ...contactDetails,
  ...taxNumbers,
  electronicAddress,
  registrationNumber: v.nullable(text(1, 255)),
  bankDetails: v.nullable(text(0, 1_000)),
  ...bankAccount,
  contactName: v.nullable(nameText(100)),
  paymentTermsDays: v.nullable(integerFrom(0, 365)),
  invoiceNotes: v.nullable(text(0, 2_000)),
  locale,
  /** Null: the one by default. */
  taxRounding: v.pipe(
    v.nullable(taxRounding),
    v.transform((rounding) => rounding ?? NO_PROFILE.taxRounding),
  ),
  rounding: timeRoundingInput,
  chronologicalNumbers: v.pipe(
    v.nullable(v.boolean()),
    v.transform((isWanted) => isWanted ?? NO_PROFILE.chronologicalNumbers),
  ),
  timeZone: v.nullable(timeZone),
  accentColor: v.nullable(colour),
  footer: v.nullable(v.pipe(text(0, 300), atMostThreeLines)),
  printsHours: v.pipe(
    v.nullable(v.boolean()),
    v.transform((isWanted) => isWanted ?? NO_PROFILE.printsHours),
  ),
  invoiceNumbering: numbering,
  creditNoteNumbering: numbering,
  currency: currencyInput,
  lockedThrough: v.nullable(workDate),
});

export const updateOrganization = defineEndpoint({
  operationId: 'updateOrganization',
  method: 'PATCH',
  path: '/v1/organization',
  area: 'organization',
  summary: 'Change the organization',
  description: [
    'Only the members that are sent change; null clears one. A former name is free for other organizations. The currency can change until the first invoice is sent. New invoices take it at once, other requests that give none may still take the former one for ten seconds, and what is there keeps its own.',
    'The ETag covers both `next` as well, so each invoice that is sent, and each credit note, changes it.',
    '`lockedThrough` is at most today, in the zone of the organization. From its answer on no entry of the closed period changes, not even by a request that began before. The feed has this event alone: `isLocked` of entries follows from the date.',
  ].join('\n\n'),
  scope: 'organization:write',
  body: v.pipe(v.partial(changes), explainedBy(organization)),
  events: ['organization.updated'],
  response: { kind: 'resource', status: 200, schema: organization },
  problems: ['currency_in_use', 'invalid_date_range', 'number_goes_back', 'organization_name_taken'],
  example: {
    body: { ...exampleProfile, invoiceNumbering: exampleNumberings.invoiceNumbering },
    response: exampleOrganization,
  },
});
