import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Programs in processes of their own. */
export interface Running {
  readonly child: ChildProcess;
  /** So far. */
  readonly printed: { output: string; complaint: string };
  /** Its exit code, once all that it has printed is there. */
  readonly ended: Promise<number | null>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @param environment all that the program knows, besides where to find programs and compiled code */
export function startProgram(
  command: string,
  args: readonly string[],
  environment: Environment = {},
  cwd?: string,
): Running {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE, ...environment };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = { output: '', complaint: '' };
  child.stdout.on('data', (chunk) => {
    printed.output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    printed.complaint += chunk;
  });
  return { child, printed, ended: once(child, 'close').then(([code]) => code) };
}

export const allOf = ({ printed: { output, complaint } }: Running) => output + complaint;

/** Runs a script to its end. */
export async function runScript(file: string, args: readonly string[], environment?: Environment) {
  const { printed, ended } = startProgram(process.execPath, [file, ...args], environment);
  return { code: await ended, ...printed };
}

/** How a script ends that does nothing but say what is wrong. */
export const refusal = (complaint: unknown) => ({ code: 1, output: '', complaint });
