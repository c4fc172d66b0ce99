import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inexactNumbers } from '#shared/domain/json-numbers.ts';

const inexact = (text: string) => inexactNumbers(text, 100);

describe('a number in JSON', () => {
  it.each([
    '1.10',
    '123456789012345',
    '9007199254740992',
    '100000000000000000000',
    '1e3',
    '1.5E-7',
    '0.30000000000000004',
    '1200000.000000000000000',
    '0e5',
    '-0.00E-7',
    '0.0000000000000000',
    `0.1${'0'.repeat(61)}`,
  ])('keeps its digits: %s', (number) => expect(inexact(`{"a":${number}}`)).toEqual([]));

  it.each([
    '123456789012.123456',
    '12345678901234567890',
    '0.12345678901234567891',
    '1e400',
    '9007199254740993',
    `0.1${'0'.repeat(62)}`,
  ])('would lose digits: %s', (number) => expect(inexact(`{"a":${number}}`)).toEqual(['a']));

  it('is found at its path, in lists and members whatever their names, and not in texts', () => {
    const long = '12345678901234567890';
    const text = `{"rows":[{"rate":1,"x":"${long}"},{"a\\"b":{"c":[1,${long}]},"rate": ${long}}],"${long}":2,"last":${long}}`;
    expect(inexact(text)).toEqual(['rows.1.a"b.c.1', 'rows.1.rate', 'last']);
    expect(inexactNumbers(text, 2)).toHaveLength(2);
    expect(inexact(`[${long}]`)).toEqual(['0']);
    expect(inexact(long)).toEqual(['']);
  });

  it('is found beside a text that is as long as a body may be, whatever is in it', () => {
    for (const part of ['x', '1', '\\\\', '\\"1e5,', '\ud83d\ude00']) {
      const text = `{"x":"${part.repeat(33_554_432 / part.length)}","rate":12345678901234567890}`;
      expect(inexact(text)).toEqual(['rate']);
    }
  });

  it('of millions of digits is found at once', () => {
    expect(inexact(`{"rate":1${'0'.repeat(10_000_000)}1}`)).toEqual(['rate']);
  });

  it('that a program has written from a double of its own is exact', () => {
    const isKept = (value: unknown) => inexact(JSON.stringify(value)).length === 0;
    fc.assert(fc.property(fc.jsonValue(), isKept));
    fc.assert(fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), isKept));
  });
});
