import { setTimeout as sleep } from 'node:timers/promises';

interface Behaviour {
  readonly do:
    | 'sleep'
    | 'compute'
    | 'loop'
    | 'throw'
    | 'exit'
    | 'reject-later'
    | 'exhaust-memory'
    | 'exhaust-memory-in-one-step'
    | 'count'
    | 'log'
    | 'leave-running'
    | 'return-bytes'
    | 'keep-bytes';
  readonly milliseconds?: number;
  readonly bytes?: number;
}

let invocations = 0;

/** Outside of the heap of JavaScript. */
let kept: Buffer | undefined;

/** No code of ours runs while they are parsed, which takes 300 MB. */
const EMPTY_ARRAYS = 5_000_000;

/** How often something went on after its event was answered. */
let ranOn = 0;

/** Misbehaves as the event asks. */
export async function handler({ do: what, milliseconds = 0, bytes = 0 }: Behaviour): Promise<unknown> {
  invocations += 1;
  switch (what) {
    case 'sleep':
      return sleep(milliseconds, null);
    case 'compute': {
      const endsAt = performance.now() + milliseconds;
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
      return 'x'.repeat(bytes);
    case 'keep-bytes':
      kept = Buffer.alloc(bytes, 1);
      return kept.length;
    case 'leave-running':
      setTimeout(() => {
        ranOn += 1;
      }, 20);
      return null;
    case 'count':
      return { invocations, ranOn };
  }
}
