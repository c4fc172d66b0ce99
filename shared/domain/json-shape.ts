import { faulty, Problem } from './problems.ts';

/**
 * Brackets and commas take two bytes of text or less, but up to a hundred of memory and a microsecond each: 32 MiB of
 * empty arrays would take a parser seconds and more memory than a function has.
 */

/** The body itself is the first level. */
const MAX_DEPTH = 32;

/**
 * The largest import has 270,000: 10,000 rows with all members of a preview and ten tags, and 10,000 names in each
 * mapping. 32 MiB of as many members as are allowed, each with a long name, take a second and 140 MB.
 */
const MAX_VALUES = 300_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** @throws Problem `malformed_json` for a body that is nested too deep, `payload_too_large` for too many values */
export function assertParsable(bytes: Uint8Array, maxValues = MAX_VALUES): void {
  let depth = 0;
  let marks = 0;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        i = endOfString(bytes, i);
        break;
      case OPENING_BRACKET:
      case OPENING_BRACE:
        depth += 1;
        marks += 1;
        if (depth > MAX_DEPTH) throw tooDeep();
        break;
      case CLOSING_BRACKET:
      case CLOSING_BRACE:
        depth -= 1;
        break;
      case COMMA:
        marks += 1;
    }
    if (marks > maxValues) throw tooManyValues(maxValues);
  }
}

/** In UTF-8 no other character has the byte of a quotation mark or of a backslash. */
function endOfString(bytes: Uint8Array, start: number): number {
  let i = start + 1;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}

function tooDeep(): Problem {
  const message = `Expected at most ${MAX_DEPTH} levels of objects and lists.`;
  return faulty('malformed_json', [{ path: '', message, code: 'depth' }]);
}

function tooManyValues(maxValues: number): Problem {
  return new Problem('payload_too_large', {
    detail: `A body may have ${maxValues} values at most, those included that no member of the contract takes.`,
  });
}
