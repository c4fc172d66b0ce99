import { FILLED_TEXT_PATTERN, NAME_PATTERN, TEXT_PATTERN } from '#shared/contract/fields.ts';
import type { JsonSchema } from '../types.ts';

/** The limits of a value as a reader says them. */

/** By the text of the pattern. A test finds a pattern that has no words. */
export const PATTERN_WORDS: Readonly<Record<string, string>> = {
  '^[A-Z]{3}$': 'currency code, such as `USD`',
  '^[A-Za-z]{3}$': 'currency code, such as `USD`',
  '^[A-Za-z]{2}$': 'country code, such as `DE`',
  '^#[0-9A-Fa-f]{6}$': 'colour, such as `#1b5a86`',
  '^[a-z0-9-]{1,50}$': '1 to 50 of a to z, 0 to 9 and hyphens',
  [TEXT_PATTERN]: 'text',
  [FILLED_TEXT_PATTERN]: 'text that is not only space',
  [NAME_PATTERN]: 'name of characters that are seen',
  '^(?:latest|\\d{1,16})$': 'number of an event, or `latest`',
  '\\S@\\S': 'e-mail address',
  '^[^\\s@]+@[^\\s@.]+(?:\\.[^\\s@.]+)+$': 'e-mail address',
  '^[Hh][Tt][Tt][Pp][Ss]?://\\S+$': 'URL',
  '^[^\\s\\\\]+$': 'URL',
  '^[Hh][Tt][Tt][Pp][Ss]:\\/\\/[^\\s/?#@\\\\]+(?:[/?#]\\S*)?$': 'URL that begins with `https://`',
  '^\\d{4}-\\d{2}-\\d{2}(?:T00:00(?::00(?:\\.0{1,9})?)?(?:Z|[+-]00:00))?$': 'date, such as `2026-03-02`',
  '^(\\d{4}-\\d{2}-\\d{2})T(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d{1,9})?)?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)$':
    'timestamp with an offset, such as `2026-03-02T09:30:00+01:00`',
  '^(?:[01]\\d|2[0-3]):[0-5]\\d$': 'clock time, such as `09:30`',
  '^0{0,9}(?:100(?:\\.0{1,6})?|\\d{1,2}(?:\\.\\d{1,6})?)$': 'decimal text from `"0"` to `"100"`',
  '^\\d{1,12}(?:\\.\\d{1,6})?$': 'decimal text, such as `"120.00"`',
  '^[!-~](?:[ -~]*[!-~])?$': 'printable ASCII without space at its ends',
  '^(?:project|client|user|day|week|month)(?:,(?:project|client|user|day|week|month))?$':
    '`project`, `client`, `user`, `day`, `week`, `month`, or two of them with a comma',
  '^(?:draft|sent|paid|credited|void)(?:,(?:draft|sent|paid|credited|void))*$':
    '`draft`, `sent`, `paid`, `credited`, `void`, or some of them with commas between them',
  '^(?:\\s*[A-Za-z0-9]){15,34}\\s*$': 'IBAN, with or without spaces',
  '^[A-Z\\d]{4}[A-Z]{2}[A-Z\\d]{2}(?:[A-Z\\d]{3})?$': 'BIC of 8 or 11 characters',
  '^(?:\\d{4}|EM)$': 'code of four digits, or `EM`',
  '^[A-Za-z0-9_+/-]{1,64}$': 'name of a time zone, such as `Europe/Berlin`',
  '^[A-Za-z0-9_.-]{1,40}$': 'name of 1 to 40 characters of `A-Z a-z 0-9 _ . -`',
  '^[a-z0-9.-]+\\.(?:css|js)$': 'name of a file',
  '^[a-z_]{1,64}$': 'code of a problem',
  '^inv_[A-Za-z0-9_-]{43}$': 'code of an invitation: `inv_` and 43 characters',
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'timestamp, such as `2026-03-02T09:30:00.000Z`',
  date: 'date, such as `2026-03-02`',
  uri: 'URL',
  'uri-reference': 'path',
};

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: '`true` or `false`',
  object: 'object',
  array: 'list',
};

/** In Markdown. @param nameOf the words for a reference to a component */
export function inWords(schema: JsonSchema, nameOf: (reference: string) => string): string {
  const { $ref, enum: values, const: value, anyOf, oneOf, type, items, additionalProperties } = schema;
  if (typeof $ref === 'string') return nameOf($ref);
  if (isSchemas(anyOf)) return anyOf.map((each) => inWords(each, nameOf)).join(', or ');
  if (isSchemas(oneOf)) return oneOf.map((each) => inWords(each, nameOf)).join(', or ');
  if (type === 'null') return '`null`';
  const types = [type].flat().filter((each) => each !== 'null');
  const orNull = [type].flat().includes('null') ? ', or `null`' : '';
  if (value !== undefined) return `\`${JSON.stringify(value)}\`${orNull}`;
  if (Array.isArray(values)) return `${listed(values)}${orNull}`;
  const elements = isSchema(items) ? ` of ${inWords(items, nameOf)}` : '';
  const members = isSchema(additionalProperties) ? ` whose values are ${inWords(additionalProperties, nameOf)}` : '';
  return [kindOf(schema, types) + elements + members, ...limitsOf(schema)].join(', ') + orNull;
}

function kindOf({ pattern, format }: JsonSchema, types: readonly unknown[]): string {
  const byPattern = typeof pattern === 'string' ? PATTERN_WORDS[pattern] : undefined;
  const byFormat = typeof format === 'string' ? FORMAT_WORDS[format] : undefined;
  return byPattern ?? byFormat ?? types.map((type) => TYPE_WORDS[String(type)] ?? 'any value').join(' or ');
}

function limitsOf(schema: JsonSchema): string[] {
  const { minimum, maximum, exclusiveMaximum, minLength, maxLength, minItems, maxItems, maxProperties } = schema;
  return [
    range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    exclusiveMaximum === undefined ? '' : `less than ${figure(exclusiveMaximum)}`,
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    range(undefined, maxProperties, ' names'),
  ].filter(Boolean);
}

function range(least: unknown, most: unknown, unit: string): string {
  const counted = (count: unknown) => figure(count) + (count === 1 ? unit.replace(/s$/, '') : unit);
  if (least !== undefined && most !== undefined) return `${figure(least)} to ${counted(most)}`;
  if (most !== undefined) return `at most ${counted(most)}`;
  return least === undefined ? '' : `at least ${counted(least)}`;
}

function figure(value: unknown): string {
  return Number(value).toLocaleString('en-US');
}

function listed(values: readonly unknown[]): string {
  const words = values.map((value) => `\`${String(value)}\``);
  return words.length === 1 ? words.join() : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSchemas(value: unknown): value is readonly JsonSchema[] {
  return Array.isArray(value) && value.every(isSchema);
}
