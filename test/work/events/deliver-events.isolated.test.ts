import { randomBytes } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { readFeed } from '#shared/data/events/feed.ts';
import { encryptWebhookSecret } from '#shared/data/events/webhook-secrets.ts';
import { insertWebhook, readWebhook, trySaveWebhook } from '#shared/data/events/webhooks.ts';
import { formatSecret, SECRET_BYTES } from '#shared/domain/events/signature.ts';
import { newWebhook, type Webhook } from '#shared/domain/events/webhook.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { deliverEvents } from '#shared/work/events/deliver-events.ts';
import { asFunction } from '#test/support/api.ts';
import { happen, upTo } from '#test/support/feeds.ts';
import { given, type User } from '#test/support/given.ts';
import { type Death, deathsOf, mayDie, useKilling } from '#test/support/kill.ts';
import { answering, type Behaviour, givenReceiver } from '#test/support/receiver.ts';
import { WAITS_SECONDS } from '#test/support/waits.ts';

/** The worker in this process, for webhooks of which no queue was told. */

useKilling();

async function stored(by: User, url: string, values: Partial<Webhook> = {}) {
  const owner = { id: uuidV7(), organizationId: by.organization.id };
  const encrypted = await encryptWebhookSecret(owner, formatSecret(randomBytes(SECRET_BYTES)));
  const maker = { userId: by.userId, keyId: by.keyId, scopes: SCOPES };
  const webhook = newWebhook(
    { url },
    { ...owner, maker, secrets: [{ encrypted, endsAt: null }], after: 0 },
    new Date(),
  );
  await insertWebhook({ ...webhook, ...values });
  return owner;
}

type Owner = Awaited<ReturnType<typeof stored>>;

const deliver = ({ organizationId, id: webhookId }: Owner, death?: Death) =>
  mayDie(death, () =>
    asFunction('deliver-events', (context) =>
      deliverEvents({ organizationId, webhookId, from: 0 }, () => context.getRemainingTimeInMillis()),
    ),
  );

const present = ({ organizationId, id }: Owner) => readWebhook(organizationId, id);

async function scene(behaviour?: Behaviour, values?: Partial<Webhook>) {
  const ana = await given.user();
  const receiver = await givenReceiver(behaviour);
  const owner = await stored(ana, receiver.url, values);
  await happen(owner.organizationId, 7);
  return { ana, receiver, owner };
}

describe('a worker that dies', () => {
  /** Numbering the feed, and keeping the position behind each event. */
  const WRITES = 11;

  it('makes so many writes', async () => {
    const { owner } = await scene();
    expect((await deliver(owner)).writes).toBe(WRITES);
  });

  it.each(deathsOf(WRITES))('$moment its write $write leaves all to the next one, in order', async (death) => {
    const { owner, receiver } = await scene();
    await deliver(owner, death);
    await deliver(owner);
    const sequences = receiver.sequences();
    expect([...new Set(sequences)]).toEqual(upTo(7));
    expect(sequences.toSorted((a, b) => a - b)).toEqual(sequences);
    expect(sequences.length).toBeLessThanOrEqual(8);
    expect(await present(owner)).toMatchObject({ after: 7, status: 'active', failures: 0 });
  });

  it.each(deathsOf(2))('$moment write $write of a failure tries the same event again', async (death) => {
    const { owner, receiver } = await scene(answering(500));
    await readFeed(owner.organizationId, 0, 50, new Date());
    await deliver(owner, death);
    receiver.behaveLike(answering(200));
    const webhook = await present(owner);
    await trySaveWebhook(webhook, { nextAttemptAt: null });
    await deliver(owner);
    expect(receiver.sequences().slice(0, 2)).toEqual([1, 1]);
    expect([...new Set(receiver.sequences())]).toEqual(upTo(7));
  });
});

describe('a receiver that fails for days', () => {
  it('has ten attempts for one event, and then none until somebody wants them', { timeout: 60_000 }, async () => {
    const { ana, owner, receiver } = await scene(answering(503));
    for (const [failures, seconds] of WAITS_SECONDS.entries()) {
      const before = Date.now();
      await deliver(owner);
      const webhook = await present(owner);
      expect(webhook).toMatchObject({ status: 'failing', failures: failures + 1, after: 0, lastFailure: 'http_5xx' });
      const waits = Date.parse(webhook.nextAttemptAt ?? '') - before;
      expect(waits).toBeGreaterThan(seconds * 890);
      await deliver(owner);
      expect(receiver.deliveries).toHaveLength(failures + 1);
      await trySaveWebhook(webhook, { nextAttemptAt: new Date(before - 1).toISOString() });
    }
    await deliver(owner);
    expect(await present(owner)).toMatchObject({ status: 'disabled', nextAttemptAt: null });
    await deliver(owner);
    expect(receiver.deliveries).toHaveLength(WAITS_SECONDS.length + 1);
    expect(new Set(receiver.sequences())).toEqual(new Set([1]));
    receiver.behaveLike(answering(200));
    await ana.patch(`/v1/webhooks/${owner.id}`, { status: 'active' });
    await expect.poll(() => receiver.sequences().slice(-7)).toEqual(upTo(7));
  });
});

describe('a webhook that stands still', () => {
  it('has its feed read once a day, so that it is not cut', async () => {
    const { owner, receiver } = await scene(undefined, { status: 'paused' });
    await deliver(owner);
    const { dueAt, status } = await present(owner);
    expect([status, receiver.deliveries.length]).toEqual(['paused', 0]);
    expect(Date.parse(dueAt) - Date.now()).toBeGreaterThan(80_000_000);
    expect((await readFeed(owner.organizationId, 0, 50, new Date(Date.now() + 8 * 86_400_000))).events).toHaveLength(7);
  });
});

describe('an organization that is being deleted', () => {
  it.each(['active', 'paused'] as const)('sends and writes nothing more for one that is %s', async (status) => {
    const { owner, receiver } = await scene(undefined, { status });
    await (await given.platform()).delete(`/v1/organizations/${owner.organizationId}`);
    expect((await deliver(owner)).writes).toBe(0);
    expect(receiver.deliveries).toEqual([]);
  });
});
