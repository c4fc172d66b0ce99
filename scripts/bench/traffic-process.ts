import { Agent, request } from 'node:http';
import { json, text } from 'node:stream/consumers';
import type { Lap, Step, Traffic, TrafficCaller } from './traffic.ts';

/** The process of `traffic.ts`: it reads the traffic, makes it, and writes the laps. */

const { url, seconds, callers } = (await json(process.stdin)) as Traffic;
const agent = new Agent({ keepAlive: true });
const beganAt = performance.now();
const laps = await Promise.all(callers.map(lapsOf));
agent.destroy();
console.log(JSON.stringify(laps.flat()));

async function lapsOf({ apiKey, steps }: TrafficCaller): Promise<Lap[]> {
  const done: Lap[] = [];
  do {
    const startedAt = performance.now();
    const status = await lastStatusOf(apiKey, steps);
    const endedAt = performance.now();
    done.push({ status, milliseconds: endedAt - startedAt, endedAfterMilliseconds: endedAt - beganAt });
  } while (performance.now() - beganAt < seconds * 1_000);
  return done;
}

/** A timer whose stop got no answer still runs. The next start, a 409, names its session, which is stopped instead. */
async function lastStatusOf(apiKey: string, steps: readonly Step[]): Promise<number> {
  let [status, id] = [0, ''];
  for (const step of steps) {
    const answer = await send(apiKey, { ...step, path: step.path.replace('{id}', id) });
    ({ status } = answer);
    if (status >= 500) break;
    id = /"id":"([^"]+)"/.exec(answer.body)?.[1] ?? '';
  }
  return status;
}

/** `fetch` would take more of the processors, which the callers share with the service. */
function send(apiKey: string, { method, path, body }: Step): Promise<{ status: number; body: string }> {
  const content = body === undefined ? '' : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${apiKey}`,
    ...(content && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, method, headers }, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode ?? 0, body: answer }), reject);
    });
    sent.on('error', reject).end(content);
  });
}
