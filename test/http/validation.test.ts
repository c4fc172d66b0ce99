import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { durationInput } from '#shared/contract/duration.ts';
import { decimal, list, nameText, percentage, rateInput, text, trimmedText } from '#shared/contract/fields.ts';
import { metadata } from '#shared/contract/metadata.ts';
import type { Problem } from '#shared/domain/problems.ts';
import { validateBody, validateQuery } from '#shared/http/validation.ts';

const tags = v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(3));
const pair = v.pipe(v.array(v.string()), v.minLength(2));
const code = v.pipe(v.string(), v.minLength(1), v.maxLength(2));
const count = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(200));
const days = v.pipe(v.number(), v.gtValue(0));

function violationsOf(schema: v.GenericSchema, value: unknown): unknown {
  try {
    return validateBody(v.object({ member: schema }), { member: value });
  } catch (error) {
    return (error as Problem).details.errors;
  }
}

describe('a refused body', () => {
  const named = v.object({ name: v.string(), tags: v.array(v.number()) });

  const refusalOf = (body: object, schema: v.GenericSchema = named) => {
    try {
      validateBody(schema, body);
    } catch (error) {
      return (error as Problem).details;
    }
    return undefined;
  };

  it('tells its first fault in a sentence, and how many there are', () => {
    expect(refusalOf({ tags: [] })?.detail).toBe('name: This member is required.');
    expect(refusalOf({ name: 1, tags: ['x'] })?.detail).toBe('name: Expected a string. There are 2 faults in all.');
  });

  it('lists a hundred faults, and counts all', () => {
    const refusal = refusalOf({ name: 'x', tags: Array(250).fill('x') });
    expect(refusal?.errors).toHaveLength(100);
    expect(refusal?.detail).toBe('tags.0: Expected a number. There are 250 faults in all.');
  });

  it('counts a fault once that each of three alternatives has', () => {
    const schema = v.object({ list: v.array(v.union([v.string(), v.boolean(), v.null()])) });
    const detailOf = (items: number) => refusalOf({ list: Array(items).fill(1) }, schema)?.detail;
    expect(detailOf(1_000)).toContain('There are 1000 faults in all.');
    expect(detailOf(1_001)).toContain('There are over 1000 faults in all.');
  });

  it('is looked at no further than at four faults for each of the thousand that are counted', () => {
    let looks = 0;
    const failing = v.custom(() => {
      looks += 1;
      return false;
    });
    refusalOf({ list: Array(10_000).fill(1) }, v.object({ list: v.array(failing) }));
    expect(looks).toBe(4_001);
  });

  it('is refused for the length of a list before its items are looked at', () => {
    let looks = 0;
    const item = v.pipe(
      v.unknown(),
      v.check(() => {
        looks += 1;
        return false;
      }),
    );
    expect(violationsOf(list(item, 3), Array(4).fill('x'))).toEqual([
      { path: 'member', message: 'Expected at most 3 items.', code: 'length' },
    ]);
    expect(looks).toBe(0);
    expect(violationsOf(list(item, 3), Array(3).fill('x'))).toHaveLength(3);
    expect(violationsOf(list(item, 3), {})).toEqual([{ path: 'member', message: 'Expected an array.', code: 'type' }]);
  });
});

