import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { defineEndpoint } from '#shared/contract/endpoint.ts';
import { implementPublic } from '#shared/http/implement-public.ts';
import type { HttpHandler } from '#shared/http/stack.ts';
import { median } from './statistics.ts';

/**
 * How much of a request's time the HTTP stack takes, without any I/O. A handler that only returns a value runs in the
 * stack, compared with nothing at all. A separate process measures it, because the log goes to standard output.
 */

export interface StackOverhead {
  /** Microseconds for each call, the median of the rounds. */
  readonly silentMicroseconds: number;
  /** With the log line and the metric of each request, written into a pipe. */
  readonly loggingMicroseconds: number;
}

const WARM_UP_CALLS = 20_000;
const ROUNDS = 9;
const CALLS_PER_ROUND = 5_000;

export async function measureStackOverhead(): Promise<StackOverhead> {
  const silently = { LOG_LEVEL: 'SILENT', POWERTOOLS_METRICS_DISABLED: 'true' };
  return { silentMicroseconds: await measureApart(silently), loggingMicroseconds: await measureApart({}) };
}

const ENVIRONMENT = {
  LOG_LEVEL: 'INFO',
  POWERTOOLS_SERVICE_NAME: 'billwright',
  POWERTOOLS_METRICS_NAMESPACE: 'billwright',
};

async function measureApart(environment: Readonly<Record<string, string>>): Promise<number> {
  const env = { ...process.env, ...ENVIRONMENT, ...environment };
  const child = fork(import.meta.filename, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  child.stdout?.resume();
  const [microseconds] = await once(child, 'message');
  await once(child, 'exit');
  return v.parse(v.number(), microseconds);
}

/** As large as the body and the answer of a product. */
const fields = { name: v.string(), description: v.string(), price: v.string(), currency: v.nullable(v.string()) };

const endpoint = defineEndpoint({
  operationId: 'echo',
  method: 'POST',
  path: '/echo',
  area: 'meta',
  summary: 'Echo',
  scope: null,
  body: v.object(fields),
  response: { kind: 'resource', status: 200, schema: v.object(fields) },
  example: {},
});

type HttpEvent = Parameters<HttpHandler>[0];

function eventOf(body: object): HttpEvent {
  return {
    version: '2.0',
    rawPath: endpoint.path,
    rawQueryString: '',
    routeKey: 'POST /echo',
    headers: { 'content-type': 'application/json', accept: '*/*', host: 'localhost', 'user-agent': 'bench' },
    requestContext: { requestId: 'request' } as HttpEvent['requestContext'],
    isBase64Encoded: false,
    body: JSON.stringify(body),
  };
}

async function measureHere(): Promise<number> {
  const body = { name: 'Consulting', description: 'By the hour', price: '120.00', currency: 'USD' };
  const handler = implementPublic(endpoint, async (call) => call.body);
  const context = { getRemainingTimeInMillis: () => 10_000 } as Context;
  const event = eventOf(body);
  const run = async (calls: number): Promise<number> => {
    const startedAt = performance.now();
    for (let i = 0; i < calls; i++) await handler(event, context);
    return ((performance.now() - startedAt) * 1_000) / calls;
  };
  await run(WARM_UP_CALLS);
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await run(CALLS_PER_ROUND));
  return median(rounds);
}

if (process.send && process.argv[1] === import.meta.filename) {
  process.send(await measureHere());
  process.disconnect();
}
