import { fork } from 'node:child_process';
import { once } from 'node:events';
import { asError } from '#shared/runtime/error.ts';

/** A process that measures separately from the process that asks it. */
export interface Worker {
  /** Takes one question at a time. */
  ask(question: unknown): Promise<unknown>;
  end(): Promise<void>;
}

interface Answer {
  readonly result?: unknown;
  readonly failure?: string;
}

/** Of what the process writes, only its errors are shown. */
export function startWorker(file: string): Worker {
  const child = fork(file, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
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

/** The code inside such a process: it answers until nobody can ask any more. */
export function serve(answer: (question: unknown) => Promise<unknown>): void {
  process.on('message', async ({ question }: { readonly question: unknown }) => {
    const reply: Answer = await answer(question).then(
      (result) => ({ result }),
      (error: unknown) => ({ failure: asError(error).message }),
    );
    process.send?.(reply);
  });
}
