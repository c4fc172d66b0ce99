import { describe, expect, it } from 'vitest';
import { searchIsolation } from '#test/search/isolation.ts';
import { given } from '#test/support/given.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';

/** A sample of `npm run search -- isolation`, which makes 100,000 calls. */

const CALLS = 100;
const SEED = 1;

// Every item of the table is looked at, and the shared one has hundreds of thousands.
useOwnCloud();

describe('calls with the ids, cursors and texts of another organization', () => {
  it('get nothing of it, and the answers for ids that do not exist', { timeout: 120_000 }, async () => {
    const { violations, compared } = await searchIsolation(CALLS, SEED);
    expect(violations).toEqual([]);
    expect(compared).toBeGreaterThan(CALLS / 10);
  });

  it('would be found out if they got anything', { timeout: 120_000 }, async () => {
    const colleague = await searchIsolation(CALLS, SEED, ({ organization }) => given.user({ organization }));
    for (const finding of [
      /^It answers canary/,
      /^It answers 200/,
      /^It answers otherwise/,
      /^An item .* has changed/,
    ]) {
      expect(colleague.violations.filter((violation) => finding.test(violation)).length, `${finding}`).toBeGreaterThan(
        0,
      );
    }
  });
});
