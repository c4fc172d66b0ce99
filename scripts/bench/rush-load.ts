import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from './worker.ts';

/**
 * Sends each request when its time has come, even if earlier requests are not answered yet. It runs
 * in a process of its own.
 */

export interface RushRequest {
  /** Counted from the beginning. */
  readonly afterMilliseconds: number;
  readonly url: string;
  readonly method: string;
  readonly apiKey: string;
}

interface RushReply {
  readonly status: number;
  readonly milliseconds: number;
}

async function send({ afterMilliseconds, url, method, apiKey }: RushRequest): Promise<RushReply> {
  await sleep(afterMilliseconds);
  const startedAt = performance.now();
  const response = await fetch(url, { method, headers: { authorization: `Bearer ${apiKey}` } });
  await response.arrayBuffer();
  return { status: response.status, milliseconds: performance.now() - startedAt };
}

serve((requests) => Promise.all((requests as RushRequest[]).map(send)));
