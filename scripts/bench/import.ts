import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { Cloud } from '#scripts/local/cloud.ts';
import { confirmRemoteSync } from '#shared/contract/remote/imports.ts';
import { type Caller, makeCaller } from './caller.ts';

/** Compares an import of 10,000 rows through HTTP with the same rows written straight to the same database. */
export interface ImportSpeed {
  readonly rows: number;
  /** From sending the request until everything is imported. */
  readonly importSeconds: number;
  /** The time of the fastest of the loops that were tried. */
  readonly rawSeconds: number;
  /** How many transactions the fastest loop had under way at once. */
  readonly rawAtOnce: number;
}

const ROWS = 10_000;
const DAYS = 30;
const PROJECTS = 10;
const MILLISECONDS_PER_DAY = 86_400_000;

const complete = v.object({ data: v.object({ status: v.literal('imported'), importedCount: v.literal(ROWS) }) });

/** Measures several rounds, both ways in each round: other load on the machine then meets both. */
export async function measureImport(cloud: Cloud, rounds: number): Promise<ImportSpeed[]> {
  const speeds: ImportSpeed[] = [];
  for (let round = 0; round < rounds; round++) speeds.push(await measureRound(cloud));
  return speeds;
}

async function measureRound(cloud: Cloud): Promise<ImportSpeed> {
  const importSeconds = await importAll(cloud, await makeImporter(cloud));
  const loops = [];
  for (const atOnce of [1, 2, 4]) loops.push({ atOnce, seconds: await writeStraight(cloud, atOnce) });
  const [fastest] = loops.sort((one, other) => one.seconds - other.seconds);
  if (!fastest) throw new Error('No loop ran.');
  return { rows: ROWS, importSeconds, rawSeconds: fastest.seconds, rawAtOnce: fastest.atOnce };
}

/** @returns the seconds from sending the request until everything is imported */
export async function importAll(cloud: Cloud, importer: Importer): Promise<number> {
  const { apiKey, projects } = importer;
  const startedAt = performance.now();
  const response = await fetch(cloud.url + confirmRemoteSync.path, {
    method: confirmRemoteSync.method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: gzipSync(JSON.stringify({ rows: importRows(), projectMapping: Object.fromEntries(projects) })),
  });
  const body = response.status === 202 ? await outcomeOf(importer) : await response.json();
  if (!v.is(complete, body)) throw new Error(`The import answered ${response.status}.`);
  return (performance.now() - startedAt) / 1_000;
}

/** On a busy machine the answer may come before the import ends. */
async function outcomeOf(by: Caller): Promise<unknown> {
  for (;;) {
    const { body } = await by.call('listRemoteSyncHistory', { query: { limit: '1' } });
    const [job] = body.data;
    if (job.status !== 'processing') return { data: job };
    await sleep(POLL_MILLISECONDS);
  }
}

const POLL_MILLISECONDS = 100;

type Importer = Awaited<ReturnType<typeof makeImporter>>;

/** Rows like the months of work of a small team. */
export function importRows() {
  return Array.from({ length: ROWS }, (_, i) => ({
    date: new Date(Date.parse('2026-11-01') + (i % DAYS) * MILLISECONDS_PER_DAY).toISOString().slice(0, 10),
    durationMinutes: 15 + (i % 480),
    description: `Work on ticket ${i}, with notes about it`,
    project: `Project ${i % PROJECTS}`,
    client: null,
    user: 'Ada Byron',
    externalId: String(600_000_000 + i),
    billable: i % 10 > 0,
    rate: 95.5,
    currency: 'USD',
  }));
}

/** Makes an organization with projects for the rows, and with a connection: without one nothing is imported. */
export async function makeImporter(cloud: Cloud) {
  const { saveCredential } = await import('#shared/data/remote/connection.ts');
  const by = await makeCaller(cloud, { entries: 0, days: 1, projects: PROJECTS, until: '2026-01-01' });
  const { organizationId, userId } = by;
  await saveCredential({
    organizationId,
    userId,
    currency: 'USD',
    accountId: 'account',
    accountName: 'Benchmark',
    visibility: 'all',
    encryptedToken: 'none: nobody asks the provider',
  });
  return { ...by, projects: new Map(by.projectIds.map((id, i) => [`Project ${i}`, id])) };
}

/**
 * Writes what every importer has to write: the entries with their ledger and project totals, in as few transactions
 * as possible. Everything is computed before the clock starts.
 */
async function writeStraight(cloud: Cloud, atOnce: number): Promise<number> {
  const { organizationId, userId, projects } = await makeImporter(cloud);
  const { writesOf } = await import('./raw-writes.ts');
  const rows = importRows().map((row) => ({ ...row, rate: String(row.rate) }));
  const transactions = await writesOf({ organizationId, userId, rows, projects });
  const { TransactWriteItemsCommand } = await import('@aws-sdk/client-dynamodb');
  const { database } = await import('#shared/data/dynamo/database.ts');
  const startedAt = performance.now();
  const queue = transactions.map((TransactItems) => new TransactWriteItemsCommand({ TransactItems })).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const command of queue) await database.send(command);
    }),
  );
  return (performance.now() - startedAt) / 1_000;
}
