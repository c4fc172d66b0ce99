import * as v from 'valibot';
import { isCurrency } from '#shared/domain/currency.ts';
import { rule } from './rule.ts';

/** The kinds of value that bodies, queries and answers are made of. Each states its limits once, for validation and OpenAPI. */

/** Text of `min` to `max` characters, counted as Unicode code points, as JSON Schema counts them. */
/* @__NO_SIDE_EFFECTS__ */
export function text(min: number, max: number) {
  return v.pipe(
    v.string(),
    rule('well_formed', 'text without lone surrogates', {}, (input: string) => input.isWellFormed()),
    rule(
      'length',
      min > 0 ? `${min} to ${max} characters` : `at most ${max} characters`,
      lengthSchema(min, max),
      (input: string) => {
        const length = characterCount(input, max);
        return length >= min && length <= max;
      },
    ),
  );
}

function lengthSchema(min: number, max: number) {
  return min > 0 ? { minLength: min, maxLength: max } : { maxLength: max };
}

/** Counting code points is linear, so that a text longer than any limit is not counted at all. */
function characterCount(input: string, max: number): number {
  return input.length > max * 2 ? input.length : [...input].length;
}

/** A UUID in any case. */
export const uuid = v.pipe(v.string(), v.uuid());

/** ISO 8601 in UTC with milliseconds and `Z`. */
export const timestamp = v.pipe(v.string(), v.isoTimestamp());

const DECIMAL = /^\d{1,12}(?:\.\d{1,6})?$/;

/** At most 12 digits before and 6 after the point; no sign, no exponent. Goes out as it came in. */
export const decimal = v.pipe(
  v.string(),
  rule(
    'decimal',
    'a decimal string such as "19.90", with at most 12 digits before and 6 after the point',
    { pattern: DECIMAL.source },
    (input: string) => DECIMAL.test(input),
  ),
);

const PERCENTAGE = /^0{0,9}(?:100(?:\.0{1,6})?|\d{1,2}(?:\.\d{1,6})?)$/;

/** A decimal string from 0 to 100. */
export const percentage = v.pipe(
  v.string(),
  rule(
    'decimal',
    'a percentage from "0" to "100" as a decimal string with at most 6 digits after the point',
    { pattern: PERCENTAGE.source },
    (input: string) => PERCENTAGE.test(input),
  ),
);

/** A code of the runtime's ISO 4217 list, in any case; becomes upper case. */
export const currencyInput = v.pipe(
  v.string(),
  rule('currency', 'an ISO 4217 currency code', { pattern: '^[A-Za-z]{3}$', examples: ['USD'] }, isCurrency),
  v.toUpperCase(),
);

/** A currency in an answer. */
export const currency = v.pipe(
  v.string(),
  rule('currency', 'an ISO 4217 currency code', { pattern: '^[A-Z]{3}$' }, isCurrency),
);

/** The `limit` of a list. */
/* @__NO_SIDE_EFFECTS__ */
export function limit(max: number, byDefault: number) {
  return v.optional(
    v.pipe(
      v.number(),
      v.integer(),
      v.minValue(1),
      v.maxValue(max),
      v.description('How many items the page has at most.'),
    ),
    byDefault,
  );
}

/** The `offset` of a list. */
export const offset = v.optional(
  v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(Number.MAX_SAFE_INTEGER),
    v.description('How many items of the list come before the page.'),
  ),
  0,
);
