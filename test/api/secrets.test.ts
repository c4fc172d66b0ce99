import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { formatApiKey } from '#shared/domain/keys/api-key.ts';
import { useInstances } from '#test/support/api.ts';
import { Client, type Reply } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import { newEmail, signIn } from '#test/support/person.ts';
import { type Behaviour, givenReceiver } from '#test/support/receiver.ts';
import { databaseFiles, logWith } from '#test/support/traces.ts';
import { givenWebhook } from '#test/support/webhooks.ts';

const CHECKSUM_LENGTH = 6;

// Only functions of the cloud write to its log.
useInstances();

describe('an API key', () => {
  it('is nowhere in the table, where only its SHA-256 is', async () => {
    const ana = await given.user();
    const { apiKey } = await given.apiKey(ana, { user: 'Bea', expiresInDays: 1 });
    expect((await new Client(apiKey).get('/products')).status).toBe(200);
    const table = await databaseFiles();
    expect(table.some((file) => file.includes(createHash('sha256').update(apiKey).digest('hex')))).toBe(true);
    const random = apiKey.slice('bw_'.length, -CHECKSUM_LENGTH);
    expect(random).toHaveLength(43);
    expect(table.some((file) => file.includes(random))).toBe(false);
  });
});

describe('the code of an invitation', () => {
  it('is nowhere in the table, where only its SHA-256 is, and in no log', async () => {
    const ana = await given.user();
    const { id } = await given.colleague(ana);
    const made = await ana.post(`/v1/users/${id}/invitations`);
    const { code } = made.body.data;
    const table = await databaseFiles();
    expect(table.some((file) => file.includes(createHash('sha256').update(code).digest('hex')))).toBe(true);
    const random = code.slice('inv_'.length);
    expect(table.some((file) => file.includes(random))).toBe(false);
    const replies = [
      made,
      await signIn(newEmail()).post('/v1/me/link', { code }),
      await ana.post('/v1/me/link', { code }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 403]);
    expect(await logWith(replies)).not.toContain(random);
  });
});

/** The log, once the worker has ended for each of these webhooks, and each of these requests. */
function logOfWorkers(webhookIds: readonly string[], replies: readonly Reply[]): Promise<string> {
  return vi.waitUntil(
    async () => {
      const log = await logWith(replies);
      return webhookIds.every((id) => new RegExp(`group\\W+${id}`).test(log)) && log;
    },
    { timeout: 20_000, interval: 200 },
  );
}

describe('what the receiver of a webhook answers', () => {
  it('is in no log, metric or answer, its URL in no log, and its secrets in neither after their own answer', {
    timeout: 60_000,
  }, async () => {
    const ana = await given.user();
    const [marker, token] = [`marker-${randomUUID()}`, `token-${randomUUID()}`];
    const headers = { 'x-marker': marker, location: `https://${marker}.example/` };
    const behaviours: Behaviour[] = [
      ...[200, 302, 410, 500].map(
        (status): Behaviour =>
          (response) =>
            response.writeHead(status, marker, headers).end(marker),
      ),
      (response) => response.socket?.end(`HTTP/1.1 ${marker}\r\n${marker}\r\n\r\n`),
      (response) => response.socket?.end(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n${marker}`),
    ];
    const receivers = await Promise.all(behaviours.map(givenReceiver));
    const webhooks = [];
    for (const { url } of receivers) webhooks.push(await givenWebhook({ url: `${url}/${token}?${token}` }, ana));
    const rotated = await ana.post(`${webhooks[0]?.path}/rotate-secret`);
    const secrets = [rotated.body.data, ...webhooks.map(({ webhook }) => webhook)].map(({ secret }) =>
      secret.slice('whsec_'.length),
    );
    await given.client(ana);
    const replies: Reply[] = [];
    for (const { path, now } of webhooks) {
      await expect.poll(async () => (await now()).lastFailureAt ?? (await now()).lastSuccessAt).not.toBeNull();
      const description = randomUUID();
      replies.push(await ana.get(path), await ana.post(`${path}/test`), await ana.patch(path, { description }));
    }
    replies.push(await ana.get('/v1/webhooks'), await ana.get('/v1/events', { after: 0 }));
    expect(receivers.every(({ deliveries }) => deliveries.length >= 2)).toBe(true);
    for (const { path } of webhooks) replies.push(await ana.delete(path));
    const answered = JSON.stringify(replies.map(({ body, headers: sent }) => [body, [...sent]]));
    for (const hidden of [marker, ...secrets]) expect(answered).not.toContain(hidden);
    const log = await logOfWorkers(
      webhooks.map(({ webhook }) => webhook.id),
      [rotated, ...replies],
    );
    for (const hidden of [marker, token, ...secrets]) expect(log).not.toContain(hidden);
    const table = await databaseFiles();
    for (const hidden of [marker, ...secrets]) expect(table.some((file) => file.includes(hidden))).toBe(false);
  });
});

describe('the log of the functions', () => {
  it('has a line for each request, and in it neither keys nor anything that was sent', {
    timeout: 60_000,
  }, async () => {
    const ana = await given.user();
    const marker = `marker-${randomUUID()}`;
    const stranger = new Client(formatApiKey(randomBytes(32)));
    const replies = [
      await ana.post('/products', { name: marker, description: marker, price: '1', sku: marker }),
      await ana.post('/products', { name: [marker], price: marker }),
      await ana.send('POST', '/products', { rawBody: `{"name": "${marker}` }),
      await ana.send('POST', '/products', { rawBody: marker, headers: { 'content-type': marker } }),
      await ana.get('/products', { q: marker }),
      await ana.get('/products', { limit: marker }),
      await ana.get(`/products/${marker}`),
      await ana.post('/v1/api-keys', { name: marker, scopes: ['products:read'], user: marker }),
      await ana.post('/v1/work/tracker/projects', { name: marker, code: marker.slice(0, 50), tags: ['x', 7] }),
      await stranger.send('POST', '/products', { body: { name: marker }, headers: { 'x-marker': marker } }),
      await ana.send('GET', '/products', { headers: { authorization: `Bearer ${ana.apiKey}${marker}` } }),
    ];
    const log = await logWith(replies);
    expect(log).not.toContain(marker);
    expect(log).not.toMatch(/bw_[\w-]{20}/);
    expect(log).toContain(ana.keyId);
  });
});
