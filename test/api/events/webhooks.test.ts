import { describe, expect, inject, it } from 'vitest';
import { endpointFunction } from '#infra/functions.ts';
import { testWebhook } from '#shared/contract/events/test-webhook.ts';
import { readWebhook } from '#shared/data/events/webhooks.ts';
import { EVENT_FAMILIES } from '#shared/domain/events/event.ts';
import type { Webhook } from '#shared/domain/events/webhook.ts';
import type { Scope } from '#shared/domain/keys/scopes.ts';
import { Client } from '#test/support/client.ts';
import { presentEnd } from '#test/support/events.ts';
import { givenPages, happen } from '#test/support/feeds.ts';
import { given } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';
import { answering, givenReceiver, shortenAttempts } from '#test/support/receiver.ts';
import { givenWebhook, storedWebhook } from '#test/support/webhooks.ts';

const URL_OF_RECEIVER = 'https://hooks.example.com/billwright';

const YESTERDAY = new Date(Date.now() - 86_400_000);

const paused = { status: 'paused' };

describe('POST /v1/webhooks', () => {
  it('shows the secret once, and takes by default all that its maker may read, from the present end on', async () => {
    const ana = await given.user();
    await happen(ana.organization.id, 3);
    const { webhook, path } = await givenWebhook({}, ana);
    const { secret, ...shown } = webhook;
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
    expect(shown).toMatchObject({ url: URL_OF_RECEIVER, types: EVENT_FAMILIES, description: '', status: 'active' });
    expect(shown).toMatchObject({ after: 3, behind: 0, lastFailure: null, nextAttemptAt: null });
    expect((await ana.get(path)).body.data).toEqual(shown);
  });

  it('begins behind a number, and counts of what lies there its own alone', async () => {
    const ana = await given.user();
    await given.client(ana);
    await happen(ana.organization.id, 5);
    const { webhook } = await givenWebhook({ after: 1, types: ['client.*', 'product.deleted'] }, ana);
    expect(webhook).toMatchObject({ after: 1, behind: 0 });
    const { webhook: other } = await givenWebhook({ after: 0, types: ['product.created', 'client.created'] }, ana);
    expect(other.behind).toBe(6);
  });

  it('takes of a maker with few scopes what these read, and refuses the rest', async () => {
    const ana = await given.user({ scopes: ['webhooks:write', 'events:read', 'invoices:read'] });
    const { webhook } = await givenWebhook({}, ana);
    expect(webhook.types).toEqual(['invoice.*', 'payment.*', 'credit_note.*', 'organization.*']);
    const { status, body } = await ana.post('/v1/webhooks', { url: URL_OF_RECEIVER, types: ['invoice.*', 'user.*'] });
    expect([status, body.errors[0].path]).toEqual([422, 'types.1']);
  });

  it.each([
    ['url', { url: 'https://10.0.0.1/' }],
    ['types', { url: URL_OF_RECEIVER, types: ['client.*', 'client.*'] }],
    ['types', { url: URL_OF_RECEIVER, types: [] }],
    ['after', { url: URL_OF_RECEIVER, after: -1 }],
    ['after', { url: URL_OF_RECEIVER, after: 'first' }],
  ])('refuses another %s', async (member, sent) => {
    const { status, body } = await (await given.user()).post('/v1/webhooks', sent);
    expect([status, body.errors[0].path]).toEqual([422, member]);
  });

  it('refuses the URL of this service', async () => {
    const { url } = inject('hosting');
    const { apiKey } = await given.user();
    const { status, body } = await new Client(apiKey, url).post('/v1/webhooks', { url: `${url}/v1` });
    expect([status, body.errors[0].path]).toEqual([422, 'url']);
  });

  it('answers 400 behind the present end', async () => {
    const ana = await given.user();
    const { status, body } = await ana.post('/v1/webhooks', { url: URL_OF_RECEIVER, after: 1 });
    expect([status, body.code]).toEqual([400, 'invalid_sequence']);
  });

  it('answers 410 behind a number whose events have expired', async () => {
    const ana = await given.user();
    await givenPages(ana.organization.id, 2, YESTERDAY);
    const { status, body } = await ana.post('/v1/webhooks', { url: URL_OF_RECEIVER, after: 0 });
    expect([status, body.code, body.oldest]).toEqual([410, 'events_expired', 101]);
    expect((await ana.get('/v1/webhooks')).body.meta.total).toBe(0);
  });

  it('makes ten of an organization, however many are wanted at once', async () => {
    const ana = await given.user();
    for (let made = 0; made < 8; made++) await givenWebhook({}, ana);
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => ana.post('/v1/webhooks', { url: URL_OF_RECEIVER })),
    );
    expect(replies.map(({ status, body }) => `${status} ${body.code}`).sort()).toEqual([
      ...Array(2).fill('201 undefined'),
      ...Array(3).fill('400 too_many_webhooks'),
    ]);
    expect((await ana.get('/v1/webhooks')).body.meta.total).toBe(10);
  });

  it('needs events:read', async () => {
    const reader = await given.user({ scopes: ['webhooks:write'] });
    const { status, body } = await reader.post('/v1/webhooks', { url: URL_OF_RECEIVER });
    expect([status, body.code, body.detail]).toEqual([
      403,
      'insufficient_scope',
      expect.stringContaining('events:read'),
    ]);
  });
});

