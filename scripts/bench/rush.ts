import { join } from 'node:path';
import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import type { Cloud } from '#scripts/local/cloud.ts';
import { filledPath } from '#shared/contract/endpoint.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { type Caller, callerOf, endpointOf, makeCaller } from './caller.ts';
import type { Effort } from './effort.ts';
import { markdownTable } from './markdown.ts';
import type { RushRequest } from './rush-load.ts';
import { assertOk } from './scenarios.ts';
import { percentile } from './statistics.ts';
import { startWorker, type Worker } from './worker.ts';

/**
 * Many users of one organization do the same at the same moment, in one project. They meet in the
 * same items of the table.
 */

export interface Rush {
  readonly name: string;
  readonly requests: number;
  readonly refused: number;
  readonly p50: number;
  readonly p99: number;
}

interface Scene {
  readonly name: string;
  readonly requests: number;
  readonly milliseconds: number;
  /**
   * Makes what a request is about.
   *
   * @returns the id of it
   */
  readonly prepare: (caller: Caller) => Promise<string>;
  readonly operationId: string;
  readonly parameter: string;
}

const SMALLER: Readonly<Record<Effort, number>> = { sample: 20, full: 1 };

export async function measureRush(cloud: Cloud, effort: Effort): Promise<Rush[]> {
  const owner = await makeCaller(cloud, { entries: 0, days: 1, projects: 1, until: '2026-01-01' });
  const worker = startWorker(join(import.meta.dirname, 'rush-load.ts'));
  try {
    const rushes: Rush[] = [];
    for (const scene of scenes(SMALLER[effort])) {
      const rush = await measureScene(cloud, owner, worker, scene);
      console.log(rowOf(rush).join(', '));
      rushes.push(rush);
    }
    return rushes;
  } finally {
    await worker.end();
  }
}

function scenes(smaller: number): Scene[] {
  const stop = {
    prepare: async ({ call, projectIds: [projectId] }: Caller) =>
      assertOk(await call('startTimer', { body: { projectId } })).body.data.id,
    operationId: 'stopTimer',
    parameter: 'sessionId',
  };
  const send = { prepare: draftInvoice, operationId: 'sendInvoice', parameter: 'id' };
  const rushes = [
    { ...stop, name: '200 timers stopped within a second, cold', requests: 200, milliseconds: 1_000 },
    { ...stop, name: '200 timers stopped within a second, warm', requests: 200, milliseconds: 1_000 },
    { ...stop, name: '40 timers stopped a second, for a minute', requests: 2_400, milliseconds: 60_000 },
    { ...send, name: '200 invoices sent at once', requests: 200, milliseconds: 0 },
  ];
  return rushes.map((rush) => ({
    ...rush,
    requests: rush.requests / smaller,
    milliseconds: rush.milliseconds / smaller,
  }));
}

async function draftInvoice({ call }: Caller): Promise<string> {
  const client = assertOk(await call('createClient', { body: { name: `Client ${uuidV7()}` } }));
  const lineItems = [{ name: 'Work', quantity: '1', unit: 'hour', price: '100' }];
  const body = { clientId: client.body.data.id, currency: 'USD', lineItems };
  return assertOk(await call('createInvoice', { body })).body.data.id;
}

/** How many preparations run at a time. */
const HANDS = 8;

const rushReplies = v.array(v.object({ status: v.number(), milliseconds: v.number() }));

async function measureScene(cloud: Cloud, owner: Caller, worker: Worker, scene: Scene): Promise<Rush> {
  const { requests: count, milliseconds, prepare, operationId, parameter, name } = scene;
  const { method, path } = endpointOf(operationId);
  const moments = Array.from({ length: count }, (_, index) => (index * milliseconds) / count);
  const prepareRequest = async (afterMilliseconds: number): Promise<RushRequest> => {
    const caller = await callerOf(cloud, { ...owner, userId: uuidV7() });
    const url = cloud.url + filledPath(path, { [parameter]: await prepare(caller) });
    return { afterMilliseconds, url, method, apiKey: caller.apiKey };
  };
  const requests = await mapInParallel(moments, prepareRequest, HANDS);
  const replies = v.parse(rushReplies, await worker.ask(requests));
  const times = replies.map((reply) => reply.milliseconds);
  const refused = replies.filter(({ status }) => status >= 300).length;
  return { name, requests: count, refused, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

const rowOf = ({ name, requests, refused, p50, p99 }: Rush): string[] => [
  name,
  String(requests),
  String(refused),
  `${(p50 / 1_000).toFixed(2)} s`,
  `${(p99 / 1_000).toFixed(2)} s`,
];

/** As Markdown. */
export function rushText(rushes: readonly Rush[]): string {
  return [
    'One organization, one project, a user for each request, on a cloud with conflicts, limits of throughput, late indexes and frozen instances.',
    markdownTable(['', 'requests', 'refused', 'p50', 'p99'], rushes.map(rowOf)),
  ].join('\n\n');
}
