import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);

/** Says why a program of ours did not end well. */
export class ProgramError extends Error {}

export interface Program {
  readonly process: ChildProcess;
  /** @throws ProgramError */
  readonly ended: Promise<void>;
}

/**
 * Starts one of our programs in a process of its own: the memory is free again at its end. It can be sent messages.
 *
 * @param detached if an interrupt from the keyboard does not reach it
 */
export function startProgram(
  complaint: string,
  file: string,
  env: Readonly<Record<string, string>> = {},
  detached = false,
): Program {
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'dist', 'compiled'), ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached,
  });
  const output: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
  const ended = new Promise<void>((resolve, reject) =>
    child.on('error', reject).once('close', (code, signal) => {
      const reason =
        signal === null ? Buffer.concat(output).toString().trim() : `The process was ended with ${signal}.`;
      if (code === 0) resolve();
      else reject(new ProgramError(`${complaint} ${reason}`));
    }),
  );
  return { process: child, ended };
}

export function runProgram(...program: Parameters<typeof startProgram>): Promise<void> {
  return startProgram(...program).ended;
}
