import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { request } from '#test/support/api.ts';
import { eventsOf } from '#test/support/events.ts';
import { given } from '#test/support/given.ts';
import { givenReceiver } from '#test/support/receiver.ts';
import { givenWebhook } from '#test/support/webhooks.ts';

describe('a webhook', () => {
  it('gets each event once, in order, signed, and as the feed has it byte for byte', async () => {
    const receiver = await givenReceiver();
    const { ana, webhook, now } = await givenWebhook({ url: receiver.url });
    const { id } = await given.product(ana);
    await ana.patch(`/products/${id}`, { price: '20.00' });
    await given.sentInvoice(ana);
    await ana.delete(`/products/${id}`);
    await given.connection(ana);
    await ana.post('/v1/work/tracker/remote/sync/confirm', { rows: [{ date: '2026-11-02', durationMinutes: 30 }] });
    const events = await eventsOf(ana);
    await expect.poll(() => receiver.deliveries.length).toBe(events.length);
    expect(receiver.verify(webhook.secret)).toEqual(events);
    expect(events.map(({ type }) => type)).toContain('entries.imported');
    const authorization = `Bearer ${ana.apiKey}`;
    const page = await request(async (url) =>
      (await fetch(`${url}/v1/events?after=0`, { headers: { authorization } })).text(),
    );
    expect(page).toContain(`"data":[${receiver.deliveries.map(({ body }) => body).join()}]`);
    expect(receiver.deliveries.map(({ headers }) => headers['webhook-id'])).toEqual(events.map((event) => event.id));
    await expect.poll(now).toMatchObject({ after: events.length, behind: 0, status: 'active', lastFailure: null });
  });

  it('gets one event at a time, however many happen at once', async () => {
    let [underWay, most] = [0, 0];
    const receiver = await givenReceiver(async (response) => {
      most = Math.max(most, ++underWay);
      await sleep(50);
      underWay -= 1;
      response.writeHead(204).end();
    });
    const { ana } = await givenWebhook({ url: receiver.url });
    await Promise.all(Array.from({ length: 6 }, () => given.client(ana)));
    await expect.poll(() => receiver.sequences()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(most).toBe(1);
  });

  it('goes on with the same event after a failure, is active again, and tells when it last succeeded and failed', async () => {
    const receiver = await givenReceiver((response, attempt) => response.writeHead(attempt === 2 ? 500 : 200).end());
    const { ana, now } = await givenWebhook({ url: receiver.url });
    await given.client(ana);
    await given.client(ana);
    const expectBetween = (time: string, from = 0, to = Date.now()) => {
      expect(Date.parse(time)).toBeGreaterThanOrEqual(from);
      expect(Date.parse(time)).toBeLessThanOrEqual(to);
    };
    await expect.poll(now).toMatchObject({ status: 'failing', after: 1, behind: 1, lastFailure: 'http_5xx' });
    const { lastSuccessAt, lastFailureAt } = await now();
    const [first, failed] = receiver.deliveries;
    expectBetween(lastSuccessAt, first?.at, failed?.at);
    expectBetween(lastFailureAt, failed?.at);
    await expect.poll(() => receiver.sequences(), { timeout: 12_000 }).toEqual([1, 2, 2]);
    const again = receiver.deliveries[2];
    expect(again?.headers['webhook-id']).toBe(failed?.headers['webhook-id']);
    expect((again?.at ?? 0) - (failed?.at ?? 0)).toBeGreaterThan(4_400);
    const left = { after: 2, lastFailureAt, lastFailure: 'http_5xx' };
    await expect.poll(now).toMatchObject({ status: 'active', nextAttemptAt: null, ...left });
    expectBetween((await now()).lastSuccessAt, again?.at);
  });
});
