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
  /** What the figures are about, for who does not know our words. */
  readonly meaning: string;
  readonly measure: (isSample: boolean) => Promise<string>;
}

const PARTS: Readonly<Record<string, Part>> = {
  light: {
    title: 'On one machine',
    meaning:
      "How much memory and time the whole service takes on a developer's machine: how long a start takes, and how soon an edit is live.",
    measure: measureLight,
  },
  load: {
    title: 'Bundles and cold loads',
    meaning:
      'How large the code of each function is, how long it takes to load where no instance runs yet, and what a usual request costs in time and in units of the table. Most callers notice none of it: a start is in single requests.',
    measure: measureCold,
  },
  team: {
    title: 'A team',
    meaning:
      'How many requests a second the service answers for an organization that has worked with it for years: first for one caller alone, then for sixteen at once. All of it runs on one machine, callers and database as well.',
    measure: onCloud(() => import('./team.ts'), { isKind: true }),
  },
  mixed: {
    title: 'A team that does something else every two seconds',
    meaning:
      'What a team feels that does one thing now and another soon: whether sixteen people get more done than one, and how long somebody waits for the first call of a function that was not used lately.',
    measure: onCloud(() => import('./mixed.ts'), { isKind: true }),
  },
  costliest: {
    title: 'The costliest requests',
    meaning:
      'The worst that a single request of each kind can do: how long it takes, how much it reads and writes, and what it costs. From these figures come the weights, which make a caller pay for a costly request with more of its rate limit.',
    measure: onCloud(() => import('./costliest.ts')),
  },
  webhooks: {
    title: 'From a change to a receiver',
    meaning: 'How many seconds pass from a change until its event is at the receiver of a webhook.',
    measure: onCloud(() => import('./webhook-delay.ts')),
  },
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
if (part && names.length === 1) await report(part, values.sample, () => part.measure(values.sample));
else for (const name of names) measureInProcess(name);

/** A process can have only one scratch cloud. */
function measureInProcess(name: string): void {
  const flags = values.sample ? ['--sample'] : [];
  const { status } = spawnSync(process.execPath, [import.meta.filename, name, ...flags], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
