import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';

/** Callers at work, in a process of their own: they take no time from the process that runs the cloud. */

export interface Traffic {
  readonly url: string;
  /** Each caller begins anew until then, and at least once. */
  readonly seconds: number;
  readonly callers: readonly TrafficCaller[];
}

export interface TrafficCaller {
  readonly apiKey: string;
  /** Sent one after the other, each once the step before is answered. */
  readonly steps: readonly Step[];
}

export interface Step {
  readonly method: string;
  /** `{id}` stands for the first id in the answer to the step before. */
  readonly path: string;
  readonly body?: unknown;
}

const lap = v.object({
  /** That of the last step. A 5xx is the last. */
  status: v.number(),
  milliseconds: v.number(),
  endedAfterMilliseconds: v.number(),
});

export type Lap = v.InferOutput<typeof lap>;

const MAXIMUM_BYTES = 64 * 1_048_576;

export async function drive(traffic: Traffic): Promise<Lap[]> {
  const file = join(import.meta.dirname, 'traffic-process.ts');
  const running = promisify(execFile)(process.execPath, [file], { maxBuffer: MAXIMUM_BYTES });
  running.child.stdin?.end(JSON.stringify(traffic));
  return v.parse(v.array(lap), JSON.parse((await running).stdout));
}
