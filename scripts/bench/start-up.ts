import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootCloud } from '#scripts/local/cloud.ts';
import { ensureSynthesized } from '#scripts/synth.ts';
import { getHealth } from '#shared/contract/meta/meta.ts';

/**
 * Everything is built before the clock starts.
 *
 * @returns the milliseconds that the local cloud takes from an empty data folder to its first answer
 */
export async function measureStartUp(): Promise<number> {
  const assembly = await ensureSynthesized();
  const dataDir = await mkdtemp(join(tmpdir(), 'billwright-bench-'));
  const startedAt = performance.now();
  const cloud = await bootCloud({ assembly, dataDir, port: 0, schedules: false });
  try {
    const response = await fetch(cloud.url + getHealth.path);
    if (!response.ok) throw new Error(`${getHealth.path} answered ${response.status}.`);
    return performance.now() - startedAt;
  } finally {
    await cloud.stop();
    await rm(dataDir, { recursive: true });
  }
}
