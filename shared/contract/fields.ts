import * as v from 'valibot';
import { isCurrency } from '#shared/domain/currency.ts';
import { DECIMAL_PATTERN, decimalFromNumber, isDecimal } from '#shared/domain/money.ts';
import { hasControls, hasUnseen } from '#shared/domain/text.ts';
import { isTimeZone } from '#shared/domain/time-zone.ts';
import { FIRST_WORK_DATE, isDate, isWorkDate, LAST_WORK_DATE } from '#shared/domain/tracker/work-time.ts';
import { described } from './meaning.ts';
import { advising, matching, rule } from './rule.ts';

/** Each kind of value states its limits once, for validation and OpenAPI. */

/** For JSON Schema. In each of these patterns no part takes what the one before it could, so it reads a text once. */
const CONTROLS = '\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F';
const UNSEEN = '\\u200B\\u2060\\uFEFF\\u202A-\\u202E\\u2066-\\u2069';
export const TEXT_PATTERN = `^[^${CONTROLS}]*$`;
export const FILLED_TEXT_PATTERN = `^[^\\S\\x0B\\x0C]*[^\\s${CONTROLS}][^${CONTROLS}]*$`;
export const NAME_PATTERN = `^[^\\S\\x0B\\x0C\\uFEFF]*[^\\s${CONTROLS}${UNSEEN}][^${CONTROLS}${UNSEEN}]*$`;

const NO_CONTROLS = 'text without control characters other than tab, line feed and carriage return';

/** What every text keeps to. */
export const plainText = v.pipe(
  v.string(),
  rule('well_formed', 'text without lone surrogates', {}, (input: string) => input.isWellFormed()),
  rule('text_character', NO_CONTROLS, { pattern: TEXT_PATTERN }, (input: string) => !hasControls(input)),
);

const filled = rule(
  'blank',
  'a text that is not only space',
  { pattern: FILLED_TEXT_PATTERN },
  (input: string) => input === '' || /\S/.test(input),
);

const seen = rule(
  'text_character',
  'a name without U+200B, U+2060, U+FEFF, U+202A to U+202E and U+2066 to U+2069, which nobody sees',
  { pattern: NAME_PATTERN },
  (input: string) => !hasUnseen(input),
);

function length(min: number, max: number) {
  return rule(
    'length',
    min > 0 ? `${min} to ${max} characters` : `at most ${max} characters`,
    min > 0 ? { minLength: min, maxLength: max } : { maxLength: max },
    (input: string) => {
      const count = characterCount(input, max);
      return count >= min && count <= max;
    },
  );
}

/**
 * Counts Unicode code points, like JSON Schema. Counting takes linear time, so a text longer than any limit is not
 * counted.
 */
function characterCount(input: string, max: number): number {
  return input.length > max * 2 ? input.length : [...input].length;
}

/** One that needs a character needs one that is no space. */
export function text(min: 0 | 1, max: number) {
  return min === 0 ? v.pipe(plainText, length(min, max)) : v.pipe(plainText, filled, length(min, max));
}

/** Surrounding space is removed, and does not count. */
export function trimmedText(max: number) {
  return v.pipe(plainText, filled, v.trim(), length(1, max));
}

/** What somebody or something is called, without space around it. */
export function nameText(max: number) {
  return v.pipe(plainText, filled, seen, v.trim(), length(1, max));
}

/** Valibot's `record` drops the names `constructor` and `prototype`, but callers may have such a name. */
export function isMap(input: unknown): input is Readonly<Record<string, never>> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

/** Refuses a list that is too long before looking at its items. */
export function list<const Item extends v.GenericSchema>(item: Item, max: number) {
  const unread = v.pipe(v.array(v.unknown()), v.maxLength(max));
  const schema = v.pipe(v.array(item), v.maxLength(max));
  const run: (typeof schema)['~run'] = (dataset, config) => {
    const { issues } = unread['~run']({ value: dataset.value }, config);
    return issues ? { typed: false, value: dataset.value, issues } : schema['~run'](dataset, config);
  };
  return { ...schema, '~run': run };
}

export function searchText(meaning: string, min: 0 | 1, max: number, example: string) {
  return v.pipe(text(min, max), v.trim(), v.description(meaning), v.examples([example]));
}

/** In any case. */
export const uuid = v.pipe(v.string(), v.uuid());

/** Converted to lower case, as ids are stored. */
export const idInput = v.pipe(uuid, v.toLowerCase());

