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

interface Search {
  readonly count: number;
  readonly run: (cloud: Cloud, count: number, seed: number) => Promise<Figures>;
}

/** The data modules read the environment of the cloud when they are loaded, hence the late imports. */
const SEARCHES: Readonly<Record<string, Search>> = {
  isolation: {
    count: 1_500,
    run: async (_cloud, count, seed) => (await import('./isolation.ts')).searchIsolation(count, seed),
  },
  contract: {
    count: 2_000,
    run: async (_cloud, count, seed) => (await import('./contract.ts')).searchContract(count, seed),
  },
  reads: {
    count: 1_250,
    run: async (_cloud, count, seed) => (await import('./reads.ts')).searchReads(count, seed),
  },
  faults: {
    count: 600,
    run: async (cloud, count, seed) => (await import('./faults.ts')).searchFaults(cloud, count, seed),
  },
  billing: {
    count: 6,
    run: async (cloud, count, seed) => (await import('./rounds.ts')).searchBilling(cloud, count, seed),
  },
  comebacks: {
    count: 6,
    run: async (cloud, count, seed) => (await import('./rounds.ts')).searchComebacks(cloud, count, seed),
  },
  closing: {
    count: 12,
    run: async (_cloud, count, seed) => (await import('./closing.ts')).searchClosing(count, seed),
  },
  mirror: {
    count: 10,
    run: async (cloud, count, seed) => (await import('./mirror.ts')).searchMirror(cloud, count, seed),
  },
  syncs: {
    count: 12,
    run: async (cloud, count, seed) => (await import('./syncs.ts')).searchSyncs(cloud, count, seed),
  },
  costs: {
    count: 2_000,
    run: async (cloud, count, seed) => (await import('./costs.ts')).searchCosts(cloud, count, seed),
  },
  deletion: {
    count: 3_000,
    run: async (cloud, count, seed) => (await import('./deletion.ts')).searchDeletion(cloud, count, seed),
  },
  properties: {
    count: 8,
    run: async (_cloud, count, seed) => (await import('./properties.ts')).searchProperties(count, seed),
  },
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
    const figures = await search.run(cloud, count ?? search.count, seed);
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
