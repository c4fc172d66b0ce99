import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { SQS } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, vi } from 'vitest';
import { type BootOptions, bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { REGION } from '#scripts/local/names.ts';
import { fixtureAssembly } from './assembly.ts';

interface CallOutcome {
  readonly output?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly message?: string;
}

export async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'billwright-local-'));
}

/** A folder for the tests of a file, which goes when they have ended. */
export async function folderOfFile(): Promise<string> {
  const folder = await temporaryFolder();
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export function operatorClients({ awsEndpoint, adminCredentials }: Pick<Cloud, 'awsEndpoint' | 'adminCredentials'>) {
  const options = { endpoint: awsEndpoint, region: REGION, credentials: adminCredentials };
  return { database: new DynamoDB(options), queues: new SQS(options) };
}

/** The fixture's cloud for one test file, and the operator's clients for it. Read its members only inside of tests. */
export function useFixtureCloud(options: Partial<BootOptions> = {}) {
  let dataDir = '';
  let booted: (ReturnType<typeof operatorClients> & { cloud: Cloud }) | undefined;
  const current = () => {
    if (!booted) throw new Error('The fixture has not booted.');
    return booted;
  };
  beforeAll(async () => {
    dataDir = await temporaryFolder();
    const cloud = await bootCloud({
      assembly: await fixtureAssembly(),
      dataDir,
      port: 0,
      schedules: false,
      maximumRedeliverySeconds: 0,
      ...options,
    });
    booted = { cloud, ...operatorClients(cloud) };
  });
  afterAll(async () => {
    await booted?.cloud.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  /** Parses what a function returned. Fails if the function failed. */
  const run = async (functionName: string, event: unknown = {}): Promise<unknown> => {
    const { payload, functionError } = await current().cloud.invoke(functionName, event);
    if (functionError) throw new Error(payload);
    return JSON.parse(payload);
  };
  return {
    get cloud() {
      return current().cloud;
    },
    get database() {
      return current().database;
    },
    get queues() {
      return current().queues;
    },
    run,
    /** Runs one AWS operation with the role of a function: `call('caller', 'dynamodb.getItem', {...})`. */
    call: async (functionName: string, operation: string, input: object) =>
      (await run(functionName, { operation, input })) as CallOutcome,
  };
}

/** Asks again until it gets an answer. Fails if there is none in time. */
export const eventually = <Answer>(ask: () => Promise<Answer | undefined>) => vi.waitUntil(ask, { timeout: 20_000 });
