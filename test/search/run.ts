import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Cloud } from '#scripts/local/cloud.ts';
import type { Figures } from './findings.ts';
import { onSearchCloud } from './search-cloud.ts';

/**
 * `npm run search -- [NAME]... [--count N] [--seed N]`: looks for faults that a test of some seconds cannot show. Each search prints its figures,
 * keeps them in `dist/`, and makes the command fail on any violation. Without names all searches run, at sizes that take two quiet processors less than half an hour.
 */

type Run = (cloud: Cloud, count: number, seed: number) => Promise<Figures>;

interface Search {
  readonly count: number;
  /** The data modules read the environment of the cloud when they are loaded. */
  readonly load: () => Promise<Run>;
}

const onAnyCloud =
  (search: (count: number, seed: number) => Promise<Figures>): Run =>
  (_cloud, count, seed) =>
    search(count, seed);

const SEARCHES: Readonly<Record<string, Search>> = {
  isolation: { count: 1_500, load: async () => onAnyCloud((await import('./isolation.ts')).searchIsolation) },
  contract: { count: 2_000, load: async () => onAnyCloud((await import('./contract.ts')).searchContract) },
  reads: { count: 1_250, load: async () => onAnyCloud((await import('./reads.ts')).searchReads) },
  faults: { count: 600, load: async () => (await import('./faults.ts')).searchFaults },
  billing: { count: 6, load: async () => (await import('./rounds.ts')).searchBilling },
  comebacks: { count: 6, load: async () => (await import('./rounds.ts')).searchComebacks },
  closing: { count: 12, load: async () => onAnyCloud((await import('./closing.ts')).searchClosing) },
  mirror: { count: 10, load: async () => (await import('./mirror.ts')).searchMirror },
  syncs: { count: 12, load: async () => (await import('./syncs.ts')).searchSyncs },
  costs: { count: 2_000, load: async () => (await import('./costs.ts')).searchCosts },
  deletion: { count: 3_000, load: async () => (await import('./deletion.ts')).searchDeletion },
  properties: { count: 8, load: async () => onAnyCloud((await import('./properties.ts')).searchProperties) },
};

const SEED = 1;
const SHOWN_VIOLATIONS = 20;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, seed: { type: 'string' } },
});
const names = positionals.length > 0 ? positionals : Object.keys(SEARCHES);
const unknown = names.find((name) => !SEARCHES[name]);
if (unknown) throw new Error(`There is no ${unknown}. There are: ${Object.keys(SEARCHES).join(', ')}.`);
const seed = whole(values.seed) ?? SEED;
const count = whole(values.count);

const totals: string[] = [];
await onSearchCloud(async (cloud) => {
  for (const name of names) {
    const startedAt = performance.now();
    const search = SEARCHES[name];
    if (!search) continue;
    const run = await search.load();
    const figures = await run(cloud, count ?? search.count, seed);
    await report(name, figures, (performance.now() - startedAt) / 1_000);
  }
});
console.log(totals.join('\n'));

/** A search that was told to make no calls would find nothing, and look like one that has passed. */
function whole(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${text} is not a whole number from 1 on.`);
  return Number(text);
}

async function report(name: string, { violations, ...figures }: Figures, seconds: number): Promise<void> {
  const counted = { at: new Date().toISOString(), seed, seconds: Math.round(seconds), ...figures };
  const directory = join(import.meta.dirname, '../../dist');
  await mkdir(directory, { recursive: true });
  const file = join(directory, `search-${name}.json`);
  await writeFile(file, `${JSON.stringify({ ...counted, violations }, null, 2)}\n`);
  console.log(name, JSON.stringify(counted, null, 2));
  const total = `${name}: ${violations.length} violations`;
  totals.push(total);
  console.log(total);
  for (const violation of violations.slice(0, SHOWN_VIOLATIONS)) console.error(violation);
  if (violations.length > 0) process.exitCode = 1;
}
