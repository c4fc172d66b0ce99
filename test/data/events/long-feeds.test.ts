import { v7 as uuidV7 } from 'uuid';
import { expect, it } from 'vitest';
import { readFeed } from '#shared/data/events/feed.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { costOf } from '#test/support/capacity.ts';
import { recordEach } from '#test/support/feeds.ts';

const CHANGES = 10_000;
const CHANGES_OF_A_REQUEST = 500;

/**
 * The head; for each of ten pages the outbox, the page, two batches of deletions and the head; then the outbox and whether
 * a page follows. So a request is no longer with 100,000 changes, whose end two hundred of them reach.
 */
const CALLS_OF_A_REQUEST = 1 + 10 * 5 + 2;

it('lets thousands of changes that nobody has read be read by requests of bounded work', {
  timeout: 240_000,
}, async () => {
  const acme = uuidV7();
  const changes = Array.from({ length: CHANGES }, () => [happening('product.updated', { id: uuidV7() })]);
  const now = new Date();
  await readFeed(acme, undefined, 200, now);
  await recordEach(acme, changes, now);
  const seconds: number[] = [];
  for (let hasMore = true; hasMore; ) {
    const startedAt = performance.now();
    const { calls } = await costOf(async () => {
      ({ hasMore } = await readFeed(acme, undefined, 200, now));
    });
    seconds.push((performance.now() - startedAt) / 1_000);
    expect(calls).toBeLessThanOrEqual(CALLS_OF_A_REQUEST);
  }
  console.log(`${seconds.length} requests, of which the slowest took ${Math.max(...seconds).toFixed(1)} s.`);
  expect(seconds).toHaveLength(CHANGES / CHANGES_OF_A_REQUEST);
  const units: number[] = [];
  for (const after of [0, CHANGES / 2, CHANGES - 400])
    units.push((await costOf(() => readFeed(acme, after, 200, now))).readUnits);
  expect(new Set(units).size).toBe(1);
});
