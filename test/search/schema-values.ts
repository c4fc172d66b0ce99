import fc from 'fast-check';
import { FILLED_TEXT_PATTERN, NAME_PATTERN, TEXT_PATTERN } from '#shared/contract/fields.ts';
import type { JsonSchema } from '#shared/openapi/types.ts';
import { CHARACTERS } from '#test/support/random-requests.ts';

/**
 * Values that fit a JSON Schema of the OpenAPI document, for requests that are right: short as a rule, and now and then
 * at a limit.
 */

/**
 * Values that are known beyond the schema: ids of resources that exist, codes that are real. Asked with the name of the member that is wanted.
 *
 * @returns undefined where nothing is known
 */
export type Hints = (name: string, schema: JsonSchema) => fc.Arbitrary<unknown> | undefined;

/** @param components what `#/components/schemas/` refers to */
export function valuesOf(
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
  hints: Hints,
  name = '',
): fc.Arbitrary<unknown> {
  const inner = (part: JsonSchema, member = name) => valuesOf(part, components, hints, member);
  const reference = typeof schema.$ref === 'string' && components[schema.$ref.replace(COMPONENTS, '')];
  if (reference) return inner(reference);
  const hinted = hints(name, schema);
  if (hinted) return hinted;
  if ('const' in schema) return fc.constant(schema.const);
  if (isList(schema.enum)) return fc.constantFrom(...schema.enum);
  const variants = schema.anyOf ?? schema.oneOf;
  if (isList(variants)) return fc.oneof(...variants.map((variant) => inner(asSchema(variant))));
  const types = isList(schema.type) ? schema.type : [schema.type];
  return fc.oneof(...types.map((type) => ofType(String(type), schema, inner)));
}

const COMPONENTS = '#/components/schemas/';

type Inner = (schema: JsonSchema, member?: string) => fc.Arbitrary<unknown>;

function ofType(type: string, schema: JsonSchema, inner: Inner): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number':
      return fc.oneof(
        ...edgesOf(schema),
        fc.integer(integerRange(schema)),
        ...(type === 'number' ? [fc.integer({ min: 1, max: 99_999 }).map((n) => n / 100)] : []),
      );
    case 'string':
      return texts(schema);
    case 'array':
      return arrays(schema, inner);
    case 'object':
      return objects(schema, inner);
    default:
      throw new Error(`A schema without a type that is known: ${JSON.stringify(schema)}`);
  }
}

const DEFAULT_MAXIMUM = 1_000;

function integerRange({ minimum = 0, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema) {
  const min = Math.ceil(typeof exclusiveMinimum === 'number' ? exclusiveMinimum + 1 : Number(minimum));
  const limit = typeof exclusiveMaximum === 'number' ? exclusiveMaximum - 1 : Number(maximum ?? DEFAULT_MAXIMUM);
  return { min, max: Math.min(limit, min + DEFAULT_MAXIMUM) };
}

/** The limits themselves, where mistakes are. */
function edgesOf({ minimum, maximum }: JsonSchema): fc.Arbitrary<unknown>[] {
  return [minimum, maximum].filter((edge) => typeof edge === 'number').map((edge) => fc.constant(edge));
}

const FIRST_DAY = Date.parse('2026-01-01');
const DAYS = 400;
const MILLISECONDS_PER_DAY = 86_400_000;

/** Days near each other, so that ranges, summaries and pages of different requests meet. */
const days = fc
  .nat({ max: DAYS })
  .map((day) => new Date(FIRST_DAY + day * MILLISECONDS_PER_DAY).toISOString().slice(0, 10));

function texts(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.format === 'date') return days;
  if (schema.format === 'uri') return fc.webUrl({ size: 'small' });
  const { pattern, minLength = 0, maxLength = LONGEST_TEXT } = schema;
  const isFree = pattern === undefined || FREE.includes(pattern);
  if (!isFree) return fc.stringMatching(new RegExp(String(pattern)), { size: 'small' });
  const taken = new RegExp(String(pattern ?? ''));
  return freeTexts(Number(minLength), Number(maxLength)).filter((text) => taken.test(text));
}

/** Any text but for single characters. */
const FREE: readonly unknown[] = [TEXT_PATTERN, FILLED_TEXT_PATTERN, NAME_PATTERN];

/** For schemas that set no limit. */
const LONGEST_TEXT = 100;
const SHORT_TEXT = 12;

function freeTexts(min: number, max: number): fc.Arbitrary<string> {
  const short = { minLength: min, maxLength: Math.max(min, Math.min(max, SHORT_TEXT)) };
  return fc.oneof(
    { weight: 6, arbitrary: fc.string(short) },
    { weight: 3, arbitrary: fc.string({ ...short, unit: 'binary' }) },
    { weight: 2, arbitrary: fc.constantFrom('\u00e9', ...CHARACTERS).map((character) => character.repeat(max)) },
    { weight: 1, arbitrary: fc.constant('x'.repeat(Math.max(min, 1))) },
  );
}

/** Longer lists have nothing that shorter ones have not. */
const MAXIMUM_ITEMS = 12;

function arrays({ items, minItems = 0, maxItems = MAXIMUM_ITEMS }: JsonSchema, inner: Inner): fc.Arbitrary<unknown> {
  const maxLength = Math.min(Number(maxItems), Math.max(Number(minItems), MAXIMUM_ITEMS));
  return fc.array(inner(asSchema(items)), { minLength: Number(minItems), maxLength });
}

function objects(schema: JsonSchema, inner: Inner): fc.Arbitrary<unknown> {
  const { properties, required, additionalProperties, propertyNames } = schema;
  if (properties === undefined) {
    const names = propertyNames === undefined ? fc.string({ maxLength: SHORT_TEXT }) : texts(asSchema(propertyNames));
    return fc.dictionary(names, inner(asSchema(additionalProperties), 'additionalProperties'), { maxKeys: 4 });
  }
  const members = Object.entries(asSchema(properties)).map(
    ([name, part]) => [name, inner(asSchema(part), name)] as const,
  );
  const requiredKeys = isList(required) ? required.map(String) : [];
  return fc.record<Record<string, unknown>>(Object.fromEntries(members), { requiredKeys });
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function asSchema(value: unknown): JsonSchema {
  if (typeof value === 'object' && value !== null) return value as JsonSchema;
  throw new Error('A JSON Schema of the document is an object.');
}
