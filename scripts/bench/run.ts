import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { BootOptions, Cloud } from '#scripts/local/cloud.ts';
import { measureLoads } from './cold-start.ts';
import { measureLight } from './light.ts';
import { report } from './report.ts';
import { onScratchCloud } from './scratch-cloud.ts';

/**
 * `npm run bench -- [PART]... [--sample]`: measures the service on this machine, and writes each part to `REPORT.md`. A
 * sample measures a little of everything and leaves the report alone.
 */

interface Part {
  readonly title: string;
  readonly measure: (isSample: boolean) => Promise<string>;
}

const PARTS: Readonly<Record<string, Part>> = {
  light: { title: 'On one machine', measure: measureLight },
  load: { title: 'Bundles and cold loads', measure: measureCold },
  team: { title: 'A team', measure: onCloud(() => import('./team.ts'), { isKind: true }) },
  mixed: {
    title: 'A team that does something else every two seconds',
    measure: onCloud(() => import('./mixed.ts'), { isKind: true }),
  },
  costliest: { title: 'The costliest requests', measure: onCloud(() => import('./costliest.ts')) },
};

async function measureCold(isSample: boolean): Promise<string> {
  const calls = onCloud(() => import('./team-calls.ts'));
  return [await measureLoads(isSample), await calls(isSample)].join('\n\n');
}

interface PartModule {
  /** @returns Markdown */
  measure(cloud: Cloud, isSample: boolean): Promise<string>;
}

/** Modules of the service read the environment when they are loaded, so a part is loaded once its cloud runs. */
function onCloud(load: () => Promise<PartModule>, options?: Partial<BootOptions>): Part['measure'] {
  return (isSample) => onScratchCloud(async (cloud) => (await load()).measure(cloud, isSample), options);
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'boolean', default: false } },
});
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
const unknown = names.filter((name) => !PARTS[name]);
if (unknown.length > 0) {
  throw new Error(`There is no part ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}.`);
}

const [first = ''] = names;
const part = PARTS[first];
if (part && names.length === 1) await report(part.title, values.sample, () => part.measure(values.sample));
else for (const name of names) measureInProcess(name);

/** A process can have only one scratch cloud. */
function measureInProcess(name: string): void {
  const flags = values.sample ? ['--sample'] : [];
  const { status } = spawnSync(process.execPath, [import.meta.filename, name, ...flags], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
