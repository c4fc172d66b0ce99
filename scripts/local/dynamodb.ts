import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  ListTablesCommand,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { TABLE_FILE } from './data-files.ts';
import { StartError } from './errors.ts';
import { listen } from './http.ts';
import { REGION } from './names.ts';
import type { TablePlan } from './plans/tables.ts';

/** The DynamoDB emulator, or with `DYNAMODB_ENDPOINT` one that runs elsewhere. */
export interface DynamoDb {
  /** The emulator checks no permissions. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** DynamoDB Local keeps separate tables for each access key. */
export const EMULATOR_CREDENTIALS = { accessKeyId: 'billwright', secretAccessKey: 'billwright' } as const;

const RESPAWN_DELAY_MILLISECONDS = 200;
const START_TIMEOUT_MILLISECONDS = 10_000;
const ANSWER_TIMEOUT_MILLISECONDS = 5_000;

export async function startDynamoDb(dataDir: string, externalEndpoint: string | undefined): Promise<DynamoDb> {
  return externalEndpoint ? findDynamoDb(externalEndpoint) : startEmulator(join(dataDir, TABLE_FILE));
}

/** @param file `:memory:` for no file: the data then end with the process */
export async function startEmulator(file: string): Promise<DynamoDb> {
  // `scripts/preflight.js` says how to get one that is not there.
  const binary = createRequire(import.meta.url).resolve(`@dynoxide/${process.platform}-${process.arch}/dynoxide`);
  const host = unguessableHost();
  return supervise(binary, file, host, await freePort());
}

async function findDynamoDb(url: string): Promise<DynamoDb> {
  const endpoint = url.replace(/\/$/, '');
  const client = emulatorClient(endpoint, { maxAttempts: 1 });
  try {
    const abortSignal = AbortSignal.timeout(ANSWER_TIMEOUT_MILLISECONDS);
    await client.send(new ListTablesCommand({ Limit: 1 }), { abortSignal });
  } catch (error) {
    throw new StartError(`No DynamoDB answers at the DYNAMODB_ENDPOINT ${endpoint} (${reasonOf(error)}).`);
  } finally {
    client.destroy();
  }
  return { endpoint, stop: async () => {} };
}

/** The message of a failed connection is empty or has several lines. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.name;
}

export function emulatorClient(
  endpoint: string,
  options: Pick<DynamoDBClientConfig, 'maxAttempts'> = {},
): DynamoDBClient {
  return new DynamoDBClient({ endpoint, region: REGION, credentials: EMULATOR_CREDENTIALS, ...options });
}

/**
 * The emulator takes requests from any web page, and has no password. Among 16 million loopback addresses, times the
 * ports, no page finds it. macOS has only one of these addresses.
 */
function unguessableHost(): string {
  if (process.platform === 'darwin') return '127.0.0.1';
  return ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.');
}

/** Free at every address: the emulator refuses a port that anybody listens on at all of them. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** If the emulator dies by itself, it is started again. */
async function supervise(binary: string, file: string, host: string, port: number): Promise<DynamoDb> {
  let isStopping = false;
  let child = await launch(binary, file, host, port);
  const respawn = async (): Promise<void> => {
    console.error('The DynamoDB emulator has ended, and is started again on the same data.');
    while (!isStopping) {
      await sleep(RESPAWN_DELAY_MILLISECONDS);
      try {
        child = await launch(binary, file, host, port);
        child.once('exit', respawn);
        return;
      } catch {}
    }
  };
  child.once('exit', respawn);
  return {
    endpoint: `http://${host}:${port}`,
    stop: async () => {
      isStopping = true;
      child.off('exit', respawn);
      await end(child);
    },
  };
}

/**
 * The shell ends the emulator when its standard input closes, which the system does however we die, even with `kill
 * -9`. It has a group of its own, because we handle Ctrl-C.
 */
const GUARD = `
  umask 077
  exec 3<&0
  "$0" "$@" 3<&- &
  emulator=$!
  { cat <&3 >/dev/null; kill "$emulator" 2>/dev/null; } &
  wait "$emulator"
`;

async function launch(binary: string, file: string, host: string, port: number): Promise<ChildProcess> {
  const child = spawn('sh', ['-c', GUARD, binary, '--host', host, '--port', String(port), '--db-path', file], {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  child.stdin.on('error', () => {});
  child.once('exit', () => child.stdin.destroy());
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => fail('it did not answer in time'), START_TIMEOUT_MILLISECONDS);
    const fail = (reason: string) => {
      clearTimeout(timer);
      child.stdin.destroy();
      reject(new StartError(`The DynamoDB emulator did not start: ${output.trim() || reason}`));
    };
    const read = (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-1_000);
      if (!/listening/i.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code) => fail(`it ended with code ${code}`));
  });
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.destroy();
  await ended;
}

export async function ensureTables(endpoint: string, tables: readonly TablePlan[]): Promise<void> {
  const client = emulatorClient(endpoint);
  try {
    for (const table of tables) await ensureTable(client, table);
  } finally {
    client.destroy();
  }
}

async function ensureTable(client: DynamoDBClient, table: TablePlan): Promise<void> {
  const existing = await describe(client, table.name);
  if (existing) await addMissingIndexes(client, table, existing);
  else await createTable(client, table);
}

async function describe(client: DynamoDBClient, name: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function createTable(client: DynamoDBClient, table: TablePlan): Promise<void> {
  const indexes = table.GlobalSecondaryIndexes;
  await client.send(
    new CreateTableCommand({
      TableName: table.name,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: table.KeySchema,
      AttributeDefinitions: table.AttributeDefinitions,
      ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
    }),
  );
  await waitUntilTableExists({ client, maxWaitTime: 30, minDelay: 1 }, { TableName: table.name });
  const { AttributeName, Enabled } = table.TimeToLiveSpecification ?? {};
  if (!Enabled) return;
  const TimeToLiveSpecification = { AttributeName, Enabled };
  await client.send(new UpdateTimeToLiveCommand({ TableName: table.name, TimeToLiveSpecification }));
}

/** Adds one index at a time: DynamoDB takes no more in one update. */
async function addMissingIndexes(client: DynamoDBClient, table: TablePlan, existing: TableDescription): Promise<void> {
  const present = new Set(existing.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName));
  for (const index of table.GlobalSecondaryIndexes.filter(({ IndexName }) => !present.has(IndexName))) {
    await client.send(
      new UpdateTableCommand({
        TableName: table.name,
        AttributeDefinitions: table.AttributeDefinitions,
        GlobalSecondaryIndexUpdates: [{ Create: index }],
      }),
    );
  }
}
