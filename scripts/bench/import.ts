import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_CREDENTIAL } from '#scripts/demo/demo-provider.ts';
import type { Caller } from './caller.ts';

const ROWS = 10_000;
const DAYS = 30;
export const IMPORTED_PROJECTS = 10;
const MILLISECONDS_PER_DAY = 86_400_000;

/** Rows like the months of work of a small team. */
export function importRows() {
  return Array.from({ length: ROWS }, (_, i) => ({
    date: new Date(Date.parse('2026-11-01') + (i % DAYS) * MILLISECONDS_PER_DAY).toISOString().slice(0, 10),
    durationMinutes: 15 + (i % 480),
    description: `Work on ticket ${i}, with notes about it`,
    project: `Project ${i % IMPORTED_PROJECTS}`,
    client: null,
    user: 'Ada Byron',
    externalId: String(600_000_000 + i),
    billable: i % 10 > 0,
    rate: 95.5,
    currency: 'USD',
  }));
}

export async function connect(by: Caller): Promise<void> {
  await by.call('connectRemote', { body: DEMO_CREDENTIAL });
}

interface ConfirmBody {
  readonly rows: readonly object[];
  readonly clientMapping?: Readonly<Record<string, string>>;
  readonly projectMapping?: Readonly<Record<string, string>>;
}

const POLL_MILLISECONDS = 100;

/** The answer may come before the import has ended. @returns its id */
export async function importAll(by: Caller, body: ConfirmBody): Promise<string> {
  await connect(by);
  const { importJobId } = (await by.call('confirmRemoteSync', { body })).body.data;
  for (;;) {
    const [job] = (await by.call('listRemoteSyncHistory', { query: { limit: '1' } })).body.data;
    if (job.status === 'processing') await sleep(POLL_MILLISECONDS);
    else if (job.importedCount === body.rows.length) return importJobId;
    else throw new Error(`${job.importedCount} of ${body.rows.length} rows were imported.`);
  }
}
