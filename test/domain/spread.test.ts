import { expect, it } from 'vitest';
import { spread } from '#shared/domain/spread.ts';

const groupOf = (name: string) => name.slice(0, 1);

it('spreads each group over the whole, in its own order', () => {
  expect(spread(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'], groupOf)).toEqual(['a1', 'b1', 'a2', 'a3', 'b2', 'a4']);
  expect(spread([], groupOf)).toEqual([]);
});

it('gives each tenth of a thousand things about a tenth of each group', () => {
  const things = Array.from({ length: 1_000 }, (_, i) => `${i < 700 ? 'a' : 'b'}${i}`);
  const order = spread(things, groupOf);
  expect([...order].sort()).toEqual([...things].sort());
  for (let start = 0; start < 1_000; start += 100) {
    const large = order.slice(start, start + 100).filter((name) => groupOf(name) === 'a').length;
    expect(Math.abs(large - 70)).toBeLessThanOrEqual(1);
  }
});
