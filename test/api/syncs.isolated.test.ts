import { expect, it } from 'vitest';
import { searchSyncs } from '#test/search/syncs.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';

/** A sample of `npm run search -- syncs`, which plays many times as many rounds. */

const own = useOwnCloud();

it('a provider whose data change, and an organization that bills, frees and corrects them, end as foretold', {
  timeout: 120_000,
}, async () => {
  const { violations, requests } = await searchSyncs(own.cloud, 1, 20);
  expect(violations).toEqual([]);
  expect(requests).toBeGreaterThan(60);
});
