import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTags, tagOf } from '#shared/http/entity-tag.ts';

const shown = { id: 'a', name: 'b', address: { city: 'c', lines: ['d', 'e'] }, amount: null, isActive: true };

describe('the tag of what is shown', () => {
  it.each<[string, object]>([
    ['a member', { ...shown, name: 'other' }],
    ['a member that is null', { ...shown, amount: '0' }],
    ['a member that is false', { ...shown, isActive: false }],
    ['a member of a member', { ...shown, address: { ...shown.address, city: 'other' } }],
    ['the order of a list', { ...shown, address: { ...shown.address, lines: ['e', 'd'] } }],
    ['the name of a member', { ...shown, name: undefined, title: 'b' }],
    ['a member more', { ...shown, note: null }],
  ])('is another one with another value of %s', (_, changed) => expect(tagOf(changed)).not.toBe(tagOf(shown)));

  it('is the same with the members of every object in any order', () => {
    const shuffled = fc.tuple(
      fc.shuffledSubarray(Object.entries(shown), { minLength: 5 }),
      fc.shuffledSubarray(Object.entries(shown.address), { minLength: 2 }),
    );
    fc.assert(
      fc.property(shuffled, ([members, ofAddress]) => {
        const reordered = { ...Object.fromEntries(members), address: Object.fromEntries(ofAddress) };
        expect(tagOf(Object.fromEntries(members.map(([name]) => [name, Reflect.get(reordered, name)])))).toBe(
          tagOf(shown),
        );
      }),
    );
  });
});

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
