import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import type { Cloud } from '#scripts/local/cloud.ts';
import { onFuzzCloud } from './fuzz-cloud.ts';
import { figuresFile, writeReport } from './report.ts';

/**
 * `npm run fuzz -- [isolation|contract|faults|reads|billing|comebacks|costs]... [--count N] [--seed N] [--past N]`: what a test of some seconds cannot show. Every part prints its
 * figures, with the seed that makes the same requests again, keeps them in `dist/`, and makes the command fail on any violation.
 * `--past N` lets the organization of `faults` have N entries before, 500 a day. `npm run fuzz -- report` puts these figures into `test/TRUST.md`.
 */

interface Figures {
  readonly violations: readonly string[];
}

interface Part {
  readonly count: number;
  readonly run: (cloud: Cloud, count: number, seed: number) => Promise<Figures>;
}

/** The data modules read the environment of the cloud when they are loaded, hence the late imports. */
const PARTS: Readonly<Record<string, Part>> = {
  isolation: {
    count: 100_000,
    run: async (_cloud, count, seed) => (await import('./isolation.ts')).fuzzIsolation(count, seed),
  },
  contract: {
    count: 50_000,
    run: async (_cloud, count, seed) => (await import('./contract.ts')).fuzzContract(count, seed),
  },
  faults: {
    count: 10_000,
    run: async (cloud, count, seed) => (await import('./faults.ts')).compareFaults(cloud, count, seed, past),
  },
  reads: {
    count: 10_000,
    run: async (_cloud, count, seed) => (await import('./reads.ts')).fuzzReads(count, seed),
  },
  billing: {
    count: 200,
    run: async (_cloud, count, seed) => (await import('./billing-rounds.ts')).fuzzBilling(count, seed),
  },
  comebacks: {
    count: 100,
    run: async (_cloud, count, seed) => (await import('./comeback-rounds.ts')).fuzzComebacks(count, seed),
  },
  costs: {
    count: 100_000,
    run: async (cloud, count, seed) => (await import('./costs.ts')).fuzzCosts(cloud, count, seed),
  },
};

const MAX_SEED = 2 ** 31;
const SHOWN_VIOLATIONS = 20;
const SHOWN_CHARACTERS = 1_500;

const REPORT = 'report';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string' }, seed: { type: 'string' }, past: { type: 'string' } },
});
const parts = positionals.length > 0 ? positionals : Object.keys(PARTS);
const seed = whole(values.seed) ?? Math.floor(Math.random() * MAX_SEED);
const count = whole(values.count);
const past = whole(values.past);
const unknown = parts.find((name) => name !== REPORT && !PARTS[name]);
if (unknown) throw new Error(`There is no ${unknown}. There are: ${Object.keys(PARTS).join(', ')}, ${REPORT}.`);

if (parts.includes(REPORT)) await writeReport();
else await onFuzzCloud(runParts);

async function runParts(cloud: Cloud): Promise<void> {
  for (const name of parts) {
    const part = PARTS[name];
    if (part) await report(name, await part.run(cloud, count ?? part.count, seed));
  }
}

/** A search that was told to make no calls would find nothing, and look like one that has passed. */
function whole(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${text} is not a whole number from 1 on.`);
  return Number(text);
}

async function report(name: string, figures: Figures): Promise<void> {
  const file = figuresFile(name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ at: new Date().toISOString(), ...figures }, null, 2)}\n`);
  const { violations, ...counted } = figures;
  console.log(name, JSON.stringify(counted, null, 2));
  console.log(`${violations.length} violations`);
  for (const violation of violations.slice(0, SHOWN_VIOLATIONS)) console.error(violation.slice(0, SHOWN_CHARACTERS));
  if (violations.length > 0) process.exitCode = 1;
}
