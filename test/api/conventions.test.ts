import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { routes } from '#shared/routes.ts';
import { useInstances } from '#test/support/api.ts';
import { Client } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { type Answered, assertDocumented, bodyOf } from '#test/support/openapi-validator.ts';
import { pathTo } from '#test/support/resources.ts';

const MEBIBYTE = 1_048_576;

/** A page of another origin may send them. */
const NAMED_HEADERS = 'authorization billwright-organization idempotency-key if-match if-none-match traceparent'.split(
  ' ',
);

useInstances();

describe('conventions of every endpoint', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it.each(['/nowhere', '/products/', '/products/search/more', '/v1', '//products', '/PRODUCTS'])(
    'answers 404 in the problem format for the unknown path %s',
    async (path) => {
      const reply = await raw('GET', path);
      expect(reply.status).toBe(404);
      expect(reply.headers['content-type']).toBe('application/problem+json');
      expect(JSON.parse(reply.body.toString())).toMatchObject({
        status: 404,
        type: expect.stringMatching(/^\/problems\//),
      });
    },
  );

  it.each([
    ['/v1/clients', '/clients'],
    ['/clients/', '/clients'],
    [`/v1/invoices/${randomUUID()}/send`, '/invoices/{id}/send'],
    ['/v1/products/search', '/products/search'],
    ['/v1/work/tracker/products', '/products'],
    ['/projects', '/v1/work/tracker/projects'],
    ['/v1/timer/active', '/v1/work/tracker/timer/active'],
  ])('names the path that %s may mean: %s', async (path, meant) => {
    const { status, body } = await ana.get(path);
    expect([status, body.code, body.detail]).toEqual([
      404,
      'route_not_found',
      `The path is ${meant}. See /openapi.json for the paths that exist.`,
    ]);
  });

  it('names no path for one that is like none', async () => {
    expect((await ana.get('/v1/customers')).body.detail).toBe('See /openapi.json for the paths that exist.');
  });

  it('answers 404 to a path whose encoded slash makes it look like another, and never allows what was asked', async () => {
    const reply = await raw('GET', '/docs%2Freference.js');
    expect(reply.status).toBe(404);
    expect(reply.headers.allow).toBeUndefined();
    expect(JSON.parse(reply.body.toString()).code).toBe('route_not_found');
  });

  it('answers 405 with Allow for another method on every path of the table', async () => {
    for (const path of new Set(routes.map((route) => route.path))) {
      const allowed = routes.filter((route) => route.path === path).map(({ method }) => method as string);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'TRACE'].filter(
        (name) => !allowed.includes(name),
      )) {
        const reply = await raw(method, pathTo(path, 'a.js'));
        expect(reply.status, `${method} ${path}`).toBe(405);
        expect(reply.headers.allow?.split(', ').sort()).toEqual(allowed.sort());
      }
    }
  });

  it('carries the request id, security headers and CORS in every answer, and repeats the id in a problem', async () => {
    const replies = [
      await ana.get('/products'),
      await ana.get('/nowhere'),
      await new Client().get('/products'),
      await new Client().get('/health'),
    ];
    for (const { headers, body, status } of replies) {
      expect(headers.get('x-request-id')).toMatch(/\S{8,}/);
      if (status >= 400) expect(body.requestId).toBe(headers.get('x-request-id'));
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'permissions-policy': 'interest-cohort=()',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      });
    }
    expect(new Set(replies.map(({ headers }) => headers.get('x-request-id'))).size).toBe(replies.length);
  });

  it('answers a preflight on every route and exposes its headers', async () => {
    for (const { method, path } of routes) {
      const reply = await raw('OPTIONS', pathTo(path, 'x'), {
        origin: 'https://app.example.com',
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type,idempotency-key,if-match,if-none-match',
      });
      expect(reply.status, path).toBeLessThan(300);
      expect(reply.headers['access-control-allow-origin']).toBe('*');
      expect(reply.headers['access-control-allow-methods']).toContain(method);
      const allowed = reply.headers['access-control-allow-headers']?.toLowerCase().split(',');
      expect(allowed).toEqual(expect.arrayContaining(NAMED_HEADERS));
      expect(reply.headers['x-request-id']).toBeUndefined();
    }
    const reply = await ana.send('GET', '/products', { headers: { origin: 'https://app.example.com' } });
    // `test/infra/api.test.ts` has them all.
    expect(reply.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('x-request-id');
  });

  describe('bodies in', () => {
    const product = JSON.stringify({ name: 'Packed', price: '1' });

    it.each([
      ['text/plain', 415, 'unsupported_media_type'],
      ['application/x-www-form-urlencoded', 415, 'unsupported_media_type'],
      ['application/json; charset=utf-16', 415, 'unsupported_media_type'],
      ['application/json;a=b; Charset = "ISO-8859-1"', 415, 'unsupported_media_type'],
    ])('answers %s with %i', async (contentType, status, code) => {
      const reply = await ana.send('POST', '/products', { rawBody: product, headers: { 'content-type': contentType } });
      expect(reply.status).toBe(status);
      expect(reply.body.code).toBe(code);
    });

    it.each([
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json; charset=us-ascii',
      'application/merge-patch+json',
      'APPLICATION/JSON',
    ])('accepts %s', async (contentType) => {
      expect(
        (await ana.send('POST', '/products', { rawBody: product, headers: { 'content-type': contentType } })).status,
      ).toBe(201);
    });

    it.each(['br', 'deflate', 'gzip, gzip', 'x'])('answers Content-Encoding %s with 415', async (encoding) => {
      const reply = await ana.send('POST', '/products', {
        rawBody: product,
        headers: { 'content-encoding': encoding },
      });
      expect(reply.status).toBe(415);
      expect(reply.body.code).toBe('unsupported_encoding');
    });

    it('answers 400 to a body that cannot be unpacked', async () => {
      const rawBody = gzipSync(product).subarray(0, -9);
      const reply = await ana.send('POST', '/products', { rawBody, headers: { 'content-encoding': 'gzip' } });
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({ code: 'malformed_encoding', errors: [{ path: '' }] });
    });

    it.each(['application/json', 'application/merge-patch+json'])(
      'answers 400 to a body of %s that is not UTF-8, instead of storing something else',
      async (contentType) => {
        const bea = await given.user();
        const reply = await bea.send('POST', '/products', {
          rawBody: Buffer.from(JSON.stringify({ name: 'café', price: '1' }), 'latin1'),
          headers: { 'content-type': contentType },
        });
        expect(reply.status).toBe(400);
        expect(reply.body).toMatchObject({ code: 'malformed_encoding', errors: [{ path: '', code: 'utf8' }] });
        expect((await bea.get('/products')).body.meta.total).toBe(0);
      },
    );

    it('takes a replacement character that was sent as such', async () => {
      const reply = await ana.post('/products', { name: 'caf\ufffd', price: '1' });
      expect(reply.body.data.name).toBe('caf\ufffd');
    });

    it('answers with the position at which it stops being JSON', async () => {
      const { status, body } = await ana.send('POST', '/products', { rawBody: '{\n  "name": "x",\n  price: 1\n}' });
      const message = 'Expected a JSON text in UTF-8. This one is invalid from line 3, column 3 on.';
      expect([status, body.detail, body.errors]).toEqual([400, message, [{ path: '', message, code: 'json' }]]);
    });

    it('survives a body nested a hundred thousand deep', async () => {
      const reply = await ana.send('POST', '/products', { rawBody: '['.repeat(100_000) });
      expect(reply.status).toBe(400);
    });

    it.each([
      ['packed', 1],
      ['as it is', 0],
    ])('answers 413 with the one limit where it is over 1 MiB, sent %s', async (_, isPacked) => {
      const text = JSON.stringify({ name: 'x', price: '1' }).padEnd(MEBIBYTE + 1);
      const packed = { rawBody: gzipSync(text), headers: { 'content-encoding': 'gzip' } };
      const { status, body } = await ana.send('POST', '/products', isPacked ? packed : { rawBody: text });
      expect(status).toBe(413);
      expect(body.code).toBe('payload_too_large');
      expect(body.detail).toBe('The body may have 1 MiB once it is unpacked. Send less at once.');
    });

    it('is nested up to 32 deep', async () => {
      const nested = (depth: number) =>
        `{"name":"x","price":"1","more":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
      expect((await ana.send('POST', '/products', { rawBody: nested(32) })).status).toBe(201);
      const { status, body } = await ana.send('POST', '/products', { rawBody: nested(33) });
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'malformed_json' });
    });

    it('is refused by the gateway where no function can take it', async () => {
      for (const characters of [7_000_000, 11_000_000]) {
        const { status, body } = await ana.send('POST', '/products', { rawBody: 'x'.repeat(characters) });
        expect({ status, body }).toEqual({ status: 413, body: { message: 'Request Entity Too Large' } });
      }
    });

    it('is taken packed where the gateway unpacks it', async () => {
      const headers = { 'content-encoding': 'gzip' };
      expect((await ana.send('POST', '/products', { rawBody: gzipSync(product), headers })).status).toBe(201);
    });

    it.each([
      ['packed', 1],
      ['as it is', 0],
    ])('takes 1 MiB, sent %s', async (_, isPacked) => {
      const text = JSON.stringify({ name: 'x', price: '1' }).padEnd(MEBIBYTE);
      const packed = { rawBody: gzipSync(text), headers: { 'content-encoding': 'gzip' } };
      expect((await ana.send('POST', '/products', isPacked ? packed : { rawBody: text })).status).toBe(201);
    });
  });

  describe('bodies out', () => {
    it('gzips a response over 1 KiB when the client accepts it, and only then', async () => {
      const bea = await given.user();
      await given.product(bea, { description: 'long '.repeat(400) });
      const authorization = `Bearer ${bea.apiKey}`;
      const packed = await raw('GET', '/products', { authorization, 'accept-encoding': 'br;q=1, gzip;q=0.5' });
      expect(packed.headers['content-encoding']).toBe('gzip');
      // RFC 1952, 2.3.1: packed by the fastest algorithm.
      expect(packed.body[8]).toBe(4);
      expect(JSON.parse(gunzipSync(packed.body).toString()).meta.total).toBe(1);
      for (const acceptEncoding of ['identity', 'gzip;q=0', 'br', '']) {
        const plain = await raw('GET', '/products', { authorization, 'accept-encoding': acceptEncoding });
        expect(plain.headers['content-encoding']).toBeUndefined();
        expect(plain.headers.vary).toBe('accept-encoding');
        expect(JSON.parse(plain.body.toString()).meta.total).toBe(1);
      }
      const small = await raw('GET', '/health', { 'accept-encoding': 'gzip' });
      expect(small.headers['content-encoding']).toBeUndefined();
    });
  });
});

interface RawReply {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly body: Buffer;
}

/** Sends what `fetch` would tidy up or unpack. The answer is compared with the OpenAPI document. */
async function raw(method: string, path: string, headers: Record<string, string> = {}): Promise<RawReply> {
  const reply = await exchange(method, path, headers);
  assertDocumented(method, path, readable(reply));
  return reply;
}

function readable({ status, headers, body }: RawReply): Answered {
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString();
  const present = new Headers(
    Object.entries(headers).filter((each): each is [string, string] => each[1] !== undefined),
  );
  return { status, headers: present, body: bodyOf({ headers: present, text }) };
}

function exchange(method: string, path: string, headers: Record<string, string>): Promise<RawReply> {
  const { hostname, port } = new URL(inject('baseUrl'));
  return new Promise((resolve, reject) => {
    const sending = request({ hostname, port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string | undefined>,
          body: Buffer.concat(chunks),
        }),
      );
    });
    sending.on('error', reject);
    sending.end();
  });
}
