import { v7 as uuidV7 } from 'uuid';
import { expect, it } from 'vitest';
import { productTextKey, productTextPrefixes } from '#shared/data/layout/keys.ts';

it('the text of each product lies in one of the ranges that a search reads side by side', () => {
  const keys = Array.from({ length: 200 }, () => productTextKey('acme', uuidV7()).sk);
  const ranges = keys.map((key) => productTextPrefixes.filter((prefix) => key.startsWith(prefix)));
  expect(new Set(ranges.map(({ length }) => length))).toEqual(new Set([1]));
  expect(new Set(ranges.flat())).toEqual(new Set(productTextPrefixes));
});
