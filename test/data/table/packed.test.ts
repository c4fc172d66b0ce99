import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { liesInline, pack, unpack } from '#shared/data/table/packed.ts';

const ITEM_BYTES = 400_000;

it('a value that takes several items comes back as it was, and no byte is in two of them', async () => {
  const value = randomBytes(800_000).toString('hex');
  const parts = await pack(value);
  // As few items as can be: the rest of one is for its keys.
  expect(parts[0]).toHaveLength(ITEM_BYTES - 10_000);
  for (const { length } of parts) expect(length).toBeLessThan(ITEM_BYTES);
  // RFC 8878, 3.1.1.1.2: whoever unpacks it needs a window of 1 MiB, as of a fast level.
  expect(parts[0]?.[5]).toBe(0x50);
  expect(await unpack(parts)).toBe(value);
});

it('a value lies inline up to 8,000 bytes', () => {
  // A text has two quotes.
  expect(['é'.repeat(3_999), `é${'x'.repeat(7_997)}`].map(liesInline)).toEqual([true, false]);
});
