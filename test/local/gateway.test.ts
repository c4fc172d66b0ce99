import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { SECURITY_HEADERS } from '#shared/http/headers.ts';
import { useFixtureCloud } from '#test/support/fixture-app/cloud.ts';

const fixture = useFixtureCloud();

const MEBIBYTE = 1_048_576;

async function eventOf(path: string, init?: RequestInit): Promise<APIGatewayProxyEventV2> {
  const response = await fetch(fixture.cloud.url + path, init);
  const { event } = (await response.json()) as { event: APIGatewayProxyEventV2 };
  return event;
}

function answerOf(result: unknown): Promise<Response> {
  return fetch(`${fixture.cloud.url}/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(result),
  });
}

/** Sends bytes as they are; resolves with what came back when the server closes, or after a moment of silence. */
async function raw(bytes: string, silenceMilliseconds = 400): Promise<string> {
  const { port } = new URL(fixture.cloud.url);
  const socket = connect(Number(port), '127.0.0.1');
  let received = '';
  socket.on('error', () => {});
  socket.setTimeout(silenceMilliseconds, () => socket.destroy());
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
  });
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

describe('the event of a request', () => {
  it('has the shape of payload format 2.0', async () => {
    const event = await eventOf('/things/42?a=1&b=x%20y&a=2&empty=', {
      headers: { 'X-Custom': 'Value', cookie: 'one=1; two=2', 'user-agent': 'test' },
    });
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'GET /things/{id}',
      rawPath: '/things/42',
      rawQueryString: 'a=1&b=x%20y&a=2&empty=',
      cookies: ['one=1', 'two=2'],
      queryStringParameters: { a: '1,2', b: 'x y', empty: '' },
      pathParameters: { id: '42' },
      isBase64Encoded: false,
      requestContext: {
        accountId: '000000000000',
        domainName: 'localhost',
        http: { method: 'GET', path: '/things/42', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
        routeKey: 'GET /things/{id}',
        stage: '$default',
        time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
        timeEpoch: expect.any(Number),
      },
    });
    expect(event.headers).toMatchObject({ 'x-custom': 'Value', 'x-forwarded-for': '127.0.0.1' });
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event).not.toHaveProperty('body');
  });

  it('carries the path decoded, as an HTTP API does', async () => {
    const event = await eventOf('/things/a%2Fb%20%C3%A9');
    expect(event).toMatchObject({ rawPath: '/things/a/b é', pathParameters: { id: 'a/b é' } });
  });

  it('joins repeated headers by commas', async () => {
    const reply = await raw('GET /x HTTP/1.1\r\nHost: h\r\nX-Many: a\r\nX-Many: b\r\nConnection: close\r\n\r\n');
    expect(reply).toContain('"x-many":"a,b"');
  });

  it.each([
    ['application/json', '{"a":1}', false],
    ['application/json; charset=utf-8', '{"a":1}', false],
    ['text/csv', 'a,b', false],
    ['application/octet-stream', 'bytes', true],
    ['application/x-www-form-urlencoded', 'a=b', true],
  ])('passes a body of %s on as API Gateway does', async (contentType, body, isBase64Encoded) => {
    const event = await eventOf('/things/1', { method: 'POST', headers: { 'content-type': contentType }, body });
    expect(event.isBase64Encoded).toBe(isBase64Encoded);
    expect(Buffer.from(event.body ?? '', isBase64Encoded ? 'base64' : 'utf8').toString()).toBe(body);
  });

  it.each([
    ['unpacks a text type, and leaves what the headers say of it', 'application/json', '{"a":1}', '{"a":1}'],
    ['carries any other packed body in base64', 'application/octet-stream', '{"a":1}', undefined],
    ['carries one in base64 that might not fit an event', 'application/json', ' '.repeat(3_500_000), undefined],
  ])('%s', async (_, contentType, text, unpacked) => {
    const body = gzipSync(text);
    const headers = { 'content-type': contentType, 'content-encoding': 'gzip' };
    const event = await eventOf('/things/1', { method: 'POST', headers, body });
    expect(event.headers).toMatchObject(headers);
    expect(event).toMatchObject(
      unpacked === undefined
        ? { isBase64Encoded: true, body: body.toString('base64') }
        : { isBase64Encoded: false, body: unpacked },
    );
  });

  it('carries a body that is no text in base64, and does not lose it, though it is said to be one', async () => {
    const body = Buffer.from([0x22, 0xe9, 0xff, 0x22]);
    const headers = { 'content-type': 'application/json' };
    const event = await eventOf('/things/1', { method: 'POST', headers, body });
    expect(event).toMatchObject({ isBase64Encoded: true, body: body.toString('base64') });
  });
});

describe('the response', () => {
  it.each([
    { some: 'object' },
    { statusCode: 'abc' },
    { statusCode: 99 },
    { statusCode: 200, headers: { 'bad header': 'x' } },
  ])('is a failure where the result is no response: %j', async (result) => {
    const response = await answerOf(result);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal Server Error' });
    expect(response.headers.get('apigw-requestid')).toMatch(/\S{8,}/);
  });
});

describe('limits', () => {
  const post = (bytes: number, contentType: string) => {
    const body = Buffer.alloc(bytes, ' ');
    body.write('{"statusCode":200}');
    return fetch(`${fixture.cloud.url}/answer`, { method: 'POST', headers: { 'content-type': contentType }, body });
  };

  it('lets a body through that fits a function, and no other', async () => {
    const text = (bytes: number) => post(bytes, 'text/plain');
    expect((await text(5.9 * MEBIBYTE)).status).toBe(200);
    expect((await text(6 * MEBIBYTE)).status).toBe(413);
  });

  it('counts the bytes of base64', async () => {
    expect((await post(4.6 * MEBIBYTE, 'application/octet-stream')).status).toBe(413);
  });

  it('refuses a body without a declared length once it is over', async () => {
    const chunks = Array.from({ length: 11 }, () => Buffer.alloc(MEBIBYTE));
    const body = ReadableStream.from(chunks);
    const init = { method: 'POST', body, duplex: 'half' } as const;
    expect((await fetch(`${fixture.cloud.url}/answer`, init)).status).toBe(413);
  });
});

describe('CORS', () => {
  it.each(['/things/1', '/answer', '/no/such/path'])('answers the preflight of %s', async (path) => {
    const response = await fetch(fixture.cloud.url + path, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET,POST',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '3600',
    });
  });
});

describe('what the gateway says itself', () => {
  it.each([
    ['a path with a broken encoding', 400, 'GET /things/%zz HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'],
    ['a target that is no path', 400, 'GET nowhere HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'],
    ['what is no HTTP', 400, 'hello\r\n\r\n'],
    ['headers too large', 400, `GET / HTTP/1.1\r\nHost: h\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['a tunnel', 400, 'CONNECT example.com:443 HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['a body too large', 413, 'POST /answer HTTP/1.1\r\nHost: h\r\nContent-Length: 11000000\r\n\r\n'],
    ['a function that fails', 500, 'GET /broken HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'],
  ])('has its headers, and none of a function: %s', async (_, status, bytes) => {
    const [head = ''] = (await raw(bytes, 1_500)).split('\r\n\r\n');
    const [statusLine, ...lines] = head.split('\r\n');
    expect(statusLine).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    const headers = Object.fromEntries(lines.map((line) => line.split(/: (.*)/)));
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'apigw-requestid': expect.stringMatching(/\S{8,}/),
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'x-request-id',
    });
    const ofFunctions = ['x-request-id', ...Object.keys(SECURITY_HEADERS)];
    expect(ofFunctions.filter((name) => name in headers)).toEqual([]);
  });
});

