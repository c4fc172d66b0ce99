import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A process that measures apart from the one that asks it. */
export interface Worker {
  /** One question at a time. */
  ask(question: unknown): Promise<unknown>;
  end(): Promise<void>;
}

interface WorkerOptions {
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

interface Answer {
  readonly result?: unknown;
  readonly failure?: string;
}

/** What the process writes is lost, but for its errors. */
export function startWorker(file: string, { args = [], env = process.env }: WorkerOptions = {}): Worker {
  const child = fork(file, args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  return {
    ask: async (question) => {
      child.send({ question });
      const [answer]: Answer[] = await Promise.race([once(child, 'message'), ended.then(() => [])]);
      const { result, failure = 'The process has ended.' } = answer ?? {};
      if (result === undefined) throw new Error(failure);
      return result;
    },
    end: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** The inside of such a process: answers until nobody can ask any more. */
export function serve(answer: (question: unknown) => Promise<unknown>): void {
  process.on('message', async ({ question }: { readonly question: unknown }) => {
    const reply: Answer = await answer(question).then(
      (result) => ({ result }),
      (error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }),
    );
    process.send?.(reply);
  });
}
