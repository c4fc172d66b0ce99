import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offsetOfFault } from '#shared/domain/json-fault.ts';

/** Each text is JSON up to the mark `|`, which is not part of it. */
const FAULTY = [
  '|',
  '{|',
  '{"a":|tru}',
  '[[],{}|',
  '1|.',
  '-1e3|e',
  '"a|',
  '"a|\nb"',
  '"\\n|\\x"',
  '"\\u12aF|\\u12g4"',
  '\t\r\n[ 1 , { "a" : false } ] |]',
];

describe('the fault of a text that is not JSON', () => {
  it.each(FAULTY)('is at the mark: %j', (marked) => {
    const offset = marked.indexOf('|');
    expect(offsetOfFault(marked.replace('|', ''))).toBe(offset);
  });

  it('is behind a text that is JSON', () => {
    fc.assert(
      fc.property(fc.json(), fc.boolean(), (json, isIndented) => {
        const text = isIndented ? JSON.stringify(JSON.parse(json), null, 2) : json;
        expect(offsetOfFault(text)).toBe(text.length);
        expect(offsetOfFault(`${text} ]`)).toBe(text.length + 1);
      }),
    );
  });

  it('is where the parser finds it, whenever that says where', () => {
    const pieces = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', 'true', ' ', '"');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        fc.pre(parserOffset(text) !== undefined);
        expect(offsetOfFault(text)).toBe(parserOffset(text));
      }),
      { numRuns: 1_000 },
    );
  });
});

function parserOffset(text: string): number | undefined {
  try {
    JSON.parse(text);
  } catch (error) {
    const [, position] = / at position (\d+)/.exec(String(error)) ?? [];
    return position === undefined ? undefined : Number(position);
  }
  return undefined;
}