/** ISO 8601 in UTC with milliseconds and `Z`. */
export const timestamp = v.pipe(v.string(), v.isoTimestamp());

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Converted to a `Date`. */
export const instantInput = v.pipe(
  v.string(),
  rule(
    'instant',
    'an instant that exists, in ISO 8601 with an offset, such as 2026-11-22T20:30:00-08:00',
    { pattern: INSTANT.source, examples: ['2026-11-22T20:30:00-08:00'] },
    (input: string) => isDate(INSTANT.exec(input)?.[1] ?? ''),
  ),
  v.transform((input) => new Date(input)),
);

export const createdAt = described(timestamp, 'When it was created.');
export const updatedAt = described(timestamp, 'When it was last changed.');
export const organizationId = described(uuid, 'The organization that it belongs to.');

const CLOCK_TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

/** Text, because a number of JSON may lose digits on its way. */
const decimalText = advising(v.string(), (sent) => {
  const text = typeof sent === 'number' ? decimalFromNumber(sent) : '';
  return isDecimal(text) ? `Send it as text: "${text}".` : '';
});

/** Returned exactly as it was sent. */
export const decimal = v.pipe(
  decimalText,
  rule(
    'decimal',
    'a decimal string such as "19.90", with at most 12 digits before and 6 after the point',
    { pattern: DECIMAL_PATTERN },
    isDecimal,
  ),
);

/** Computed, as a decimal string: it may have more digits than one that is sent. */
export const figure = v.string();

const PERCENTAGE = /^0{0,9}(?:100(?:\.0{1,6})?|\d{1,2}(?:\.\d{1,6})?)$/;

export const percentage = v.pipe(
  decimalText,
  matching(
    'decimal',
    'a percentage from "0" to "100" as a decimal string with at most 6 digits after the point',
    PERCENTAGE,
  ),
);

/** Converted to upper case. */
export const currencyInput = v.pipe(
  v.string(),
  rule('currency', 'an ISO 4217 currency code', { pattern: '^[A-Za-z]{3}$', examples: ['USD'] }, isCurrency),
  v.toUpperCase(),
);

export const currency = v.pipe(
  v.string(),
  rule('currency', 'an ISO 4217 currency code', { pattern: '^[A-Z]{3}$' }, isCurrency),
);

const TIME_ZONE = /^[A-Za-z0-9_+/-]{1,64}$/;

/** Kept as it was sent. */
export const timeZone = v.pipe(
  v.string(),
  rule(
    'time_zone',
    'the IANA name of a time zone',
    { pattern: TIME_ZONE.source, examples: ['Europe/Berlin'] },
    (input: string) => TIME_ZONE.test(input) && isTimeZone(input),
  ),
);

/** Sums have no minimum: a list must be readable even if one were ever wrong. */
export const integer = v.pipe(v.number(), v.integer());

export const count = v.pipe(integer, v.minValue(0));

export function integerFrom(min: number, max: number) {
  return v.pipe(integer, v.minValue(min), v.maxValue(max));
}

export function limit(max: number, byDefault: number) {
  return v.optional(described(integerFrom(1, max), 'The maximum number of items on the page.'), byDefault);
}

export const offset = v.optional(
  described(
    integerFrom(0, Number.MAX_SAFE_INTEGER),
    'The number of items before the page. A page with more than 50,000 items both before and behind it may be refused with `range_too_large`.',
  ),
  0,
);

/** `YYYY-MM-DD` */
export const date = v.pipe(v.string(), rule('date', 'a date that exists, as YYYY-MM-DD', { format: 'date' }, isDate));

export function day(meaning: string, example: string) {
  return v.pipe(date, v.description(meaning), v.examples([example]));
}

export const workDate = v.pipe(
  date,
  rule(
    'range',
    `a date from ${FIRST_WORK_DATE} to ${LAST_WORK_DATE}`,
    {},
    (input: string) => !isDate(input) || isWorkDate(input),
  ),
  v.description(`From ${FIRST_WORK_DATE} to ${LAST_WORK_DATE}.`),
);

export const clockTime = v.pipe(v.string(), matching('time', 'a time from 00:00 to 23:59, as HH:mm', CLOCK_TIME));

const rateNumber = v.pipe(
  v.number(),
  rule(
    'rate',
    'a number that is not negative, with at most 12 digits before and 6 after the point',
    { minimum: 0, exclusiveMaximum: 1e12 },
    (input: number) => isDecimal(decimalFromNumber(input)),
  ),
);

/** A number, or a decimal string as responses have it. Converted at once: nothing is computed from the number. */
export const rateInput = v.pipe(
  v.union([rateNumber, decimal]),
  v.transform((rate) => (typeof rate === 'number' ? decimalFromNumber(rate) : rate)),
);
