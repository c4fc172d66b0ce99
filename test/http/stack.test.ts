import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { tagged } from '#shared/contract/tagged.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import { Problem } from '#shared/domain/problems.ts';
import { tagOf } from '#shared/http/entity-tag.ts';
import type { HttpRequest } from '#shared/http/exchange.ts';
import { implementPublic } from '#shared/http/implement-public.ts';
import { endpointStack, type HttpHandler } from '#shared/http/stack.ts';
import { millisecondsLeft } from '#shared/runtime/deadline.ts';
import { useLog } from '#test/support/log.ts';

/** What the stack does with handlers that misbehave, which no request to the local cloud can bring about. */

const endpoint = defineEndpoint({
  operationId: 'echo',
  method: 'POST',
  path: '/echo',
  area: 'meta',
  summary: 'Echo',
  scope: null,
  body: v.object({ accessToken: v.optional(v.string()) }),
  bodyOptional: true,
  response: { kind: 'resource', status: 200, schema: v.object({ name: v.string() }) },
  example: {},
});

function invoke(handler: HttpHandler, body?: string, remainingMilliseconds = 10_000, more: object = {}) {
  const event = {
    version: '2.0',
    rawPath: '/echo',
    rawQueryString: '',
    routeKey: 'POST /echo',
    headers: { 'content-type': 'application/json', ...more },
    requestContext: { requestId: 'request-1' } as Parameters<HttpHandler>[0]['requestContext'],
    isBase64Encoded: false,
    body,
  };
  return handler(
    event as Parameters<HttpHandler>[0],
    { getRemainingTimeInMillis: () => remainingMilliseconds } as Context,
  );
}

const { written, recordLog } = useLog();

