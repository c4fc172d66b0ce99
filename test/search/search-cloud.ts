import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cloud } from '#scripts/local/cloud.ts';
import { actIn, callInstances } from '#test/support/api.ts';
import { startProvider } from '#test/support/provider.ts';
import { bootQuietCloud } from '#test/support/test-cloud.ts';

/**
 * Runs something on a local cloud of its own with a provider of its own, which the vocabulary of the tests then works
 * on, and clears them away.
 */
export async function onSearchCloud(run: (cloud: Cloud) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'billwright-search-'));
  const provider = await startProvider();
  const cloud = await bootQuietCloud(dataDir, provider.url);
  const places = { API_URL: cloud.url, ISSUER_DIR: dataDir, REMOTE_API_URL: provider.url };
  Object.assign(process.env, cloud.operatorEnvironment, places);
  actIn(cloud);
  callInstances();
  try {
    await run(cloud);
  } finally {
    await cloud.stop();
    await provider.stop();
    await rm(dataDir, { recursive: true });
  }
}
