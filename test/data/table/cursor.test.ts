import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '#shared/data/table/cursor.ts';

const sortKey = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 });

describe('a cursor', () => {
  it('is the same from version to version, so that whoever holds one can go on', () => {
    expect(encodeCursor('list', 'key')).toBe('hN9iEud9t_UcWlEja2V5');
  });

  it('means nothing to another list', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), sortKey, (list, other, key) => {
        fc.pre(list !== other);
        expect(decodeCursor(other, encodeCursor(list, key))).toBeUndefined();
      }),
    );
  });

  it('means nothing any more when a character of it is changed, added or lost', () => {
    const change = fc.tuple(sortKey, fc.nat(), fc.constantFrom('', 'A', '-', '=', '.', ' ', 'AA', 'é'));
    fc.assert(
      fc.property(change, ([key, at, replacement]) => {
        const cursor = encodeCursor('list', key);
        const position = at % (cursor.length + 1);
        const broken = cursor.slice(0, position) + replacement + cursor.slice(position + 1);
        fc.pre(broken !== cursor);
        expect(decodeCursor('list', broken)).toBeUndefined();
      }),
    );
  });

  it('is never a sort key that DynamoDB does not take', () => {
    expect(decodeCursor('list', encodeCursor('list', ''))).toBeUndefined();
    expect(decodeCursor('list', encodeCursor('list', 'x'.repeat(1_025)))).toBeUndefined();
    expect(decodeCursor('list', encodeCursor('list', 'x'.repeat(1_024)))).toHaveLength(1_024);
  });
});
