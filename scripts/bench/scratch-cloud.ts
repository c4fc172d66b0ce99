import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BootOptions, bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { startDemoProvider } from '#scripts/local/demo-provider.ts';
import { ensureSynthesized } from '#scripts/synth.ts';

/**
 * Runs measurements on a local cloud of their own, on data of its own, and clears both away. The data modules of this process work on it, too:
 * they read the environment when they are loaded, and so a process can have one such cloud only.
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
