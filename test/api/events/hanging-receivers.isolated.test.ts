import { expect, it } from 'vitest';
import { given } from '#test/support/given.ts';
import { givenReceiver } from '#test/support/receiver.ts';
import { givenWebhook } from '#test/support/webhooks.ts';

/** Two seconds of a slot with its margin (`shared/queue/webhooks.ts`), and what others may cost. */
const MOST_DELAY_MILLISECONDS = 2_100 + 5_000;

it('delay the tenth by at most five seconds, when nine of them hang', { timeout: 60_000 }, async () => {
  const ana = await given.user();
  const [hanging, up] = [await givenReceiver(() => {}), await givenReceiver()];
  for (let made = 0; made < 9; made++) await givenWebhook({ url: hanging.url }, ana);
  await givenWebhook({ url: up.url }, ana);
  await given.client(ana);
  const delivered = () => [hanging.deliveries.length, up.deliveries.length];
  await expect.poll(delivered, { timeout: 20_000 }).toEqual([9, 1]);
  await given.client(ana);
  await expect.poll(delivered, { timeout: 20_000 }).toEqual([9, 2]);
  const delays = up.deliveries.map(({ at, event }) => at - Date.parse(event.timestamp));
  expect(Math.max(...delays)).toBeLessThanOrEqual(MOST_DELAY_MILLISECONDS);
});
