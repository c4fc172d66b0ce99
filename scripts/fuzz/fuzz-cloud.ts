import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { ensureSynthesized } from '#scripts/synth.ts';
import { startProvider } from '#test/support/provider.ts';

/** Three of each function. */
const MAXIMUM_INSTANCES = 150;

/** Runs something on a local cloud of its own with a provider of its own, which the vocabulary of the tests then works on, and clears them away. */
export async function onFuzzCloud(run: (cloud: Cloud) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'billwright-fuzz-'));
  const assembly = await ensureSynthesized();
  const provider = await startProvider();
  const parameters = { RemoteApiUrl: provider.url };
  const cloud = await bootCloud({
    assembly,
    dataDir,
    port: 0,
    parameters,
    schedules: false,
    maximumRedeliverySeconds: 0,
    maximumInstances: MAXIMUM_INSTANCES,
  });
  Object.assign(process.env, cloud.operatorEnvironment, { API_URL: cloud.url, REMOTE_API_URL: provider.url });
  try {
    await run(cloud);
  } finally {
    await cloud.stop();
    await provider.stop();
    await rm(dataDir, { recursive: true });
  }
}
