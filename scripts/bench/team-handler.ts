import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { serve } from './worker.ts';

/**
 * Runs one function's bundle in a process that does nothing else. The process's processor time is
 * therefore that of the requests.
 */

export interface Requests {
  readonly event: unknown;
  readonly count: number;
}

type Handler = (event: unknown, context: Partial<Context>) => Promise<unknown>;

const [file = '', exportName = ''] = process.argv.slice(2);
const bundle: Record<string, Handler | undefined> = await import(file);
const context: Partial<Context> = { awsRequestId: 'request', getRemainingTimeInMillis: () => 10_000 };
const answered = v.object({ statusCode: v.literal(200) });

/** @returns milliseconds of the processor for each request */
async function answer({ event, count }: Requests): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) v.assert(answered, await bundle[exportName]?.(event, context));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / count;
}

serve((requests) => answer(requests as Requests));
