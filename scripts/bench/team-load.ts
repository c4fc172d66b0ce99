import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { serve } from './worker.ts';

/** Calls the API from a separate process, which takes no time from the process that runs the cloud. */

export interface Load {
  readonly url: string;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly callers: readonly LoadingCaller[];
}

interface LoadingCaller {
  readonly apiKey: string;
  /** The steps are sent one after the other, again and again. */
  readonly steps: readonly Step[];
}

export interface Step {
  readonly method: string;
  /** `{id}` stands for the id in the answer to the previous step. */
  readonly path: string;
  readonly body?: unknown;
}

/**
 * How often the callers get through their steps, a second. Requests that a busy machine fails to answer do not count.
 */
async function rateOf({ url, warmUpSeconds, seconds, callers }: Load): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  let [done, isOver] = [0, false];
  const lanes = callers.map(async ({ apiKey, steps }) => {
    while (!isOver) {
      let id: string | undefined = '';
      for (const step of steps) id = id === undefined ? id : await perform(agent, url, apiKey, step, id);
      if (id !== undefined) done += 1;
    }
  });
  const measure = async () => {
    await sleep(warmUpSeconds * 1_000);
    const [doneBefore, startedAt] = [done, performance.now()];
    await sleep(seconds * 1_000);
    const rate = ((done - doneBefore) * 1_000) / (performance.now() - startedAt);
    isOver = true;
    return rate;
  };
  const [rate] = await Promise.all([measure(), ...lanes]);
  agent.destroy();
  return rate;
}

const ID = /"id":"([^"]+)"/;

/** @returns the first id of the answer, or undefined if the service could not answer in time (a 5xx) */
function perform(agent: Agent, url: string, apiKey: string, step: Step, id: string): Promise<string | undefined> {
  const body = step.body === undefined ? undefined : JSON.stringify(step.body);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url + step.path.replace('{id}', id), { agent, method: step.method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const { statusCode = 0 } = response;
        // A timer whose stop got no answer still runs. The conflict names its session, which is stopped instead.
        if (statusCode < 300 || statusCode === 409) return resolve(ID.exec(text)?.[1] ?? '');
        const failure = `${step.method} ${step.path} answered ${statusCode}: ${text}`;
        if (statusCode < 500) return reject(new Error(failure));
        console.error(failure);
        resolve(undefined);
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

serve((load) => rateOf(load as Load));
