import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { blueprintOf } from '#scripts/local/blueprint.ts';
import type { FunctionPlan } from '#scripts/local/plans/functions.ts';
import { Resolver } from '#scripts/local/resolve.ts';
import { loadAssembly } from '#scripts/local/template.ts';
import { ensureSynthesized } from '#scripts/synth.ts';
import { markdownTable } from './markdown.ts';
import { median } from './statistics.ts';

/** The processor time that a cold function takes to load its bundle. */

const FULL_ROUNDS = 5;

export async function measureLoads(isSample: boolean): Promise<string> {
  const rounds = isSample ? 1 : FULL_ROUNDS;
  const { functions } = blueprintOf(new Resolver(loadAssembly(await ensureSynthesized())));
  const times = functions.map((plan) => ({ plan, milliseconds: [] as number[] }));
  // Functions take turns: a busy moment does not distort just one of them.
  for (let round = 0; round < rounds; round++) {
    for (const { plan, milliseconds } of times) milliseconds.push(await loadMilliseconds(plan));
  }
  const rows = times.map(async ({ plan, milliseconds }) => {
    const { size } = await stat(bundleOf(plan));
    const name = plan.name.slice(plan.name.indexOf('-') + 1);
    return [name, (size / 1_024).toFixed(0), median(milliseconds).toFixed(1)];
  });
  return [
    `Processor time of the loading thread, medians of ${rounds} fresh processes.`,
    markdownTable(['function', 'KiB', 'ms'], await Promise.all(rows)),
  ].join('\n\n');
}

function bundleOf(plan: FunctionPlan): string {
  return join(plan.codeFolder, 'index.js');
}

/** Lambda has loaded its own runtime, and with it `node:http`, before a bundle's first line runs. */
const PROBE = `
require('node:http');
const before = process.threadCpuUsage();
require(process.argv[1]);
const { user, system } = process.threadCpuUsage(before);
console.log((user + system) / 1e3);
`;

/** A function refuses to load without its settings. */
async function loadMilliseconds(plan: FunctionPlan): Promise<number> {
  const env = { AWS_REGION: 'us-east-1', ...plan.environment };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', PROBE, bundleOf(plan)], { env });
  return Number(stdout);
}
