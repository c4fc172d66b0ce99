import type { Cloud } from '#scripts/local/cloud.ts';
import { kebabCase } from '#shared/contract/endpoint.ts';
import type { Caller, Input } from './caller.ts';
import { markdownTable } from './markdown.ts';
import { onScratchCloud } from './scratch-cloud.ts';
import { median } from './statistics.ts';

/** The processor time that a function takes for its first request, once it has started, and for the next one. */

const FULL_ROUNDS = 9;

const REQUESTS: Readonly<Record<string, Input>> = {
  getMe: {},
  listProducts: {},
  listEntries: { query: { dateFrom: '2026-11-01', dateTo: '2026-11-30' } },
  createClient: { body: { name: 'Globex' } },
  getActiveTimer: {},
};

export async function measureFirstCalls(isSample: boolean): Promise<string> {
  const rounds = isSample ? 1 : FULL_ROUNDS;
  const rows = await onScratchCloud(async (cloud) => {
    const { newCaller } = await import('./caller.ts');
    const by = await newCaller(cloud);
    const found: string[][] = [];
    for (const [operationId, input] of Object.entries(REQUESTS)) {
      const calls: Call[] = [];
      for (let round = 0; round < rounds; round++) calls.push(await callsOf(cloud, by, operationId, input));
      const of = (pick: (call: Call) => number) => median(calls.map(pick)).toFixed(1);
      found.push([operationId, of(({ first }) => first), of(({ next }) => next)]);
    }
    return found;
  });
  return [
    `Processor time of requests, medians of ${rounds} functions that have just started.`,
    markdownTable(['operation', 'first, ms', 'next, ms'], rows),
  ].join('\n\n');
}

interface Call {
  readonly first: number;
  readonly next: number;
}

async function callsOf(cloud: Cloud, by: Caller, operationId: string, input: Input): Promise<Call> {
  await cloud.endInstances(kebabCase(operationId));
  const before = cloud.functionMilliseconds();
  await by.call(operationId, input);
  const between = cloud.functionMilliseconds();
  await by.call(operationId, input);
  return { first: between - before, next: cloud.functionMilliseconds() - between };
}
