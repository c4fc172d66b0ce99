import { setTimeout as sleep } from 'node:timers/promises';

type Behaviour =
  | { readonly do: 'sleep' | 'compute'; readonly milliseconds: number }
  | {
      readonly do:
        | 'loop'
        | 'throw'
        | 'exit'
        | 'reject-later'
        | 'exhaust-memory'
        | 'exhaust-memory-in-one-step'
        | 'count'
        | 'log'
        | 'leave-running';
    }
  | { readonly do: 'return-bytes' | 'keep-bytes'; readonly bytes: number };

let invocations = 0;

/** Outside of the heap of JavaScript. */
let kept: Buffer | undefined;

/** No code of ours runs while they are parsed, which takes 300 MB. */
const EMPTY_ARRAYS = 5_000_000;

/** How often something went on after its event was answered. */
let ranOn = 0;

/** Misbehaves as the event, or the body of a request, asks. */
export async function handler(event: Behaviour | { readonly body: string }): Promise<unknown> {
  const behaviour: Behaviour = 'body' in event ? JSON.parse(event.body) : event;
  invocations += 1;
  switch (behaviour.do) {
    case 'sleep':
      await sleep(behaviour.milliseconds);
      return { invocations };
    case 'compute': {
      const endsAt = performance.now() + behaviour.milliseconds;
      while (performance.now() < endsAt) Math.random();
      return { instance: process.env.AWS_LAMBDA_LOG_STREAM_NAME };
    }
    case 'loop':
      for (;;) Math.random();
    case 'throw':
      throw new RangeError('thrown on purpose');
    case 'exit':
      process.exit(3);
      break;
    case 'reject-later':
      setTimeout(() => void Promise.reject(new Error('rejected on purpose')), 1);
      return sleep(1_000);
    case 'exhaust-memory': {
      const hoard: number[][] = [];
      for (;;) hoard.push(new Array(100_000).fill(hoard.length));
    }
    case 'exhaust-memory-in-one-step':
      return JSON.parse(`[${'[],'.repeat(EMPTY_ARRAYS)}0]`).length;
    case 'log':
      console.log(JSON.stringify({ level: 'INFO', message: 'structured' }));
      console.error('plain text');
      return null;
    case 'return-bytes':
      return 'x'.repeat(behaviour.bytes);
    case 'keep-bytes':
      kept = Buffer.alloc(behaviour.bytes, 1);
      return { kept: kept.length };
    case 'leave-running':
      setTimeout(() => {
        ranOn += 1;
      }, 20);
      return { invocations };
    case 'count':
      return { invocations, ranOn };
  }
}
