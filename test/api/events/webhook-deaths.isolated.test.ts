import { expect, it } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { createWebhook } from '#shared/contract/events/create-webhook.ts';
import { deleteWebhook } from '#shared/contract/events/delete-webhook.ts';
import { rotateWebhookSecret } from '#shared/contract/events/rotate-webhook-secret.ts';
import { updateWebhook } from '#shared/contract/events/update-webhook.ts';
import { readToldWebhooks } from '#shared/data/events/told-webhooks.ts';
import { readWebhooks } from '#shared/data/events/webhooks.ts';
import { isDelivering, type Webhook } from '#shared/domain/events/webhook.ts';
import type { Reply } from '#test/support/client.ts';
import { happen, upTo } from '#test/support/feeds.ts';
import { given } from '#test/support/given.ts';
import { invokeWith } from '#test/support/invoke.ts';
import { deathsOf, mayDie, useKilling } from '#test/support/kill.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { givenReceiver } from '#test/support/receiver.ts';
import { storedWebhook, webhookCounts } from '#test/support/webhooks.ts';

/**
 * Requests that change webhooks and take no `Idempotency-Key`, whose functions die at any of their writes. That for a test
 * event takes one (`test/data/idempotency/deaths.isolated.test.ts`).
 */

const own = useOwnCloud();
useKilling();

const EVENTS = 3;

/** An organization with one webhook, to which nothing was sent yet. */
async function scene(status: Webhook['status']) {
  const [ana, receiver] = [await given.user(), await givenReceiver()];
  const { id: organizationId } = ana.organization;
  const { id, secret } = await storedWebhook(ana, receiver.url);
  if (status === 'paused') await ana.patch(`/v1/webhooks/${id}`, { status });
  await happen(organizationId, EVENTS);
  return {
    receiver,
    secret,
    happenAgain: () => happen(organizationId, EVENTS),
    webhooks: () => readWebhooks(organizationId),
    /** The schedule of another scene leaves them alone. */
    close: async () => {
      for (const each of await readWebhooks(organizationId)) await ana.delete(`/v1/webhooks/${each.id}`);
    },
    told: () => readToldWebhooks(organizationId),
    counts: () => webhookCounts(organizationId),
    send: (endpoint: Endpoint, body?: object) => {
      const params: Record<string, string> = endpoint.path.includes('{id}') ? { id } : {};
      return invokeWith(endpoint, `Bearer ${ana.apiKey}`, { params, body: body && { url: receiver.url, ...body } });
    },
  };
}

type Scene = Awaited<ReturnType<typeof scene>>;

/** What events are sent to is told of them, and all are counted. */
async function expectWhole({ webhooks, told, counts }: Scene, at: string): Promise<void> {
  const delivering = (await webhooks()).filter(isDelivering);
  expect((await told()).toSorted(), at).toEqual(delivering.map(({ id }) => id).toSorted());
  const { counted, there } = await counts();
  expect(counted, at).toBe(there);
}

/** The schedule of the moment, which looks after what has become due within five minutes. */
const tick = () => own.cloud.fireSchedule('webhook-scheduler', new Date(Math.ceil(Date.now() / 1_000) * 1_000));

/** Nobody but the schedule has to know of a webhook for its events to arrive. */
async function expectDelivered({ receiver, webhooks }: Scene, at: string): Promise<void> {
  await tick();
  const expected = (await webhooks()).some(isDelivering) ? upTo(EVENTS) : [];
  await expect.poll(() => receiver.sequences(), { message: at, timeout: 60_000 }).toEqual(expected);
}

type Change = readonly [endpoint: Endpoint, before: Webhook['status'], body: object | undefined];

it.each<[string, Change, (made: Scene, late: Reply, at: string) => Promise<void>]>([
  [
    'creates',
    [createWebhook, 'paused', { after: 0 }],
    async ({ webhooks }, late, at) => {
      expect(late.status, at).toBe(201);
      expect(
        (await webhooks()).map(({ id }) => id),
        at,
      ).toContain(late.body.data.id);
    },
  ],
  [
    'changes',
    [updateWebhook, 'paused', { status: 'active' }],
    async ({ webhooks }, late, at) => {
      expect([late.status, await webhooks()], at).toMatchObject([200, [{ status: 'active' }]]);
    },
  ],
  [
    'ends',
    [deleteWebhook, 'active', undefined],
    async ({ webhooks }, late, at) => {
      expect([200, 404], at).toContain(late.status);
      expect(await webhooks(), at).toEqual([]);
    },
  ],
  [
    'gives another secret to',
    [rotateWebhookSecret, 'active', undefined],
    async ({ receiver, secret, happenAgain }, late, at) => {
      expect(receiver.verify(secret), at).toHaveLength(EVENTS);
      receiver.deliveries.length = 0;
      await happenAgain();
      await tick();
      await expect.poll(() => receiver.deliveries.length, { message: at, timeout: 60_000 }).toBe(EVENTS);
      expect(receiver.verify(late.body.data.secret), at).toHaveLength(EVENTS);
    },
  ],
])(
  'a function that dies while it %s a webhook leaves all or nothing, and the schedule goes on with it',
  { timeout: 240_000 },
  async (_, [endpoint, before, body], expectDone) => {
    const clean = await scene(before);
    const { writes } = await mayDie(undefined, () => clean.send(endpoint, body));
    await clean.close();
    for (const death of deathsOf(writes)) {
      const at = `${death.moment} write ${death.write} of ${writes}`;
      const made = await scene(before);
      expect((await mayDie(death, () => made.send(endpoint, body))).outcome, at).toBe('killed');
      await expectWhole(made, at);
      await expectDelivered(made, at);
      await expectDone(made, await made.send(endpoint, body), at);
      await expectWhole(made, at);
      await made.close();
    }
  },
);
