import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BootOptions, bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { startDemoProvider } from '#scripts/local/demo-provider.ts';
import { ensureSynthesized } from '#scripts/synth.ts';

/**
 * Runs measurements on a local cloud of their own with data of its own, and removes both at the end. The data
 * modules of this process work on that cloud too. They read the environment when they are loaded, so a process can
 * have only one such cloud.
 */
export async function onScratchCloud<T>(
  measure: (cloud: Cloud) => Promise<T>,
  options: Partial<BootOptions> = {},
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'billwright-bench-'));
  const provider = await startDemoProvider();
  const parameters = { RemoteApiUrl: provider.url };
  const cloud = await bootCloud({
    assembly: await ensureSynthesized(),
    dataDir,
    port: 0,
    parameters,
    schedules: false,
    ...options,
  });
  Object.assign(process.env, cloud.operatorEnvironment);
  try {
    return await measure(cloud);
  } finally {
    await cloud.stop();
    await provider.stop();
    await rm(dataDir, { recursive: true });
  }
}
