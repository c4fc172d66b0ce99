import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';
import { answering, type Behaviour, givenReceiver } from '#test/support/receiver.ts';
import { givenWebhook } from '#test/support/webhooks.ts';

/** More than is read of an answer, and more than a function has memory for. */
const flooding: Behaviour = (response) => {
  response.writeHead(200);
  const megabyte = Buffer.alloc(1_048_576, 'x');
  let left = 100;
  const pour = () => {
    while (left-- > 0) if (!response.write(megabyte)) return response.once('drain', pour);
    return response.end();
  };
  pour();
};

const LINK_LOCAL = 'http://169.254.169.254/latest/meta-data/';

describe('a receiver', () => {
  it('that sends 100 MB has its event, and is not listened to', async () => {
    const receiver = await givenReceiver(flooding);
    const { ana, now } = await givenWebhook({ url: receiver.url });
    for (let i = 0; i < 3; i++) await given.client(ana);
    await expect.poll(now).toMatchObject({ status: 'active', after: 3 });
    expect(receiver.sequences()).toEqual([1, 2, 3]);
  });

  it.each([
    ['redirects to a link-local address', 'http_3xx', answering(302, { location: LINK_LOCAL })],
    ['closes without an answer', 'connect', (response) => response.socket?.destroy()],
  ] satisfies [string, string, Behaviour][])('that %s has failed', async (_, failure, behaviour) => {
    const receiver = await givenReceiver(behaviour);
    const { ana, now } = await givenWebhook({ url: receiver.url });
    await given.client(ana);
    await expect.poll(now).toMatchObject({ status: 'failing', after: 0, lastFailure: failure, lastSuccessAt: null });
    expect(JSON.stringify(await now())).not.toContain('not for your log');
  });

  it('that closes in the handshake has failed', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const url = `http://localhost:${typeof address === 'object' ? address?.port : ''}/`;
    const { ana, now } = await givenWebhook({ url });
    await given.client(ana);
    await expect.poll(now).toMatchObject({ status: 'failing', lastFailure: 'connect' });
    server.close();
  });

  it('that is found at another URL gets what the former one lacked, at once', async () => {
    const [down, up] = [await givenReceiver(answering(503)), await givenReceiver()];
    const { ana, path, now, webhook } = await givenWebhook({ url: down.url });
    await given.client(ana);
    await expect.poll(now).toMatchObject({ status: 'failing' });
    const { secret } = (await ana.post(`${path}/rotate-secret`)).body.data;
    await ana.patch(path, { url: up.url });
    await expect.poll(() => up.sequences()).toEqual([1]);
    for (const each of [webhook.secret, secret]) expect(up.verify(each)).toHaveLength(1);
    await expect.poll(now).toMatchObject({ status: 'active', behind: 0 });
  });

  it('that fails for a type gets the next one, once it does not want it any more', async () => {
    const receiver = await givenReceiver((response, _attempt, _request) => response.writeHead(500).end());
    const { ana, path, now } = await givenWebhook({ url: receiver.url });
    await given.client(ana);
    await given.product(ana);
    await expect.poll(now).toMatchObject({ status: 'failing', after: 0 });
    receiver.behaveLike(answering(200));
    await ana.patch(path, { types: ['product.*'] });
    await expect.poll(() => receiver.sequences().at(-1)).toBe(2);
    expect(receiver.sequences().filter((sequence) => sequence === 1)).toHaveLength(1);
  });
});
