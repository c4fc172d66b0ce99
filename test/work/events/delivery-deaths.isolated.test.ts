import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readWebhook } from '#shared/data/events/webhooks.ts';
import { happening } from '#shared/domain/events/happening.ts';
import { wakeWebhooks } from '#shared/queue/webhooks.ts';
import { MAX_RECEIVES } from '#shared/queues.ts';
import { recordEach, upTo } from '#test/support/feeds.ts';
import { given } from '#test/support/given.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';
import { answering, type Behaviour, givenReceiver } from '#test/support/receiver.ts';
import { storedWebhook } from '#test/support/webhooks.ts';

/**
 * The worker in a process of its own, behind the queue, and killed there at each of its calls: of the table, of the key
 * service, of the queue, and of the receiver. The queue hides its message, and then delivers it again.
 */

/** On AWS a minute and a half (`test/infra/queues.test.ts`), and so less than between two whole runs of the schedule. */
const HIDDEN_MILLISECONDS = 500;

const own = useOwnCloud({ maximumRedeliverySeconds: HIDDEN_MILLISECONDS / 1_000 });

const WORKER = 'deliver-events';

/** As which the requests to the receiver are among the calls. */
const POST = 'POST';

interface Death {
  /** From 0. */
  readonly call: number;
  /** After a call, it has taken effect, and the worker never hears the answer. */
  readonly moment: 'before' | 'after';
}

/** Before a request to the receiver is after the call in front of it. */
const deathsOf = (calls: readonly string[]): Death[] =>
  calls.flatMap((name, call): Death[] => [
    ...(name === POST ? [] : [{ call, moment: 'before' } as const]),
    { call, moment: 'after' },
  ]);

/** Events that the webhook wants. Behind them is one that it does not. */
const WANTED = 3;

/** The schedule of the moment, which looks after what has become due within five minutes. */
const tick = () => own.cloud.fireSchedule('webhook-scheduler', new Date(Math.ceil(Date.now() / 1_000) * 1_000));

/** A webhook and its events. @param kills whether the worker dies at a call that it begins, of so many in all */
async function scene(kills: (call: string, number: number) => Death['moment'] | undefined, behave: Behaviour) {
  const ana = await given.user();
  const organizationId = ana.organization.id;
  const calls: string[] = [];
  const meet = (call: string) => {
    const moment = kills(call, calls.push(call) - 1);
    if (moment) void own.cloud.killInstances(WORKER);
    return moment;
  };
  const receiver = await givenReceiver((response, attempt, request) => {
    if (!meet(POST)) behave(response, attempt, request);
  });
  const { id } = await storedWebhook(ana, receiver.url, { types: ['product.*'] });
  const types = [...Array.from({ length: WANTED }, () => 'product.created' as const), 'client.created' as const];
  await recordEach(
    organizationId,
    types.map((type) => [happening(type, { id })]),
    new Date(),
  );
  /** The invocations of the worker, and how far behind the receiver each has found the webhook. */
  const begun: { requestId: string; at: number; behind: number }[] = [];
  const present = () => readWebhook(organizationId, id);
  const stop = own.cloud.intercept(async (call) => {
    const { requestId, operation, requestBody } = call;
    // What a dead worker had sent may arrive after its end.
    if (!isOf(call, WORKER) || !requestBody.includes(organizationId) || !requestId) return undefined;
    if (!begun.some((each) => each.requestId === requestId)) {
      const at = Date.now();
      const { after } = await present();
      begun.push({ requestId, at, behind: Math.max(0, ...receiver.sequences()) - Math.min(after, WANTED) });
    }
    return meet(operation) === 'before' ? 'drop' : undefined;
  });
  let ended = 0;
  const unsubscribe = own.cloud.logs.subscribe(({ record }) => {
    if (record.group === id && record.message === 'message') ended += 1;
  });
  return {
    receiver,
    calls,
    begun,
    present,
    tell: () => wakeWebhooks([{ organizationId, webhookId: id, from: Date.now() }]),
    /** The schedule of another scene leaves it alone. */
    close: async () => {
      stop();
      unsubscribe();
      await ana.delete(`/v1/webhooks/${id}`);
    },
    hasEnded: (times = 1) => expect.poll(() => ended, { timeout: 60_000 }).toBeGreaterThanOrEqual(times),
  };
}

