import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { FILLED_TEXT_PATTERN, NAME_PATTERN, nameText, TEXT_PATTERN, text } from '#shared/contract/fields.ts';
import { isSchema } from '#shared/openapi/page/words.ts';
import type { JsonSchema } from '#shared/openapi/types.ts';
import { bodyMembers, codesFor } from '#test/support/body-members.ts';

/** Every text of every body, as the contract lists them. */

const NAMES = ['name', 'legalName', 'accountName', 'contactName'];

const FREE: readonly unknown[] = [TEXT_PATTERN, FILLED_TEXT_PATTERN, NAME_PATTERN];

const CONTROLS = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => /\p{Cc}/u.test(character) && !'\t\n\r'.includes(character),
);

/** Of each kind. That a text takes none of them is shown of their pattern. */
const SOME_CONTROLS = ['\0', '\x1b', '\x7f', '\x85'];

const UNSEEN = [...'\u200b\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'];

function takesText({ type, anyOf }: JsonSchema): boolean {
  return [type].flat().includes('string') || (Array.isArray(anyOf) && anyOf.filter(isSchema).some(takesText));
}

const texts = bodyMembers.filter(({ schema }) => takesText(schema));

const names = texts.filter(({ path }) => NAMES.includes(path.split('.').at(-1) ?? ''));

describe('a text of a body', () => {
  it('is found in every area', () => {
    expect(texts.length).toBeGreaterThan(150);
    expect(names.length).toBeGreaterThan(15);
  });

  it.each(texts)('takes no control character: $title', (member) => {
    for (const character of SOME_CONTROLS) {
      for (const sent of [`a${character}z`, `${character}az`, `az${character}`, `12:3${character}0`]) {
        const codes = codesFor(member, sent);
        expect(codes, JSON.stringify(sent)).not.toEqual([]);
        if (FREE.includes(member.schema.pattern)) expect(codes).toEqual(['text_character']);
      }
    }
  });

  it.each(names)('is a name, with nothing that nobody sees: $title', (member) => {
    for (const character of UNSEEN) expect(codesFor(member, `A${character}da`)).toEqual(['text_character']);
    expect(codesFor(member, 'A\u200dda')).toEqual([]);
  });
});

const mapped = bodyMembers.filter(
  ({ schema }) => isSchema(schema.propertyNames) && schema.propertyNames.pattern === TEXT_PATTERN,
);

it.each(mapped)('a name that is mapped takes no control character: $title', (member) => {
  for (const character of SOME_CONTROLS) {
    expect(codesFor(member, { [`a${character}`]: null })).toEqual(['text_character']);
  }
  expect(codesFor(member, { 'a\tb\u200b': null })).toEqual([]);
});

it('finds the mappings of names', () => {
  expect([...new Set(mapped.map(({ path }) => path))]).toEqual(['clientMapping', 'projectMapping', 'userMapping']);
});

describe('a name', () => {
  const name = nameText(5);

  it.each([
    [' Ada\n', 'Ada'],
    ['\u3000Ada Byron'.slice(0, 6), 'Ada B'],
    [`  Ada${' '.repeat(300)}`, 'Ada'],
  ])('is kept without space around it, which does not count: %j', (sent, kept) => {
    expect(v.parse(name, sent)).toBe(kept);
  });

  it('of more characters without that space is refused', () => {
    expect(v.is(name, ' Ada By ')).toBe(false);
  });
});

/** What the document says is what holds. */
describe.each([
  ['a text that may be empty', text(0, 20), TEXT_PATTERN],
  ['a text that needs a character', text(1, 20), FILLED_TEXT_PATTERN],
  ['a name', nameText(20), NAME_PATTERN],
] as const)('the pattern of %s', (_, schema, pattern) => {
  const characters = fc.constantFrom(
    'a',
    ' ',
    '\u3000',
    '\t',
    '\n',
    '\v',
    '\f',
    '\0',
    '\x7f',
    '\x85',
    '\xa0',
    ...UNSEEN,
  );
  const anyText = fc.oneof(
    fc.string({ unit: fc.oneof(characters, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })), maxLength: 5 }),
    fc.string({ unit: 'binary', maxLength: 5 }),
  );

  it('takes no control character', () => {
    const sent = CONTROLS.flatMap((character) => [`a${character}z`, `${character}az`, `az${character}`]);
    expect(sent.filter((each) => v.is(schema, each) || new RegExp(pattern, 'u').test(each))).toEqual([]);
  });

  it.each(['', 'u'])('takes what the service takes, with flags %j', (flags) => {
    const taken = new RegExp(pattern, flags);
    fc.assert(
      fc.property(anyText, (sent) => {
        fc.pre(sent !== '');
        expect(taken.test(sent)).toBe(v.is(schema, sent));
      }),
      { numRuns: 2_000 },
    );
  });
});