describe('the HTTP stack', () => {
  it('lets nothing undeclared leave the service', async () => {
    const result = { name: 'seen', passwordHash: 'unseen' };
    const { statusCode, body } = await invoke(implementPublic(endpoint, async () => result));
    expect(statusCode).toBe(200);
    expect(JSON.parse(body ?? '')).toEqual({ data: { name: 'seen' } });
  });

  it('answers a bare 500 when the handler breaks its own contract, and logs where', async () => {
    recordLog();
    const result: { name: string } = JSON.parse('{"name":7}');
    const { statusCode, body } = await invoke(implementPublic(endpoint, async () => result));
    expect(statusCode).toBe(500);
    expect(JSON.parse(body ?? '')).toEqual({
      type: '/problems/internal_error',
      title: 'Something failed on our side',
      status: 500,
      detail: 'Something failed that should not have, and was logged under this request id.',
      code: 'internal_error',
      requestId: 'request-1',
    });
    const logged = written.find((line) => line.includes('"unexpected failure"'));
    expect(logged).toContain(`The response of ${endpoint.operationId} breaks its schema at: name`);
  });

  it('names the invocation where there is no gateway, and so none of the members that it sends', async () => {
    const result: { name: string } = JSON.parse('{"name":7}');
    const context = { awsRequestId: 'invocation-1', getRemainingTimeInMillis: () => 10_000 } as Context;
    const { statusCode, body } = await implementPublic(endpoint, async () => result)({}, context);
    expect([statusCode, JSON.parse(body ?? '').requestId]).toEqual([500, 'invocation-1']);
  });

  describe('for a caller who has any version', () => {
    const GET = { method: 'GET', path: '/echo', protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'curl' };

    const ask = (event: Parameters<HttpHandler>[0], { name = 'seen', known = '*' } = {}) => {
      const schema = v.pipe(endpoint.response.schema, tagged());
      const response = { ...endpoint.response, schema };
      const handler = implementPublic({ ...endpoint, response }, async () => ({ name }));
      const context = { getRemainingTimeInMillis: () => 10_000 } as Context;
      return handler({ ...event, headers: { 'if-none-match': known, 'accept-encoding': 'gzip' } }, context);
    };

    it.each([{}, { requestContext: {} }])('answers in full where %o tells no method', async (event) => {
      const { statusCode, headers } = await ask(event);
      expect([statusCode, headers.etag]).toEqual([200, expect.any(String)]);
    });

    it('answers a 304 without the body, and with the headers that the whole would have', async () => {
      for (const name of ['seen', 'x'.repeat(1_024)]) {
        const [whole, known] = [await ask({}, { name }), await ask({ requestContext: { http: GET } }, { name })];
        const { 'content-encoding': _, ...headers } = whole.headers;
        expect(known).toMatchObject({ statusCode: 304, body: '', isBase64Encoded: false });
        expect(known.headers).toEqual(headers);
      }
    });

    it('refuses no malformed tag where nothing is read', async () => {
      expect((await ask({}, { known: 'malformed' })).statusCode).toBe(200);
    });
  });

  it('checks an answer once that was built before its transaction', async () => {
    let checks = 0;
    const name = v.pipe(
      v.string(),
      v.check(() => ++checks > 0),
    );
    const counted = { ...endpoint, response: { ...endpoint.response, schema: v.object({ name }) } };
    const handler = implementPublic(counted, async ({ answer }) => {
      const result = { name: 'seen' };
      expect(await answer(result)).toEqual([]);
      expect(checks).toBe(1);
      return result;
    });
    expect(JSON.parse((await invoke(handler)).body ?? '')).toEqual({ data: { name: 'seen' } });
    expect(checks).toBe(1);
  });

  it('packs an answer of more than 1 KiB', async () => {
    const { length } = JSON.stringify({ data: { name: '' } });
    const encodingOf = async (bytes: number, accepted = 'gzip') => {
      const handler = implementPublic(endpoint, async () => ({ name: 'x'.repeat(bytes - length) }));
      const { headers } = await invoke(handler, undefined, 10_000, { 'accept-encoding': accepted });
      return headers['content-encoding'];
    };
    expect([await encodingOf(1_024), await encodingOf(1_025)]).toEqual([undefined, 'gzip']);
    expect([await encodingOf(1_025, '*'), await encodingOf(1_025, '*, gzip;q=0')]).toEqual(['gzip', undefined]);
  });

  it('unpacks a file for who takes nothing packed, however short it is', async () => {
    const file = { contentType: 'text/css', body: gzipSync('p {}'), headers: { 'content-encoding': 'gzip' } };
    const response = { kind: 'raw', contentTypes: ['text/css'] } as const;
    const { headers, body } = await invoke(implementPublic({ ...endpoint, response }, async () => file));
    expect([headers['content-encoding'], Buffer.from(body ?? '', 'base64').toString()]).toEqual([undefined, 'p {}']);
  });

  it('shows a resource once, for its tag and for what only the service sets', async () => {
    const schema = v.pipe(v.object({ id: v.string(), name: v.string() }), tagged());
    const response = { ...endpoint.response, schema };
    const thing = { id: 'x', name: 'seen' };
    const show = vi.fn(() => thing);
    const handling = { load: async () => thing, show, run: async () => thing };
    const handler = endpointStack({ ...endpoint, method: 'PATCH', response }, handling, { authenticates: [] });
    const { statusCode, headers } = await invoke(handler, '{"id":"y"}', 10_000, { 'if-match': tagOf(thing) });
    expect([statusCode, headers['billwright-ignored'], show.mock.calls.length]).toEqual([200, 'body.id', 1]);
  });

  it('gives ids of the moment of the request, however late they are made', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const handler = implementPublic(endpoint, async ({ now, newId }) => {
      vi.advanceTimersByTime(1_000);
      expect(Number.parseInt(newId().replace('-', '').slice(0, 12), 16)).toBe(now.getTime());
      return { name: 'seen' };
    });
    const { statusCode } = await invoke(handler).finally(() => vi.useRealTimers());
    expect(statusCode).toBe(200);
  });

  it('tells a handler how long it has until its own answer that it ran out of time', async () => {
    const handler = implementPublic(endpoint, async (call) => ({ name: `${call.remainingMilliseconds()}` }));
    expect(JSON.parse((await invoke(handler, undefined, 3_000)).body ?? '').data.name).toBe('2500');
  });

  it('tells the webhooks also where a handler fails, which may have written before', async () => {
    const told = vi.fn(async () => {});
    const principal = { organizationId: 'home' } as Principal;
    const authenticates = [{ before: ({ internal }: HttpRequest) => void Object.assign(internal, { principal }) }];
    const run = () => Promise.reject(new Error('The outcome is unknown.'));
    const { statusCode } = await invoke(endpointStack(endpoint, { run }, { authenticates, tellWebhooks: told }));
    expect([statusCode, told.mock.calls]).toEqual([500, [[principal]]]);
  });

  it('gives calls to others a deadline before its own answer that it ran out of time', async () => {
    let left = Number.NaN;
    const handler = implementPublic(endpoint, async () => {
      left = millisecondsLeft();
      return { name: 'seen' };
    });
    await invoke(handler, undefined, 3_000);
    // Half a second to answer, and as much before it.
    expect(left).toBeLessThanOrEqual(2_000);
    expect(left).toBeGreaterThan(1_500);
  });

  it('answers 503 half a second before the function would be stopped', async () => {
    const handler = implementPublic(endpoint, () => new Promise(() => undefined));
    const firstOf = (remaining: number) => Promise.race([invoke(handler, undefined, remaining), sleep(300)]);
    expect(await firstOf(900)).toBeUndefined();
    const answer = await firstOf(520);
    expect(answer?.statusCode).toBe(503);
    expect(answer?.headers['Retry-After']).toBe('1');
    const told = { code: 'temporarily_unavailable', detail: 'The request took too long.' };
    expect(JSON.parse(answer?.body ?? '')).toMatchObject(told);
  });

  const NAMES = [
    ...['DeadlineExceeded', 'DependencyTimeoutException', 'InternalFailure', 'InternalServerError', 'TimeoutError'],
    ...['KMSInternalException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'RequestThrottled'],
    ...['ServiceUnavailable', 'ThrottlingException', 'TransactionConflictException'],
  ];
  const CODES = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ERR_WORKER_OUT_OF_MEMORY', 'ETIMEDOUT'];

  it.each([...NAMES.map((name) => ({ name })), ...CODES.map((code) => ({ code }))])(
    'turns a fault of a dependency into a 503 that says when to come back: %o',
    async (fault) => {
      const error = Object.assign(new Error('It came to nothing.'), fault);
      const { statusCode, headers } = await invoke(implementPublic(endpoint, () => Promise.reject(error)));
      expect(statusCode).toBe(503);
      expect(headers['Retry-After']).toBe('1');
    },
  );

  it.each(['AccessDeniedException', 'ValidationException'])('turns another fault into a 500: %s', async (name) => {
    const error = Object.assign(new Error('Not so.'), { name, code: 'ENOENT' });
    expect((await invoke(implementPublic(endpoint, () => Promise.reject(error)))).statusCode).toBe(500);
  });

  it('knows a problem of a module that is loaded later, which has the class once more', async () => {
    const copy = '#shared/domain/problems.ts?copy';
    const later: typeof import('#shared/domain/problems.ts') = await import(/* @vite-ignore */ copy);
    expect(later.Problem).not.toBe(Problem);
    const { statusCode, headers } = await invoke(implementPublic(endpoint, () => Promise.reject(later.overloaded())));
    expect(statusCode).toBe(503);
    expect(headers['Retry-After']).toBe('1');
    expect(new Problem('not_found', { detail: '' }) instanceof later.Problem).toBe(true);
    expect(new Error('not_found') instanceof Problem).toBe(false);
  });
});