describe('hostile requests', () => {
  it.each([
    ['no Host', 'GET /things/1 HTTP/1.1\r\n\r\n'],
    ['HTTP/1.0', 'GET /things/1 HTTP/1.0\r\n\r\n'],
    ['an absolute target', 'GET http://elsewhere/things/1 HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['an odd expectation', 'GET /things/1 HTTP/1.1\r\nHost: h\r\nExpect: wonders\r\n\r\n'],
    ['an upgrade', 'GET /things/1 HTTP/1.1\r\nHost: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['TRACE', 'TRACE /things/1 HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['a query with a broken encoding', 'GET /things/1?a=%zz&b=%ff HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['a header named __proto__', 'GET /things/1 HTTP/1.1\r\nHost: h\r\n__proto__: x\r\n\r\n'],
  ])('gets its answer with %s', async (_, bytes) => {
    expect(await raw(bytes)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('gets pipelined answers in order', async () => {
    const request = (id: number) => `GET /things/${id} HTTP/1.1\r\nHost: h\r\n\r\n`;
    const reply = await raw(request(1) + request(2) + request(3));
    expect([...reply.matchAll(/"rawPath":"\/things\/(\d)"/g)].map((match) => match[1])).toEqual(['1', '2', '3']);
  });

  it('does no harm by hanging up', async () => {
    const { port } = new URL(fixture.cloud.url);
    for (let count = 0; count < 20; count++) {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      socket.write('POST /answer HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf');
      await sleep(1);
      socket.resetAndDestroy();
    }
    expect((await fetch(`${fixture.cloud.url}/things/1`)).status).toBe(200);
  });
});