describe('PATCH /v1/webhooks/{id}', () => {
  it('changes what is sent, and moves the cursor back and forward', async () => {
    const { ana, path } = await givenWebhook(paused);
    await happen(ana.organization.id, 5);
    const end = await presentEnd(ana);
    const changes = { url: 'https://other.example.com/', types: ['product.*'], description: 'Mirror', ...paused };
    expect((await ana.patch(path, { ...changes, after: 2 })).body.data).toMatchObject({
      ...changes,
      after: 2,
      behind: end - 2,
    });
    expect((await ana.patch(path, { after: 'latest' })).body.data).toMatchObject({ ...changes, after: end, behind: 0 });
    const { status, body } = await ana.patch(path, { after: end + 1 });
    expect([status, body.code]).toEqual([400, 'invalid_sequence']);
  });

  it('has nothing sent elsewhere, otherwise or again by a caller who may not read it', async () => {
    const { ana, path, now } = await givenWebhook({ types: ['client.*', 'invoice.sent'], after: 0 });
    const before = await now();
    const by = (...scopes: Scope[]) => given.user({ organization: ana.organization, scopes });
    const writer = await by('webhooks:write', 'clients:read', 'invoices:read');
    const reader = await by('webhooks:write', 'events:read', 'clients:read');
    const directions = [{ url: 'https://other.example.com/' }, { types: ['invoice.sent'] }, { after: 'latest' }];
    for (const [caller, lacks] of [
      [writer, 'events:read'],
      [reader, 'invoices:read'],
    ] as const) {
      for (const changes of directions) {
        const { status, body } = await caller.patch(path, changes);
        expect([status, body.code, body.detail]).toEqual([403, 'insufficient_scope', expect.stringContaining(lacks)]);
      }
    }
    expect(await now()).toEqual(before);
    expect((await reader.patch(path, { types: ['client.*'], after: 'latest' })).status).toBe(200);
    expect((await writer.patch(path, { description: 'Mirror', ...paused })).status).toBe(200);
    expect((await writer.post(`${path}/rotate-secret`)).status).toBe(200);
  });

  it('refuses a status that only deliveries give, a type that the maker may not read, and a URL as a POST does', async () => {
    const maker = await given.user({ scopes: ['webhooks:write', 'events:read'] });
    const { path } = await givenWebhook({}, maker);
    const ana = await given.user({ organization: maker.organization });
    for (const [member, changes] of [
      ['status', { status: 'disabled' }],
      ['types.0', { types: ['client.*'] }],
      ['url', { url: 'https://localhost/' }],
    ] as const) {
      const { status, body } = await ana.patch(path, changes);
      expect([status, body.errors[0].path]).toEqual([422, member]);
    }
  });

  it('answers 410 where it would go on with events that have expired, and goes on from the present end', async () => {
    const { ana, path, now } = await givenWebhook();
    await ana.patch(path, paused);
    await givenPages(ana.organization.id, 2, YESTERDAY);
    const before = await now();
    expect(before).toMatchObject({ status: 'paused', after: 0, behind: 1_000 });
    for (const changes of [{ after: 0 }, { after: 99 }, { status: 'active' }]) {
      const { status, body } = await ana.patch(path, changes);
      expect([status, body.code, body.oldest]).toEqual([410, 'events_expired', 101]);
    }
    expect(await now()).toEqual(before);
    const { body } = await ana.patch(path, { status: 'active', after: 'latest' });
    expect(body.data).toMatchObject({ status: 'active', after: 100, behind: 0 });
  });
});

describe('DELETE /v1/webhooks/{id}', () => {
  it('ends it, and makes room for another', async () => {
    const { ana, path, webhook } = await givenWebhook();
    expect((await ana.delete(path)).body).toEqual({ success: true, id: webhook.id });
    expect([(await ana.get(path)).status, (await ana.delete(path)).status]).toEqual([404, 404]);
    expect((await ana.get('/v1/webhooks')).body.meta.total).toBe(0);
  });
});

