import { describe, expect, it } from 'vitest';
import { parseTags } from '#shared/http/entity-tag.ts';

describe('tags of a header', () => {
  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['"a"']],
    ['W/"a" ,\t"b,c", ""', ['W/"a"', '"b,c"', '""']],
    [',, "a",,', ['"a"']],
    ['', undefined],
    [',', undefined],
    ['a', undefined],
    ['"a" "b"', undefined],
    ['"a', undefined],
    ['"a", *', undefined],
  ])('in %j are %j', (value, expected) => expect(parseTags(value)).toEqual(expected));

  it('are a hundred at most', () => {
    const list = (count: number) => Array(count).fill('"a"').join(', ');
    expect(parseTags(list(100))).toHaveLength(100);
    expect(parseTags(list(101))).toBeUndefined();
  });

  it('are read in one pass: a list that takes a minute otherwise', () => {
    expect(parseTags(`"a"${','.repeat(300_000)}`)).toEqual(['"a"']);
    expect(parseTags(`"a"${', '.repeat(150_000)}!`)).toBeUndefined();
  });
});
