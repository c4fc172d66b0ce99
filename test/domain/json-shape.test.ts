import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertParsable } from '#shared/domain/json-shape.ts';
import { problem } from '#test/support/refusals.ts';

const check = (text: string, maxValues?: number) => assertParsable(Buffer.from(text), maxValues);

describe('a text that is parsed', () => {
  it.each([
    ['[', ']'],
    ['{"a":', '}'],
    ['[1,{"]":', '}]'],
  ])('is nested 32 deep at most: %s', (opening, closing) => {
    const levels = opening.startsWith('[1') ? 16 : 32;
    const nested = (count: number) => `${opening.repeat(count)}0${closing.repeat(count)}`;
    expect(() => check(nested(levels))).not.toThrow();
    expect(() => check(nested(levels + 1))).toThrow(problem('malformed_json'));
    expect(() => check(`[${nested(levels - 1)},${nested(levels - 1)}]`)).not.toThrow();
  });

  const text = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', ',', 'a', '\u{1f9ee}'), maxLength: 6 });

  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      text,
      fc.constantFrom(null, true, 1.5),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(text, tie('value'), { maxKeys: 4 }),
    ),
  }));

  /** Of brackets that open, and of commas, outside of strings. */
  function marksIn(of: unknown): number {
    if (typeof of !== 'object' || of === null) return 0;
    const members = Object.values(of);
    return 1 + Math.max(0, members.length - 1) + members.reduce<number>((sum, each) => sum + marksIn(each), 0);
  }

  it('has so many values at most, whatever its strings have', () => {
    fc.assert(
      fc.property(value, (of) => {
        const marks = marksIn(of);
        expect(() => check(JSON.stringify(of), marks)).not.toThrow();
        if (marks > 0) expect(() => check(JSON.stringify(of), marks - 1)).toThrow(problem('payload_too_large'));
      }),
    );
    expect(() => check(`[${'0,'.repeat(299_999)}0]`)).not.toThrow();
    const message = 'A body may have 300000 values at most, those included that no member of the contract takes.';
    const tooMany = expect.objectContaining({ code: 'payload_too_large', message });
    expect(() => check(`[${'0,'.repeat(300_000)}0]`)).toThrow(tooMany);
  });

  it.each(['"', '"[', '"\\', '"\\"', '["a'])('may end within a string: %s', (broken) => {
    expect(() => check(broken)).not.toThrow();
  });
});
