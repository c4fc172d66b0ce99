import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemoProvider } from '#scripts/demo/demo-provider.ts';
import { startIssuer } from '#scripts/demo/issuer.ts';
import { type BootOptions, bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { ensureSynthesized } from '#scripts/synth.ts';

/**
 * The data modules of this process work on the cloud too. They read the environment when they are loaded: load them in
 * `measure`.
 */
export async function onScratchCloud<T>(
  measure: (cloud: Cloud) => Promise<T>,
  options: Partial<BootOptions> = {},
): Promise<T> {
  const assembly = await ensureSynthesized();
  const dataDir = await mkdtemp(join(tmpdir(), 'billwright-bench-'));
  const provider = await startDemoProvider();
  const parameters = { RemoteApiUrl: provider.url };
  const cloud = await bootCloud({
    assembly,
    dataDir,
    port: 0,
    parameters,
    schedules: false,
    startIssuer,
    ...options,
  });
  Object.assign(process.env, cloud.operatorEnvironment, { ISSUER_DIR: dataDir });
  try {
    return await measure(cloud);
  } finally {
    await cloud.stop();
    await provider.stop();
    await rm(dataDir, { recursive: true });
  }
}