const dyingAt =
  (death?: Death) =>
  (_call: string, number: number): Death['moment'] | undefined =>
    number === death?.call ? death.moment : undefined;

type Scene = Awaited<ReturnType<typeof scene>>;

/** Ends a scene. @param again how many deliveries may have come twice */
async function expectAll({ receiver, begun, present, close }: Scene, again: number, at: string): Promise<void> {
  const sequences = receiver.sequences();
  expect([...new Set(sequences)], at).toEqual(upTo(WANTED));
  expect(
    sequences.toSorted((one, other) => one - other),
    at,
  ).toEqual(sequences);
  expect(sequences.length, at).toBeLessThanOrEqual(WANTED + again);
  for (const { behind } of begun) expect([0, 1], at).toContain(behind);
  expect(await present(), at).toMatchObject({ after: WANTED + 1, status: 'active', failures: 0 });
  await close();
}

it('dies, and no other message of its webhook is delivered while its own is hidden', async () => {
  let diedAt = Number.POSITIVE_INFINITY;
  const dying = await scene((call) => {
    if (call !== POST || Number.isFinite(diedAt)) return undefined;
    diedAt = Date.now();
    return 'after';
  }, answering(204));
  await dying.tell();
  await dying.tell();
  await dying.hasEnded(2);
  expect((dying.begun[1]?.at ?? 0) - diedAt).toBeGreaterThanOrEqual(HIDDEN_MILLISECONDS);
  await expectAll(dying, 1, 'after its first request');
});

it('that dies each time loses its message, and the schedule goes on where the webhook stood', {
  timeout: 120_000,
}, async () => {
  let lives = 0;
  const dying = await scene((call) => (call === POST && ++lives <= MAX_RECEIVES ? 'after' : undefined), answering(204));
  await dying.tell();
  await expect.poll(() => lives, { timeout: 60_000 }).toBe(MAX_RECEIVES);
  await sleep(4 * HIDDEN_MILLISECONDS);
  expect([dying.begun.length, dying.receiver.sequences()]).toEqual([MAX_RECEIVES, Array(MAX_RECEIVES).fill(1)]);
  await tick();
  await dying.hasEnded();
  expect(dying.receiver.sequences()).toEqual([...Array(MAX_RECEIVES).fill(1), ...upTo(WANTED)]);
  await dying.close();
});

it('dies at any call, and the message that comes back has the rest delivered in order', {
  timeout: 400_000,
}, async () => {
  const clean = await scene(dyingAt(), answering(204));
  await clean.tell();
  await clean.hasEnded();
  await expectAll(clean, 0, 'nowhere');
  const deaths = deathsOf(clean.calls);
  for (const death of deaths) {
    const at = `${death.moment} call ${death.call}, ${clean.calls[death.call]}`;
    const dying = await scene(dyingAt(death), answering(204));
    await dying.tell();
    await dying.hasEnded();
    expect(dying.begun, at).toHaveLength(2);
    await expectAll(dying, 1, at);
  }
});

it('dies at any call around a failure, and the schedule at the latest has the rest delivered', {
  timeout: 400_000,
}, async () => {
  const failingOnce: Behaviour = (response, attempt) => response.writeHead(attempt === 1 ? 500 : 204).end();
  const clean = await scene(dyingAt(), failingOnce);
  await clean.tell();
  await clean.hasEnded(2);
  await expectAll(clean, 1, 'nowhere');
  const [first, second] = [clean.calls.indexOf(POST), clean.calls.indexOf(POST, clean.calls.indexOf(POST) + 1)];
  // Those before and behind are as without a failure.
  const deaths = deathsOf(clean.calls).filter(({ call }) => call >= first && call <= second);
  for (const death of deaths) {
    const at = `${death.moment} call ${death.call}, ${clean.calls[death.call]}`;
    const dying = await scene(dyingAt(death), failingOnce);
    await dying.tell();
    await expect.poll(() => dying.begun.length, { timeout: 60_000 }).toBeGreaterThan(1);
    const { nextAttemptAt } = await dying.present();
    if (nextAttemptAt) {
      await sleep(Math.max(0, Date.parse(nextAttemptAt) - Date.now()));
      await tick();
    }
    await expect.poll(async () => (await dying.present()).after, { timeout: 60_000 }).toBe(WANTED + 1);
    await expectAll(dying, 2, at);
  }
});
