import { describe, expect, it } from 'vitest';
import { handler as webhookScheduler } from '#functions/events/webhook-scheduler.ts';
import { readWebhook, trySaveWebhook } from '#shared/data/events/webhooks.ts';
import type { Webhook } from '#shared/domain/events/webhook.ts';
import { asFunction } from '#test/support/api.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { answering, givenReceiver } from '#test/support/receiver.ts';
import { type GivenWebhook, givenWebhook } from '#test/support/webhooks.ts';

const own = useOwnCloud();

const tick = (at = new Date()) =>
  asFunction('webhook-scheduler', (context) => webhookScheduler({ time: at.toISOString() }, context));

const FIVE_MINUTES = 300_000;

const START = Math.ceil(Date.now() / FIVE_MINUTES);

/** @param fives five minutes of the clock, so many from now */
const later = (fives: number) => new Date((START + fives) * FIVE_MINUTES);

const [HOUR, DAY] = [12, 288];

/** @returns which of the webhooks the run told */
async function toldAt(at: Date, webhooks: readonly GivenWebhook[]): Promise<boolean[]> {
  const { lost, end } = own.loseMessages();
  await tick(at).catch(() => undefined);
  end();
  return webhooks.map(({ webhook }) => lost.some((body) => body.includes(webhook.id)));
}

describe('the schedule of webhooks', () => {
  it('fails where it cannot tell a webhook, so that an alarm rings', async () => {
    await givenWebhook();
    own.loseMessages();
    await expect(tick()).rejects.toThrow('could not be woken');
  });

  it('leaves a failing one alone until its next attempt, and one that stands still for a day', async () => {
    const receiver = await givenReceiver(answering(500));
    const stands = async (values: Partial<Webhook>) => {
      const made = await givenWebhook({ url: receiver.url });
      const webhook = await readWebhook(made.ana.organization.id, made.webhook.id);
      const nextAttemptAt = later(HOUR - 0.5).toISOString();
      await trySaveWebhook(webhook, { failures: 3, nextAttemptAt, dueAt: nextAttemptAt, ...values });
      return made;
    };
    const dueAt = later(DAY - 0.5).toISOString();
    const webhooks = [
      await stands({ status: 'failing' }),
      await stands({ status: 'paused', nextAttemptAt: null, dueAt }),
      await stands({ status: 'disabled', nextAttemptAt: null, dueAt }),
    ];
    expect(await toldAt(later(HOUR - 1), webhooks)).toEqual([false, false, false]);
    expect(await toldAt(later(HOUR), webhooks)).toEqual([true, false, false]);
    expect(await toldAt(later(DAY), webhooks)).toEqual([true, true, true]);
  });

  it('tells in between, every minute, those alone whose attempt has become due', async () => {
    const [active, failing] = [await givenWebhook(), await givenWebhook()];
    const inMinutes = (minutes: number) => new Date(later(HOUR).getTime() + minutes * 60_000);
    const nextAttemptAt = inMinutes(1.5).toISOString();
    const webhook = await readWebhook(failing.ana.organization.id, failing.webhook.id);
    await trySaveWebhook(webhook, { status: 'failing', failures: 2, nextAttemptAt, dueAt: nextAttemptAt });
    const webhooks = [active, failing];
    expect(await toldAt(inMinutes(1), webhooks)).toEqual([false, false]);
    expect(await toldAt(inMinutes(2), webhooks)).toEqual([false, true]);
    expect(await toldAt(inMinutes(5), webhooks)).toEqual([true, true]);
  });
});
