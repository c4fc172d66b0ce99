import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { Cloud } from '#scripts/local/cloud.ts';
import { confirmRemoteSync } from '#shared/contract/remote/imports.ts';
import { type Caller, makeCaller } from './caller.ts';

/** An import of 10,000 rows through HTTP. */

const ROWS = 10_000;
const DAYS = 30;
const PROJECTS = 10;
const MILLISECONDS_PER_DAY = 86_400_000;

const complete = v.object({ data: v.object({ status: v.literal('imported'), importedCount: v.literal(ROWS) }) });

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
