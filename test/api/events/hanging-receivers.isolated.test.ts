import { expect, it } from 'vitest';
import { given } from '#test/support/given.ts';
import { givenReceiver } from '#test/support/receiver.ts';
import { givenWebhook } from '#test/support/webhooks.ts';

const MOST_DELAY_MILLISECONDS = 5_000;

it('delay the tenth by at most five seconds, when nine of them hang', { timeout: 60_000 }, async () => {
  const [ana, alone] = [await given.user(), await given.user()];
  const [hanging, up, quick] = [await givenReceiver(() => {}), await givenReceiver(), await givenReceiver()];
  for (let made = 0; made < 9; made++) await givenWebhook({ url: hanging.url }, ana);
  await givenWebhook({ url: up.url }, ana);
  await givenWebhook({ url: quick.url }, alone);
  const startedAt = Date.now();
  await Promise.all([given.client(ana), given.client(alone)]);
  await expect.poll(() => hanging.deliveries.length, { timeout: 20_000 }).toBe(9);
  await expect.poll(() => [up.deliveries.length, quick.deliveries.length], { timeout: 20_000 }).toEqual([1, 1]);
  const [late, usual] = [up, quick].map(({ deliveries }) => (deliveries[0]?.at ?? 0) - startedAt);
  expect((late ?? 0) - (usual ?? 0)).toBeLessThan(MOST_DELAY_MILLISECONDS);
});
