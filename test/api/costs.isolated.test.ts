import { describe, expect, it } from 'vitest';
import { searchCosts } from '#test/search/costs.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';

/** A sample of `npm run search -- costs`, which makes 100,000 bodies. */

const BODIES = 100;
const SEED = 1;

const own = useOwnCloud({ instances: true });

describe('bodies that are drawn for what they cost', () => {
  it('are answered soon, with a 4xx where they are bad, and end no function', { timeout: 120_000 }, async () => {
    const { violations, outcomes } = await searchCosts(own.cloud, BODIES, SEED);
    expect(violations).toEqual([]);
    for (const outcome of ['400', '413', '422', 'taken']) expect(outcomes[outcome], outcome).toBeGreaterThan(0);
  });
});
