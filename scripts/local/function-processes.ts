import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { transformSync } from 'esbuild';
import type { FunctionPlan } from './plans/functions.ts';

/**
 * Processes that can become an instance of any function. Most functions find one that has started before they need it,
 * and only load their bundle.
 *
 * A process keeps what Lambda promises: an environment, a limit of memory, and a death of its own. CONTRIBUTING.md says
 * why it is no thread.
 */

export type FunctionProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** What all functions have in common. Nothing comes from this machine. */
const ENVIRONMENT = { LANG: 'en_US.UTF-8', TZ: ':UTC' };

/** The code inside every process, as JavaScript. A process that first had to strip the types took longer to start. */
const program = withoutTypes('./function-instance.ts');

function withoutTypes(file: string): string {
  const source = new URL(file, import.meta.url);
  return `${transformSync(readFileSync(source), { loader: 'ts' }).code}\n//# sourceURL=${source.href}`;
}

type Needs = Pick<FunctionPlan, 'memoryMegabytes' | 'environment'>;

export class FunctionProcesses {
  /** The limit that most functions have. */
  readonly #memoryMegabytes: number;
  #spare: FunctionProcess | undefined;

  constructor(plans: readonly Needs[]) {
    this.#memoryMegabytes = mostFrequent(plans.map(({ memoryMegabytes }) => memoryMegabytes));
  }

  /** Starts one ahead of need. */
  prepare(): void {
    if (this.#spare) return;
    const spare = this.#start({ memoryMegabytes: this.#memoryMegabytes, environment: {} });
    const forget = () => {
      if (this.#spare === spare) this.#spare = undefined;
    };
    this.#spare = spare.once('error', forget).once('exit', forget);
  }

  /** Node.js reads the limit of its memory, and variables of its own, when it starts. */
  take(needs: Needs): FunctionProcess {
    const spare = this.#spare;
    const isUsual = needs.memoryMegabytes === this.#memoryMegabytes;
    const isForNode = Object.keys(needs.environment).some((name) => name.startsWith('NODE_'));
    if (!spare || !isUsual || isForNode) return this.#start(needs);
    this.#spare = undefined;
    return spare;
  }

  async stop(): Promise<void> {
    const spare = this.#spare;
    if (spare?.kill('SIGKILL')) await once(spare, 'exit');
  }

  /**
   * Only the memory of JavaScript is limited. Lambda counts that of buffers and of Node.js itself, too. What is young is
   * collected after 2 MB: that takes no more time, and a third less memory.
   */
  #start({ memoryMegabytes, environment }: Needs): FunctionProcess {
    const limits = [`--max-old-space-size=${memoryMegabytes}`, '--max-semi-space-size=2'];
    const env = { ...environment, ...ENVIRONMENT };
    // In a group of its own: an interrupt from the keyboard is for the host, which then ends its instances.
    return spawn(process.execPath, [...limits, '--input-type=module', '--eval', program], {
      env,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
  }
}

function mostFrequent(numbers: readonly number[]): number {
  const count = (wanted: number) => numbers.filter((each) => each === wanted).length;
  return numbers.reduce((most, each) => (count(each) > count(most) ? each : most), numbers[0] ?? 0);
}
