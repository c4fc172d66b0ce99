import * as v from 'valibot';
import { currency, currencyInput, date, rateInput, text, uuid, workDate } from '#shared/contract/fields.ts';
import { type JsonSchemaFragment, rule } from '#shared/contract/rule.ts';
import { MAX_DURATION_MINUTES } from '#shared/domain/tracker/entry.ts';

/** Rows of remote work: what a preview shows and a confirm takes. */

export const MAX_ROWS = 10_000;

const name = v.optional(v.nullable(text(0, 255)), null);

/** A row from a caller. Only `date` and `durationMinutes` are required. */
export const rowInput = v.pipe(
  v.object({
    date: workDate,
    durationMinutes: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_DURATION_MINUTES)),
    description: v.optional(text(0, 2_000), ''),
    project: name,
    client: name,
    user: name,
    externalId: name,
    billable: v.optional(v.boolean(), true),
    rate: v.optional(v.nullable(rateInput), null),
    currency: v.optional(v.nullable(currencyInput), null),
  }),
  v.title('RemoteWorkRow'),
);

/** A row as a preview shows it. */
export const previewRow = v.pipe(
  v.object({
    date,
    durationMinutes: v.pipe(v.number(), v.integer(), v.minValue(1)),
    description: v.string(),
    project: v.nullable(v.string()),
    client: v.nullable(v.string()),
    user: v.nullable(v.string()),
    externalId: v.nullable(v.string()),
    billable: v.boolean(),
    rate: v.nullable(v.number()),
    currency,
    status: v.picklist(['new', 'duplicate', 'changed']),
  }),
  v.title('RemoteWorkPreviewRow'),
);

/**
 * Maps from names at the provider to ids. Valibot's own `record` drops the names `constructor` and `prototype`, but
 * a project may have such a name.
 */
function isMap(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

/* @__NO_SIDE_EFFECTS__ */
function names<Value>(expects: string, additionalProperties: JsonSchemaFragment, isValue: (input: unknown) => boolean) {
  // Where there are too many, it is enough to say so.
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

/** The id in the organization that each name stands for; null: none. */
export type NameMapping = ReadonlyMap<string, string | null>;

/** A mapping from a caller: ids in any case, or null. */
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
  v.transform(
    (mapping): NameMapping => new Map(Object.entries(mapping).map(([name, id]) => [name, id?.toLowerCase() ?? null])),
  ),
);

/** A mapping as a preview proposes it. */
export const mapping = names<string>('an object that maps names to ids', { type: 'string', format: 'uuid' }, isId);