describe('POST /v1/webhooks/{id}/test', () => {
  it('sends an event that is signed', async () => {
    const receiver = await givenReceiver();
    const { ana, webhook, path } = await givenWebhook({ url: receiver.url });
    const { status, body } = await ana.post(`${path}/test`);
    expect({ status, data: body.data }).toEqual({ status: 202, data: { delivered: true, failure: null } });
    const [event] = receiver.verify(webhook.secret);
    const actor = { userId: ana.userId, keyId: ana.keyId, via: 'api_key' };
    expect(event).toEqual({
      id: expect.any(String),
      sequence: 0,
      type: 'webhook.test',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { object: { type: 'webhook', id: webhook.id }, actor },
    });
    expect(receiver.deliveries[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Billwright-Webhooks/1',
      'webhook-id': receiver.deliveries[0]?.event.id,
    });
  });

  const failed = { lastFailureAt: YESTERDAY.toISOString(), lastFailure: 'timeout' } as const;

  const nextAttemptAt = new Date(Date.now() + 86_400_000).toISOString();

  const standings: Partial<Webhook>[] = [
    { status: 'active', lastSuccessAt: YESTERDAY.toISOString() },
    { status: 'failing', failures: 3, nextAttemptAt, dueAt: nextAttemptAt, ...failed },
    { status: 'paused' },
    { status: 'disabled', ...failed },
  ];

  it.each(standings.flatMap((standing) => [204, 500].map((answer) => [standing.status, answer, standing] as const)))(
    'is tried once and at once on one that is %s, and changes nothing: %i',
    async (_, answer, standing) => {
      const receiver = await givenReceiver(answering(answer));
      const ana = await given.user();
      const { organizationId, id } = await storedWebhook(ana, receiver.url, standing);
      const before = await readWebhook(organizationId, id);
      expect(before).toMatchObject(standing);
      const failure = answer === 500 ? 'http_5xx' : null;
      expect((await ana.post(`/v1/webhooks/${id}/test`)).body.data).toEqual({ delivered: failure === null, failure });
      expect(receiver.sequences()).toEqual([0]);
      expect(await readWebhook(organizationId, id)).toEqual(before);
    },
  );

  it('tells a wrong answer, that no name or no answer was found, and changes nothing', async () => {
    const receiver = await givenReceiver(answering(410));
    const { ana, path } = await givenWebhook({ url: receiver.url });
    expect((await ana.post(`${path}/test`)).body).toEqual({ data: { delivered: false, failure: 'gone' } });
    expect((await ana.get(path)).body.data.status).toBe('active');
    receiver.behaveLike((response) => response.socket?.destroy());
    expect((await ana.post(`${path}/test`)).body.data.failure).toBe('connect');
    await ana.patch(path, { url: 'https://nobody.invalid/' });
    expect((await ana.post(`${path}/test`)).body.data.failure).toBe('dns');
    receiver.behaveLike(() => {});
    await ana.patch(path, { url: receiver.url });
    shortenAttempts();
    expect((await ana.post(`${path}/test`)).body.data.failure).toBe('timeout');
  });

  it('ends within 20 s, and sends nothing where a receiver would no longer have its 15 s', async () => {
    expect(endpointFunction(testWebhook).timeoutSeconds).toBeLessThanOrEqual(20);
    const receiver = await givenReceiver();
    const { ana, webhook } = await givenWebhook({ url: receiver.url });
    const test = (remainingMilliseconds: number) =>
      invoke(testWebhook, ana, { params: { id: webhook.id }, remainingMilliseconds });
    expect(await test(15_000)).toMatchObject({ status: 503, code: 'temporarily_unavailable' });
    expect(receiver.deliveries).toEqual([]);
    expect(await test(20_000)).toEqual({ status: 202, data: { delivered: true, failure: null } });
  });
});

describe('POST /v1/webhooks/{id}/rotate-secret', () => {
  it('signs with both secrets while the grace lasts, 24 hours unless it is told otherwise, and ends the first with a third', async () => {
    const receiver = await givenReceiver();
    const { ana, webhook, path } = await givenWebhook({ url: receiver.url });
    const rotate = async (body?: object) => (await ana.post(`${path}/rotate-secret`, body)).body.data.secret;
    const verified = async (secrets: readonly string[]) => {
      receiver.deliveries.length = 0;
      await ana.post(`${path}/test`);
      return secrets.map((secret) => {
        try {
          return receiver.verify(secret).length;
        } catch {
          return 0;
        }
      });
    };
    const second = await rotate();
    const [, former] = (await readWebhook(ana.organization.id, webhook.id)).secrets;
    expect((Date.parse(former?.endsAt ?? '') - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
    expect(await verified([webhook.secret, second])).toEqual([1, 1]);
    const third = await rotate({ graceHours: 72 });
    expect(await verified([webhook.secret, second, third])).toEqual([0, 1, 1]);
    const fourth = await rotate({ graceHours: 0 });
    expect(await verified([second, third, fourth])).toEqual([0, 0, 1]);
  });

  it.each([1.5, -1, 73])('refuses a grace of %d hours', async (graceHours) => {
    const { ana, path } = await givenWebhook();
    const { status, body } = await ana.post(`${path}/rotate-secret`, { graceHours });
    expect([status, body.errors[0].path]).toEqual([422, 'graceHours']);
  });
});