describe('a violation', () => {
  it.each([
    [tags, [], 'length', 'Expected at least 1 item.'],
    [pair, ['x'], 'length', 'Expected at least 2 items.'],
    [tags, ['a', 'b', 'c', 'd'], 'length', 'Expected at most 3 items.'],
    [code, '', 'length', 'Expected at least 1 character.'],
    [code, 'xyz', 'length', 'Expected at most 2 characters.'],
    [count, 0, 'range', 'Expected a number of at least 1.'],
    [count, 201, 'range', 'Expected a number of at most 200.'],
    [count, 1.5, 'type', 'Expected a whole number.'],
    [count, '1', 'type', 'Expected a number.'],
    [days, 0, 'range', 'Expected a number above 0.'],
    [text(1, 3), 'abcd', 'length', 'Expected 1 to 3 characters.'],
    [text(1, 3), '', 'length', 'Expected 1 to 3 characters.'],
    [text(1, 3), ' \t', 'blank', 'Expected a text that is not only space.'],
    [trimmedText(3), ' \t', 'blank', 'Expected a text that is not only space.'],
    [text(0, 3), 'a\udc00b', 'well_formed', 'Expected text without lone surrogates.'],
    [
      text(0, 3),
      'a\u0085',
      'text_character',
      'Expected text without control characters other than tab, line feed and carriage return.',
    ],
    [
      nameText(3),
      'a\u200b',
      'text_character',
      'Expected a name without U+200B, U+2060, U+FEFF, U+202A to U+202E and U+2066 to U+2069, which nobody sees.',
    ],
    [tags, undefined, 'required', 'This member is required.'],
    [decimal, 120, 'type', 'Expected a string. Send it as text: "120".'],
    [decimal, 1e-6, 'type', 'Expected a string. Send it as text: "0.000001".'],
    [decimal, -120, 'type', 'Expected a string.'],
    [decimal, 1e21, 'type', 'Expected a string.'],
    [decimal, true, 'type', 'Expected a string.'],
    [percentage, 19, 'type', 'Expected a string. Send it as text: "19".'],
    [v.string(), 120, 'type', 'Expected a string.'],
    [rateInput, true, 'type', 'Expected a number or a string.'],
    [durationInput, '1h 30m', 'type', 'Expected a number. Send the number of minutes: 90.'],
    [durationInput, 'long', 'type', 'Expected a number.'],
    [durationInput, null, 'type', 'Expected a number.'],
    [metadata, [], 'type', 'Expected an object.'],
    [v.pipe(v.string(), v.uuid()), 'x', 'format', 'Expected a UUID.'],
    [
      v.pipe(
        v.string(),
        v.check(() => false),
      ),
      'x',
      'check',
      'Expected something else.',
    ],
    [v.picklist(['draft', 'sent', 'paid']), 'open', 'enum', 'Expected "draft", "sent" or "paid".'],
    [v.picklist(['draft']), 'open', 'enum', 'Expected "draft".'],
    [v.literal('hour'), 'day', 'enum', 'Expected "hour".'],
  ])('says in words what was expected: %#', (schema, value, violationCode, message) => {
    expect(violationsOf(schema, value)).toEqual([{ path: 'member', message, code: violationCode }]);
  });
});

describe('a query', () => {
  const schema = v.object({
    limit: v.optional(count),
    isOpen: v.optional(v.boolean()),
    tags: v.optional(v.array(v.string())),
    q: v.optional(v.string()),
    pagination: v.optional(v.picklist(['offset', 'cursor'])),
  });

  const read = (query: string) => {
    const raw = Object.fromEntries(new URLSearchParams(query));
    try {
      return validateQuery(schema, raw, query);
    } catch (error) {
      return (error as Problem).details.errors?.map(({ path, message }) => `${path}: ${message}`);
    }
  };

  it.each([
    ['limit=007', { limit: 7 }],
    ['isOpen=true', { isOpen: true }],
    ['isOpen=false', { isOpen: false }],
    ['q=5', { q: '5' }],
    ['q=true', { q: 'true' }],
    ['tags=a,b&tags=5', { tags: ['a,b', '5'] }],
    ['', {}],
  ])('%s has values of the types that are wanted', (query, expected) => expect(read(query)).toEqual(expected));

  it.each([
    ['limit=-1', 'limit: Expected a number of at least 1.'],
    ['limit=1.5', 'limit: Expected a whole number.'],
    ...['', 'x', '1e2', '%2B1', '1.', '.5', '0x10', ' 1'].map((text) => [`limit=${text}`, 'limit: Expected a number.']),
    ['pagination=pages&limit=1&first=1', 'pagination: Expected "offset" or "cursor".'],
    ['pagination=cursor&limit=1', 'limit: This parameter needs "pagination=offset".'],
    ['pagination=offset&first=1', 'first: This parameter needs "pagination=cursor".'],
    ...['first', 'last', 'after', 'before', 'orderBy', 'orderDirection'].map((name) => [
      `${name}=1`,
      `${name}: This parameter needs "pagination=cursor".`,
    ]),
    ...['', 'yes', '1', 'TRUE'].map((text) => [`isOpen=${text}`, 'isOpen: Expected a boolean.']),
  ])('%s is refused: %s', (query, message) => expect(read(query)).toEqual([message]));
});
