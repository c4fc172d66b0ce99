import { setTimeout as sleep } from 'node:timers/promises';
import { workerFunction } from '#infra/functions.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import { beginDeletion } from '#shared/data/organization/deletions.ts';
import { findOrganizationById, readOrganization } from '#shared/data/organization/organizations.ts';
import { deletionOf, QUIET_SECONDS } from '#shared/domain/organization/deletion.ts';
import { queues } from '#shared/queues.ts';
import { newCaller } from './caller.ts';
import { markdownTable } from './markdown.ts';
import { metered } from './meter.ts';
import { PRICES } from './prices.ts';
import { seed } from './seed.ts';

/** What it takes to remove an organization, by the entries that it has. */

const SAMPLE: readonly number[] = [1_000];

const ENTRIES: readonly number[] = [1_000, 10_000, 100_000];

const ENTRIES_A_DAY = 100;
const PROJECTS = 50;
const UNTIL = '2026-01-01';

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  const rows: string[][] = [];
  for (const entries of isSample ? SAMPLE : ENTRIES) rows.push(await rowOf(cloud, entries));
  return [
    `An organization with ${PROJECTS} projects, and ${ENTRIES_A_DAY} entries a day. The worker makes one call after the other, so that others keep the throughput of the table. Seconds are those from its beginning to its end, on this machine.`,
    markdownTable(['entries', 'calls', 'read units', 'write units', 'seconds', '$'], rows),
  ].join('\n\n');
}

async function rowOf(cloud: Cloud, entries: number): Promise<string[]> {
  console.log(`  ${entries} entries`);
  const { organizationId, userId } = await newCaller(cloud);
  const plan = { organizationId, userId, entries, days: entries / ENTRIES_A_DAY, projects: PROJECTS, until: UNTIL };
  await seed(plan);
  const organization = await readOrganization(organizationId);
  await beginDeletion(organization, deletionOf(organization, new Date()), new Date());
  const startedAt = performance.now();
  const { cost } = await metered(cloud, async () => {
    while (await findOrganizationById(organizationId)) {
      // It finds what the worker had no time for.
      await cloud.fireSchedule('deletion-scheduler', new Date(Date.now() + (QUIET_SECONDS + 1) * 1_000));
      await sleep(POLL_MILLISECONDS);
    }
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const counts = [entries, cost.calls, cost.readUnits, cost.writeUnits].map((count) => count.toLocaleString('en'));
  return [...counts, seconds.toFixed(0), dollarsOf({ ...cost, seconds }).toFixed(3)];
}

const POLL_MILLISECONDS = 1_000;

interface Usage {
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly seconds: number;
}

function dollarsOf({ readUnits, writeUnits, seconds }: Usage): number {
  const [queue] = queues.filter(({ name }) => name === 'deletions');
  const gigabytes = queue ? workerFunction(queue).memoryMegabytes / 1_024 : 0;
  const units = (readUnits * PRICES.millionReadUnits + writeUnits * PRICES.millionWriteUnits) / 1_000_000;
  return units + gigabytes * seconds * PRICES.lambdaGigabyteSecond;
}
