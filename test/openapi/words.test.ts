import { expect, it } from 'vitest';
import { openApiDocument } from '#shared/openapi/document.ts';
import { inWords, PATTERN_WORDS } from '#shared/openapi/page/words.ts';
import { routes } from '#shared/routes.ts';

function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === 'pattern' && typeof member === 'string' ? [member] : patternsIn(member),
  );
}

it('each regular expression of the document has words, and no words are left over', () => {
  const { paths, components } = openApiDocument(routes);
  const used = new Set(patternsIn([paths, components.schemas]));
  const left = [...used].filter((pattern) => !(pattern in PATTERN_WORDS));
  // Of a value that is not zero: the description says it.
  expect(left.filter((pattern) => pattern !== '^[0.]*$')).toEqual([]);
  expect(Object.keys(PATTERN_WORDS).filter((pattern) => !used.has(pattern))).toEqual([]);
});

it.each([
  [{ type: 'string', minLength: 1, maxLength: 255 }, 'text, 1 to 255 characters'],
  [{ type: ['string', 'null'], maxLength: 2_000 }, 'text, at most 2,000 characters, or `null`'],
  [
    { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 1 },
    'list of text, at least 1 character, at most 1 item',
  ],
  [{ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }, 'whole number, at least 0'],
  [{ type: 'number', minimum: 0, exclusiveMaximum: 1_000 }, 'number, at least 0, less than 1,000'],
  [{ type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: 50 }, 'list of UUID, at most 50 items'],
  [{ type: 'string', enum: ['a', 'b', 'c'] }, '`a`, `b` or `c`'],
  [{ anyOf: [{ enum: ['en', 'de'] }, { type: 'null' }] }, '`en` or `de`, or `null`'],
  [{ $ref: '#/components/schemas/Client' }, '#/components/schemas/Client'],
])('%o is told in words', (schema, words) => {
  expect(inWords(schema, (reference) => reference)).toBe(words);
});
