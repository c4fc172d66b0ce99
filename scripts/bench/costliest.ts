import { randomUUID } from 'node:crypto';
import { endpointFunction } from '#infra/functions.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import { type Endpoint, isOfPlatform, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { DEFAULT_RATE_LIMIT } from '#shared/domain/keys/api-key.ts';
import { routes } from '#shared/routes.ts';
import { type Caller, callerWithKey, newCaller, platformCaller } from './caller.ts';
import {
  type CostlyRequest,
  CROWD,
  costlyRequestsOf,
  crowd,
  enrich,
  type FixtureSize,
  LONGEST,
  USUAL,
} from './costly-requests.ts';
import { markdownTable } from './markdown.ts';
import { metered, untilQuiet } from './meter.ts';
import { priceOf } from './prices.ts';

/**
 * The cost of the costliest requests of each operation, under an `Idempotency-Key` if it takes one and with what it leaves
 * to workers, and how many of them a key of the default rate limit can make in a minute.
 */

const SAMPLE_SCALE = 1 / 20;

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  const scale = isSample ? SAMPLE_SCALE : 1;
  return [
    `The costliest requests of each operation that we know how to make, under an idempotency key if it takes one, and with what it leaves to workers. Bytes of answers are those of whoever does not want them packed. Requests a minute are of a key of the default limit of ${DEFAULT_RATE_LIMIT}, by the weight that the service has charged. The time of the processor is that of the function and of the workers. What the worker takes that removes an organization is [below](#removing-an-organization). Of invoices and credit notes there are ${CROWD.invoices} each, of timer sessions ${CROWD.sessions}, of projects and imports ${CROWD.projects}. What a list with a filter or a summary reads grows with the organization, to 20 MB at most: 38 cents a minute. A page of the longest texts comes on top, with at most 12. Answers have at most 6 MB: 33 cents.`,
    'With the longest texts, wanted at most 50 cents a minute:',
    await tableOf(cloud, { scale, texts: LONGEST }),
    'With usual texts, of 500 letters, wanted at most 5 cents a minute:',
    await tableOf(cloud, { scale, texts: USUAL }),
  ].join('\n\n');
}

async function tableOf(cloud: Cloud, size: FixtureSize): Promise<string> {
  const by = await newCaller(cloud);
  await enrich(by, size);
  await crowd(by, size);
  const platform = await platformCaller(cloud);
  const rows: string[][] = [];
  for (const [position, endpoint] of routes.entries()) {
    console.log(`  ${position + 1} of ${routes.length}: ${endpoint.operationId}`);
    const caller = isOfPlatform(endpoint.scope) ? platform : by;
    for (const request of costlyRequestsOf(endpoint.operationId, size)) {
      rows.push(await rowOf(cloud, caller, endpoint, request));
    }
  }
  const ofRequest = ['read units', 'write units', 'processor ms', 'answer KB', '$'];
  return markdownTable(['operation', 'costly by', 'weight', 'a minute', ...ofRequest, 'cents a minute'], rows);
}

async function rowOf(cloud: Cloud, by: Caller, endpoint: Endpoint, request: CostlyRequest): Promise<string[]> {
  const { operationId } = endpoint;
  const { costlyBy, prepare } = request;
  // The first one warms the function up.
  await by.call(operationId, await prepare(by));
  const input = { ...(await prepare(by)), ...(takesIdempotencyKey(endpoint) && { idempotencyKey: randomUUID() }) };
  await untilQuiet(cloud);
  const caller = await callerWithKey(cloud, by, DEFAULT_RATE_LIMIT);
  const before = cloud.functionMilliseconds();
  const { result, cost } = await metered(cloud, async () => {
    const reply = await caller.call(operationId, input);
    await untilQuiet(cloud);
    return reply;
  });
  const milliseconds = cloud.functionMilliseconds() - before;
  const { memoryMegabytes, authenticates: isAuthenticated } = endpointFunction(endpoint);
  const answerKilobytes = result.bytes / 1_000;
  const usage = { ...cost, milliseconds, memoryMegabytes, isAuthenticated, answerKilobytes };
  const dollars = priceOf(usage) / 1_000_000;
  const used = [cost.readUnits, cost.writeUnits, milliseconds, answerKilobytes].map((value) => value.toFixed(0));
  const [weight, perMinute, cents] = limitsOf(result.headers, dollars);
  return [`\`${operationId}\``, costlyBy, weight, perMinute, ...used, dollars.toFixed(6), cents];
}

/** By the tokens that the first request of a key has left. An operation without a key has no such limits. */
function limitsOf(headers: Headers, dollars: number): [weight: string, perMinute: string, cents: string] {
  const left = /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1];
  if (left === undefined) return ['', '', ''];
  const weight = DEFAULT_RATE_LIMIT - Number(left);
  const perMinute = Math.floor(DEFAULT_RATE_LIMIT / weight);
  return [String(weight), String(perMinute), (perMinute * dollars * 100).toFixed(3)];
}
