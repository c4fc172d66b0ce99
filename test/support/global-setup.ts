import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Hosting } from './api.ts';
import { startProvider } from './provider.ts';
import { bootTestCloud } from './test-cloud.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the local cloud's API. */
    baseUrl: string;
    /** With these, the functions of a test's process act as those of the local cloud. */
    hosting: Hosting;
    /** The environment that lets a test use the data modules as an operator would. */
    operatorEnvironment: Record<string, string>;
    /** The data folder of the local cloud. */
    dataDir: string;
    /** The file of all that the functions have written: a JSON object in each line. */
    functionLog: string;
    /** The address of the remote provider that all local clouds use. */
    remoteApiUrl: string;
  }
}

/**
 * One local cloud, booted from the synthesized stacks, for all tests of a run that ask one. Each test works in
 * organizations of its own. The first project of the run boots it, and provides it to all.
 */
export default async function setup({ vitest }: TestProject): Promise<undefined | (() => Promise<void>)> {
  const run = vitest.getRootProject();
  if ('baseUrl' in run.getProvidedContext()) return undefined;
  const dataDir = await mkdtemp(join(tmpdir(), 'billwright-test-'));
  // The processes of a run load the same modules again and again. Here they find what another process has compiled.
  process.env.NODE_COMPILE_CACHE = join(dataDir, 'compiled');
  const provider = await startProvider();
  const cloud = await bootTestCloud(dataDir, provider.url);
  const functionLog = join(dataDir, 'functions.log');
  const log = createWriteStream(functionLog);
  cloud.logs.subscribe((line) => log.write(`${JSON.stringify(line)}\n`));
  run.provide('baseUrl', cloud.url);
  run.provide('hosting', { api: cloud.api, identities: cloud.identities, url: cloud.url });
  run.provide('operatorEnvironment', cloud.operatorEnvironment);
  run.provide('dataDir', dataDir);
  run.provide('functionLog', functionLog);
  run.provide('remoteApiUrl', provider.url);
  return async () => {
    await cloud.stop();
    await provider.stop();
    log.end();
    await once(log, 'close');
    await rm(dataDir, { recursive: true, maxRetries: 5 });
  };
}
