import type { LookupAddress } from 'node:dns';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { listen } from '#scripts/local/http.ts';
import { isPublicAddress } from '#shared/runtime/public-address.ts';
import { type Outgoing, WayOut } from '#shared/runtime/way-out.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

function portOf(server: Server): Promise<number> {
  servers.push(server);
  return listen(server, 0, '127.0.0.1');
}

const answering = (listener: RequestListener) => portOf(createHttpServer({ keepAlive: true }, listener));

/** Answers in turn, and counts how often it is asked. */
function resolverOf(...answers: readonly (readonly string[] | Error)[]) {
  let asked = 0;
  const resolver: ConstructorParameters<typeof WayOut>[0] = (_name, _options, callback) => {
    const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
    if (answer instanceof Error) return callback(answer, []);
    const addresses: LookupAddress[] = answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    return callback(null, addresses);
  };
  return { resolver, asked: () => asked };
}

const soon = (others: Partial<Outgoing> = {}): Outgoing => ({
  headers: {},
  signal: AbortSignal.timeout(5_000),
  ...others,
});

const LOOPBACK = ['127.0.0.1'];

const at = (port: number, scheme = 'http') => new URL(`${scheme}://hooks.example.com:${port}/`);

const NOT_PUBLIC = [
  '127.0.0.1',
  '127.255.255.254',
  '0x7f000001',
  '１２７.0.0.1',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[2001:db8::1]',
  '[3fff::1]',
];

/** One address in the ways in which IPv6 may be written. */
function spellingsOf(groups: readonly number[]): string[] {
  const hex = groups.map((group) => group.toString(16));
  const padded = hex.map((group) => group.padStart(4, '0'));
  const [high = 0, low = 0] = groups.slice(6);
  const dotted = [high >> 8, high & 255, low >> 8, low & 255].join('.');
  const compressed = new URL(`http://[${hex.join(':')}]`).hostname.replace(/[[\]]/g, '');
  return [hex, padded, [...hex.slice(0, 6), dotted]].map((parts) => parts.join(':')).concat(compressed);
}

