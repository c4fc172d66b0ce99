import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import type { Call } from '#scripts/local/aws-endpoint.ts';
import type { BootOptions, Cloud } from '#scripts/local/cloud.ts';
import { actIn, useInstances } from './api.ts';
import { temporaryFolder } from './fixture-app/cloud.ts';
import { bootQuietCloud } from './test-cloud.ts';

/**
 * A local cloud of the service for one test file, which may break it. The test can let faults into its calls. No
 * schedule fires by itself.
 */
export interface OwnCloud {
  /** Read it only inside of tests. */
  readonly cloud: Cloud;
  /** Holds every call of a function until it is released. */
  hold(functionName: string): { readonly reached: Promise<void>; readonly release: () => void };
  /** Loses what is sent to queues, until its end or that of the test. */
  loseMessages(): { readonly lost: readonly string[]; readonly end: () => void };
}

interface OwnCloudOptions extends Partial<BootOptions> {
  /** True lets clients call functions in processes of their own. By default they run in the test's process. */
  readonly instances?: boolean;
}

export function useOwnCloud({ instances = false, ...options }: OwnCloudOptions = {}): OwnCloud {
  let dataDir = '';
  let booted: Cloud | undefined;
  const current = () => {
    if (!booted) throw new Error('The cloud has not booted.');
    return booted;
  };
  beforeAll(async () => {
    dataDir = await temporaryFolder();
    booted = await bootQuietCloud(dataDir, inject('remoteApiUrl'), options);
    // From here on the data modules and the client of this file work on this cloud. The SDK reads its
    // environment at its first call.
    Object.assign(process.env, booted.operatorEnvironment, { API_URL: booted.url, ISSUER_DIR: dataDir });
    actIn(booted);
  });
  if (instances) useInstances();
  afterAll(async () => {
    await booted?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return {
    get cloud() {
      return current();
    },
    hold: (functionName) => {
      const reached = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      const end = current().intercept(async (call) => {
        if (!isOf(call, functionName)) return undefined;
        reached.resolve();
        await released.promise;
        return undefined;
      });
      const release = () => {
        end();
        released.resolve();
      };
      return { reached: reached.promise, release };
    },
    loseMessages: () => {
      const lost: string[] = [];
      const end = current().intercept(({ service, requestBody }) => {
        if (service !== 'sqs') return undefined;
        lost.push(requestBody);
        return 'drop';
      });
      onTestFinished(end);
      return { lost, end };
    },
  };
}

/** @param functionName as in the tables, without the prefix of the deployment */
export function isOf(call: Pick<Call, 'functionName'>, functionName: string): boolean {
  return call.functionName?.endsWith(`-${functionName}`) ?? false;
}
