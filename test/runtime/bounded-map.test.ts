import { describe, expect, it } from 'vitest';
import { BoundedMap } from '#shared/runtime/bounded-map.ts';

describe('a bounded map', () => {
  const keysOf = (map: BoundedMap<number>) => ['a', 'b', 'c', 'd'].filter((key) => map.get(key) !== undefined);

  it('drops what was set the longest ago once there are too many', () => {
    const map = new BoundedMap<number>(2);
    for (const key of ['a', 'b', 'a', 'c']) map.set(key, 1);
    expect(keysOf(map)).toEqual(['a', 'c']);
    map.delete('a');
    map.set('d', 1);
    expect(keysOf(map)).toEqual(['c', 'd']);
  });

  it('drops as much as what is set needs, and keeps that even if it alone is too large', () => {
    const map = new BoundedMap<number>(10, (size) => size);
    for (const [key, size] of [['a', 4] as const, ['b', 5] as const, ['b', 6] as const, ['c', 3] as const]) {
      map.set(key, size);
    }
    expect(keysOf(map)).toEqual(['b', 'c']);
    map.set('d', 11);
    expect(keysOf(map)).toEqual(['d']);
    map.set('a', 1);
    expect(keysOf(map)).toEqual(['a']);
  });
});