describe('the way out', () => {
  it.each(NOT_PUBLIC)('is closed to the address %s, also as what a name means', async (host) => {
    const { resolver, asked } = resolverOf();
    const url = new URL(`https://${host}/`);
    await expect(new WayOut(resolver, false).request(url, soon())).rejects.toMatchObject({ reason: 'refused_address' });
    expect(asked()).toBe(0);
    const named = new WayOut(resolverOf([url.hostname.replace(/[[\]]/g, '')]).resolver, false);
    const request = named.request(new URL('https://hooks.example.com/'), soon());
    await expect(request).rejects.toMatchObject({ reason: 'refused_address' });
  });

  it.each(['1.1.1.1', '100.63.255.255', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450:4001::1'])(
    'is open to %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it('is closed to all of IPv6 that is not given out, and to what carries an address of IPv4, in every spelling', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const rest = fc.array(group, { minLength: 7, maxLength: 7 });
    const first = fc.oneof(fc.integer({ min: 0, max: 0x1fff }), fc.integer({ min: 0x4000, max: 0xffff }));
    const elsewhere = fc.tuple(first, rest).map(([head, tail]) => [head, ...tail]);
    const zeros = [0, 0, 0, 0, 0];
    const carrying = fc
      .tuple(fc.constantFrom([...zeros, 0], [...zeros, 0xffff], [0x64, 0xff9b, 0, 0, 0, 0]), group, group)
      .map(([prefix, high, low]) => [...prefix, high, low]);
    const tunnelled = fc.tuple(fc.constantFrom([0x2002], [0x2001, 0]), rest).map(([a, b]) => [...a, ...b].slice(0, 8));
    fc.assert(
      fc.property(fc.oneof(elsewhere, carrying, tunnelled), (groups) => {
        for (const spelling of spellingsOf(groups)) {
          expect(isPublicAddress(spelling), spelling).toBe(false);
          expect(isPublicAddress(spelling.toUpperCase()), spelling).toBe(false);
        }
      }),
    );
  });

  it('is closed to a name that means a public address and another one', async () => {
    const wayOut = new WayOut(resolverOf(['1.1.1.1', '10.0.0.1']).resolver, false);
    const request = wayOut.request(new URL('https://hooks.example.com/'), soon());
    await expect(request).rejects.toMatchObject({ reason: 'refused_address' });
  });

  it('leads to the address that was checked, though the resolver would now answer another', async () => {
    const port = await answering((_request, response) => response.end('here'));
    const { resolver, asked } = resolverOf(LOOPBACK, ['10.0.0.1']);
    const wayOut = new WayOut(resolver, true);
    const answer = await wayOut.request(at(port), soon());
    expect((await answer.read(100))?.toString()).toBe('here');
    expect(asked()).toBe(1);
    wayOut.close();
    await expect(wayOut.request(at(port), soon())).rejects.toMatchObject({ reason: 'refused_address' });
  });

  it('sends a body, and unpacks the answer', async () => {
    const received: unknown[] = [];
    const port = await answering((request, response) => {
      request.on('data', (chunk) => received.push([request.method, request.headers['x-own'], String(chunk)]));
      request.on('end', () => response.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(1_000))));
    });
    const wayOut = new WayOut(resolverOf(LOOPBACK).resolver, true);
    const send = () => wayOut.request(at(port), soon({ headers: { 'x-own': 'a' }, body: '{}' }));
    expect((await (await send()).read(1_000))?.length).toBe(1_000);
    expect(await (await send()).read(999)).toBeUndefined();
    expect(received).toEqual([
      ['POST', 'a', '{}'],
      ['POST', 'a', '{}'],
    ]);
    wayOut.close();
  });

  it('receives no more of an endless body than is asked for', async () => {
    let sent = 0;
    const closed = Promise.withResolvers<void>();
    const port = await answering((_request, response) => {
      response.once('close', closed.resolve);
      const more = () => {
        if (response.destroyed) return;
        sent += 65_536;
        response.write(Buffer.alloc(65_536), () => setImmediate(more));
      };
      more();
    });
    const wayOut = new WayOut(resolverOf(LOOPBACK).resolver, true);
    const answer = await wayOut.request(at(port), soon());
    expect(await answer.read(4_096)).toBeUndefined();
    await closed.promise;
    expect(sent).toBeLessThan(100 * 1_048_576);
  });

  it('follows no redirect', async () => {
    const port = await answering((_request, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    });
    const answer = await new WayOut(resolverOf(LOOPBACK).resolver, true).request(at(port), soon());
    expect(answer.status).toBe(302);
    answer.drop();
  });

  const closing = () =>
    createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.destroy());
    });

  const changing = () =>
    createServer((socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    });

  it.each<[string, string, () => URL | Promise<URL>, readonly string[] | Error]>([
    ['dns', 'a name that nobody has', () => at(443, 'https'), new Error('ENOTFOUND')],
    ['dns', 'a name without an address', () => at(443, 'https'), []],
    ['connect', 'nobody who listens', () => at(1), LOOPBACK],
    ['connect', 'one who closes without an answer', async () => at(await portOf(closing())), LOOPBACK],
    ['connect', 'one who changes the protocol', async () => at(await portOf(changing())), LOOPBACK],
    ['tls', 'one who closes in the handshake', async () => at(await portOf(closing()), 'https'), LOOPBACK],
    [
      'tls',
      'one who speaks no TLS',
      async () => at(await answering((_, response) => response.end()), 'https'),
      LOOPBACK,
    ],
    ['timeout', 'one who never answers', async () => at(await answering(() => {})), LOOPBACK],
  ])('says %s of %s', async (reason, _title, made, answers) => {
    const url = await made();
    const wayOut = new WayOut(resolverOf(answers).resolver, true);
    const signal = AbortSignal.timeout(reason === 'timeout' ? 50 : 5_000);
    await expect(wayOut.request(url, soon({ signal }))).rejects.toMatchObject({ name: 'WayOutError', reason });
    wayOut.close();
  });

  it('ends the reading of a body that stalls, and says what broke in one', async () => {
    const stalls = await answering((_request, response) => response.write('a'));
    const breaks = await answering((_request, response) => {
      response.write('a', () => response.destroy());
    });
    const wayOut = new WayOut(resolverOf(LOOPBACK).resolver, true);
    const read = async (port: number) => {
      const signal = AbortSignal.timeout(200);
      return (await wayOut.request(at(port), soon({ signal }))).read(100);
    };
    await expect(read(stalls)).rejects.toMatchObject({ reason: 'timeout' });
    await expect(read(breaks)).rejects.toMatchObject({ reason: 'connect' });
  });
});
