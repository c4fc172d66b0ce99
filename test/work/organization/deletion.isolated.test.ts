import { expect, it } from 'vitest';
import { searchDeletion } from '#test/search/deletion.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';

/** A sample of `npm run search -- deletion`. */

const ENTRIES = 200;
const SEED = 1;

const own = useOwnCloud({ instances: true });

it('an organization is removed whole, and nothing else, while its users go on calling and its worker is killed', {
  timeout: 400_000,
}, async () => {
  const { violations, kills } = await searchDeletion(own.cloud, ENTRIES, SEED);
  expect(violations).toEqual([]);
  expect(kills).toBeGreaterThan(2);
});
