import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { ensureSynthesized } from '#scripts/synth.ts';

/** Runs a measurement on a local cloud of its own, on data of its own, and clears both away. */
export async function onScratchCloud<T>(measure: (cloud: Cloud) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'billwright-bench-'));
  const cloud = await bootCloud({ assembly: await ensureSynthesized(), dataDir, port: 0 });
  try {
    return await measure(cloud);
  } finally {
    await cloud.stop();
    await rm(dataDir, { recursive: true });
  }
}
