import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build as bundle } from 'esbuild';
import * as v from 'valibot';
import { bundleOptions } from '#scripts/build/build.ts';
import { blueprintOf } from '#scripts/local/blueprint.ts';
import { type FunctionPlan, handlerOf } from '#scripts/local/plans/functions.ts';
import { Resolver } from '#scripts/local/resolve.ts';
import { loadAssembly } from '#scripts/local/template.ts';
import { ensureSynthesized } from '#scripts/synth.ts';
import type { Effort } from './effort.ts';
import { median } from './statistics.ts';

/**
 * How long a cold function takes to load its bundle, compared with a baseline that only creates the DynamoDB document
 * client, bundled as the functions are. Each reading is a fresh process. The bundles take turns, so a busy machine slows
 * them alike.
 */

const run = promisify(execFile);

const ROUNDS: Readonly<Record<Effort, number>> = { sample: 1, full: 25 };

/** A function may take this many times as long as the baseline. */
export const LOAD_BUDGET = 1.3;

const BASELINE_SOURCE = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
export const database = DynamoDBDocumentClient.from(new DynamoDBClient({}));
`;

const BASELINE = 'document client only';

export interface LoadTime {
  readonly name: string;
  /**
   * A function loads a late module only when it needs the module: the module's time begins when the
   * function is loaded.
   */
  readonly kind: 'baseline' | 'function' | 'late module';
  readonly bytes: number;
  readonly medianMilliseconds: number;
  /** The median, divided by the median of the baseline. */
  readonly ratio: number;
  /**
   * The main thread's median. On a quiet machine it equals the time. On a busy machine it leaves out the
   * waiting for a processor.
   */
  readonly processorMilliseconds: number;
  readonly processorRatio: number;
}

/** How many functions take longer than the budget, by the clock or by the processor's time (medians). */
export function countOverBudget(
  loadTimes: readonly LoadTime[],
  value: 'medianMilliseconds' | 'processorMilliseconds',
): number {
  const most = LOAD_BUDGET * (loadTimes.find(({ kind }) => kind === 'baseline')?.[value] ?? 0);
  return loadTimes.filter((each) => each.kind === 'function' && each[value] > most).length;
}

export async function measureLoadTimes(effort: Effort): Promise<LoadTime[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'billwright-bench-'));
  try {
    const loadables = [await baseline(scratch), ...(await deployedBundles())];
    const readings = new Map(loadables.map(({ name }) => [name, [] as Reading[]]));
    for (let round = 0; round < ROUNDS[effort]; round++) {
      if (round % 5 === 0) console.log(`  round ${round + 1} of ${ROUNDS[effort]}`);
      for (const loadable of loadables) readings.get(loadable.name)?.push(await loadOnce(loadable));
    }
    const middleOf = (name: string, value: keyof Reading) =>
      median((readings.get(name) ?? []).map((reading) => reading[value]));
    return await Promise.all(
      loadables.map(async ({ name, kind, file }) => ({
        name,
        kind,
        bytes: (await stat(file)).size,
        medianMilliseconds: middleOf(name, 'milliseconds'),
        ratio: middleOf(name, 'milliseconds') / middleOf(BASELINE, 'milliseconds'),
        processorMilliseconds: middleOf(name, 'processorMilliseconds'),
        processorRatio: middleOf(name, 'processorMilliseconds') / middleOf(BASELINE, 'processorMilliseconds'),
      })),
    );
  } finally {
    await rm(scratch, { recursive: true });
  }
}

interface Loadable extends Pick<LoadTime, 'name' | 'kind'> {
  readonly file: string;
  /** Modules that are loaded before the reading starts. */
  readonly loadedBefore: readonly string[];
  /** Without its settings a function refuses to load. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The bundles and settings that the stacks deploy. */
async function deployedBundles(): Promise<Loadable[]> {
  const addresses = { aws: 'http://aws.test', api: 'http://api.test' };
  const { functions } = blueprintOf(new Resolver(loadAssembly(await ensureSynthesized()), {}, addresses));
  return (await Promise.all(functions.map(bundlesOf))).flat();
}

async function bundlesOf(plan: FunctionPlan): Promise<Loadable[]> {
  const { codeFolder, environment } = plan;
  const name = plan.name.slice(plan.name.indexOf('-') + 1);
  const file = `${handlerOf(plan).file}.js`;
  const beside = (await readdir(codeFolder)).filter((each) => each.endsWith('.js') && each !== basename(file));
  const late = beside.map((each) => ({ name: `${name}, then ${each}`, file: join(codeFolder, each) }));
  return [
    { name, kind: 'function', file, loadedBefore: [], environment },
    ...late.map((each) => ({ ...each, kind: 'late module' as const, loadedBefore: [file], environment })),
  ];
}

async function baseline(folder: string): Promise<Loadable> {
  await writeFile(join(folder, 'package.json'), '{}');
  const file = join(folder, 'baseline.cjs');
  const stdin = { contents: BASELINE_SOURCE, resolveDir: import.meta.dirname };
  await bundle({ ...bundleOptions, stdin, outfile: file });
  return { name: BASELINE, kind: 'baseline', file, loadedBefore: [], environment: {} };
}

/** Lambda has loaded its own runtime, and with it `node:http`, before a bundle's first line runs. */
const PROBE = `
require('node:http');
const [file, ...loadedBefore] = process.argv.slice(1);
for (const each of loadedBefore) require(each);
const startedAt = process.hrtime.bigint();
const before = process.threadCpuUsage();
require(file);
const { user, system } = process.threadCpuUsage(before);
const milliseconds = Number(process.hrtime.bigint() - startedAt) / 1e6;
console.log(JSON.stringify({ milliseconds, processorMilliseconds: (user + system) / 1e3 }));
`;

const reading = v.object({ milliseconds: v.number(), processorMilliseconds: v.number() });

type Reading = v.InferOutput<typeof reading>;

async function loadOnce({ file, loadedBefore, environment }: Loadable): Promise<Reading> {
  const env = { AWS_REGION: 'us-east-1', ...environment };
  const { stdout } = await run(process.execPath, ['-e', PROBE, file, ...loadedBefore], { env });
  return v.parse(reading, JSON.parse(stdout));
}
