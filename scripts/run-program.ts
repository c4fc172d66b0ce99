import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);

/** Says why a program of ours did not end well. */
export class ProgramError extends Error {}

/** Runs one of our programs in a process of its own: the memory is free again at its end. */
export async function runProgram(
  complaint: string,
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const child = spawn(process.execPath, [file], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: join(root, 'dist', 'compiled'), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) =>
    child.once('error', reject).once('close', (...end) => resolve(end)),
  );
  if (code === 0) return;
  const reason = signal === null ? Buffer.concat(output).toString().trim() : `The process was ended with ${signal}.`;
  throw new ProgramError(`${complaint} ${reason}`);
}
