import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { happen } from '#test/support/feeds.ts';
import { given } from '#test/support/given.ts';
import { answering, type Behaviour, givenReceiver } from '#test/support/receiver.ts';
import { givenWebhook } from '#test/support/webhooks.ts';

const MEGABYTE = 1_048_576;

/** More than is read of an answer, and more than a function has memory for. @param poured for each answer, its megabytes */
const flooding =
  (poured: number[]): Behaviour =>
  (response, attempt) => {
    response.writeHead(200);
    const megabyte = Buffer.alloc(MEGABYTE, 'x');
    let left = 100;
    const pour = () => {
      while (left-- > 0 && !response.destroyed) {
        poured[attempt - 1] = 100 - left;
        if (!response.write(megabyte)) return response.once('drain', pour);
      }
      return response.end();
    };
    pour();
  };

/** What two machines hold of a connection of which nobody reads. */
const MOST_HELD_MEGABYTES = 20;

const BOMB = gzipSync(Buffer.alloc(100 * MEGABYTE, 'x'));

const LINK_LOCAL = 'http://169.254.169.254/latest/meta-data/';

const UPGRADE = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';

describe('a receiver', () => {
  it('that sends 100 MB has its event, and is not listened to', async () => {
    const poured: number[] = [];
    const receiver = await givenReceiver(flooding(poured));
    const { ana, now } = await givenWebhook({ url: receiver.url });
    for (let i = 0; i < 3; i++) await given.client(ana);
    await expect.poll(now).toMatchObject({ status: 'active', after: 3 });
    expect(receiver.sequences()).toEqual([1, 2, 3]);
    expect(Math.max(...poured)).toBeLessThan(MOST_HELD_MEGABYTES);
  });

  it.each([
    [4_096, 1],
    [4_097, 3],
  ])('that answers %i bytes to three events has %i connections: 4 KiB are read', async (bytes, connections) => {
    const sockets = new Set<object>();
    const receiver = await givenReceiver((response, _attempt, { socket }) => {
      sockets.add(socket);
      response.end('x'.repeat(bytes));
    });
    const { ana, now } = await givenWebhook({ url: receiver.url });
    await happen(ana.organization.id, 2);
    await given.client(ana);
    await expect.poll(now).toMatchObject({ status: 'active', after: 3 });
    expect(sockets.size).toBe(connections);
  });

  it('whose answer unpacks to 100 MB has its event, too', async () => {
    const receiver = await givenReceiver(answering(200, { 'content-encoding': 'gzip' }, BOMB));
    const { ana, now } = await givenWebhook({ url: receiver.url });
    await given.client(ana);
    await expect.poll(now).toMatchObject({ status: 'active', after: 1 });
    expect(receiver.sequences()).toEqual([1]);
  });

  it('that redirects to another one has failed, and the other one hears nothing', async () => {
    const other = await givenReceiver();
    const receiver = await givenReceiver(answering(307, { location: other.url }));
    const { ana, now } = await givenWebhook({ url: receiver.url });
    await given.client(ana);
    await expect.poll(now).toMatchObject({ status: 'failing', after: 0, lastFailure: 'http_3xx' });
    expect(other.deliveries).toEqual([]);
  });

  it.each([
    ['redirects to a link-local address', 'http_3xx', answering(302, { location: LINK_LOCAL })],
    ['closes without an answer', 'connect', (response) => response.socket?.destroy()],
    ['changes the protocol', 'connect', (response) => response.socket?.write(UPGRADE)],
  ] satisfies [string, string, Behaviour][])('that %s has failed', async (_, failure, behaviour) => {
    const receiver = await givenReceiver(behaviour);
    const { ana, now } = await givenWebhook({ url: receiver.url });
    await given.client(ana);
    await expect.poll(now).toMatchObject({ status: 'failing', after: 0, lastFailure: failure, lastSuccessAt: null });
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
});
