import { describe, expect, it } from 'vitest';
import { searchReads } from '#test/search/reads.ts';
import { useInstances } from '#test/support/api.ts';
import { given } from '#test/support/given.ts';

/** A sample of `npm run search -- reads`, which makes 10,000 writes. */

useInstances();

const WRITES = 60;
const SEED = 1;

describe('reads that follow writes at once', () => {
  it('show all that was answered before, in content and in number', { timeout: 120_000 }, async () => {
    const { violations, writes, reads } = await searchReads(WRITES, SEED);
    expect(violations).toEqual([]);
    expect(writes).toBeGreaterThanOrEqual(WRITES);
    expect(reads).toBeGreaterThanOrEqual(WRITES);
  });

  it('would be found out if they showed anything else', { timeout: 120_000 }, async () => {
    const { violations } = await searchReads(WRITES, SEED, async () => {
      const by = await given.user();
      await given.entry(by);
      return by;
    });
    expect(violations.filter((violation) => /^After the \d+th write, /.test(violation))).not.toEqual([]);
  });
});
