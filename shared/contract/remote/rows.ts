import * as v from 'valibot';
import { durationInput } from '#shared/contract/duration.ts';
import {
  currency,
  currencyInput,
  date,
  integer,
  isMap,
  rateInput,
  TEXT_PATTERN,
  text,
  uuid,
  workDate,
} from '#shared/contract/fields.ts';
import { component, described, explained, nullableText } from '#shared/contract/meaning.ts';
import { type JsonSchemaFragment, rule } from '#shared/contract/rule.ts';
import { tags } from '#shared/contract/tags.ts';
import { canonicalDecimal } from '#shared/domain/money.ts';
import { VISIBILITIES } from '#shared/domain/remote/connection.ts';
import { hasControls } from '#shared/domain/text.ts';
import { FIRST_WORK_DATE, LAST_WORK_DATE } from '#shared/domain/tracker/work-time.ts';

export const MAX_ROWS = 10_000;

export const visibility = described(
  v.picklist(VISIBILITIES),
  'The entries that the credential shows: those of everybody, of the teams of its user, or only those of its user.',
);

const rowFields = {
  date: described(date, 'The day of the work.'),
  durationMinutes: described(v.pipe(integer, v.minValue(1)), 'Whole minutes of work.'),
  description: described(v.string(), 'The work done. If empty, the entry takes the name of the project.'),
  project: nullableText('The name of the project where the row comes from; null: none.'),
  client: nullableText('The name of the client where the row comes from; null: none.'),
  user: nullableText('The user where the row comes from, whose name the entry keeps as `userLabel`; null: none.'),
  externalId: nullableText('The id of the entry where the row comes from, by which it is known again; null: none.'),
  billable: described(v.boolean(), 'Whether the work is to be billed.'),
  rate: described(
    v.nullable(v.number()),
    'The price of an hour; null: that of the project it is mapped to, for the user if it has one.',
  ),
  currency: described(
    v.nullable(currency),
    'The currency of the rate, as an ISO 4217 code; null: none is named, and an import takes that of the organization.',
  ),
  tags: described(
    v.array(v.string()),
    'The tags of the entry: of a row from the provider its task, cut to 50 characters.',
  ),
};

const isLocked = described(
  v.boolean(),
  'Whether its date, or that of its entry, is in the closed period of the organization: an import then leaves the entry as it is, and makes none.',
);

const ROW_STATUSES = v.picklist(['new', 'duplicate', 'changed']);

export const previewRow = component(
  'RemoteWorkPreviewRow',
  'Work at the provider, and whether it was imported before.',
  {
    ...rowFields,
    status: described(
      ROW_STATUSES,
      '`duplicate`: it was imported before. `changed`: it was imported before, and differs now.',
    ),
    heldBack: described(
      v.boolean(),
      'True: an import has left this change because an invoice has the entry. Once the entry is free, the next scheduled sync updates it.',
    ),
    isLocked,
  },
);

export const rehearsedRow = component('RehearsedRow', 'A row, and whether it was imported before.', {
  ...rowFields,
  status: described(
    ROW_STATUSES,
    '`duplicate`: it was imported before, or the request has it twice. `changed`: it was imported before, and differs now.',
  ),
  isLocked,
});

const name = v.optional(v.nullable(text(0, 255)), null);

export const rowInput = v.pipe(
  explained(previewRow, {
    date: described(workDate, `The day of the work, from ${FIRST_WORK_DATE} to ${LAST_WORK_DATE}.`),
    durationMinutes: durationInput,
    description: v.optional(text(0, 2_000), ''),
    project: name,
    client: name,
    user: name,
    externalId: name,
    billable: v.optional(v.boolean(), true),
    rate: v.optional(v.nullable(v.pipe(rateInput, v.transform(canonicalDecimal))), null),
    currency: described(
      v.optional(v.nullable(currencyInput), null),
      'The currency of the rate; null: that of the organization.',
    ),
    tags: v.optional(tags, []),
  }),
  v.title('RemoteWorkRow'),
);

function names<Value>(expects: string, additionalProperties: JsonSchemaFragment, isValue: (input: unknown) => boolean) {
  // The rule of the length reports too many names.
  const isNames = (input: Readonly<Record<string, Value>>) => {
    const values = Object.values(input);
    return values.length > MAX_ROWS || values.every(isValue);
  };
  return v.pipe(
    v.custom<Readonly<Record<string, Value>>>(isMap, 'Expected an object.'),
    rule('mapping', expects, { type: 'object', additionalProperties }, isNames),
  );
}

const isId = (input: unknown) => v.is(uuid, input);

/** By remote name; null: none. */
export type NameMapping = ReadonlyMap<string, string | null>;

/** Ids in any case. */
export const mappingInput = v.pipe(
  names<string | null>(
    'an object that maps names to ids, or to null',
    { type: ['string', 'null'], format: 'uuid' },
    (input) => input === null || isId(input),
  ),
  rule(
    'length',
    `at most ${MAX_ROWS} names`,
    { maxProperties: MAX_ROWS },
    (mapping: Readonly<Record<string, string | null>>) => Object.keys(mapping).length <= MAX_ROWS,
  ),
  rule(
    'text_character',
    'names without control characters other than tab, line feed and carriage return',
    { propertyNames: { pattern: TEXT_PATTERN } },
    (mapping: Readonly<Record<string, string | null>>) => !hasControls(Object.keys(mapping).join()),
  ),
  v.transform(
    (mapping): NameMapping => new Map(Object.entries(mapping).map(([name, id]) => [name, id?.toLowerCase() ?? null])),
  ),
);

export const mapping = names<string>('an object that maps names to ids', { type: 'string', format: 'uuid' }, isId);
