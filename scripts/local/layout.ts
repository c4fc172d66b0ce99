import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { LAYOUT, layoutPut, otherLayout, readLayout } from '#shared/data/dynamo/layout.ts';
import { EMULATOR_CREDENTIALS, emulatorClient } from './dynamodb.ts';
import { StartError } from './errors.ts';
import { REGION } from './names.ts';

/**
 * The layout of the table on this machine. New data get the present layout, older data are migrated to it, and
 * newer data are left alone.
 */

/** @throws StartError if a newer version has written the table */
export async function refuseNewerLayout(endpoint: string, table: string): Promise<void> {
  const layout = await withDatabase(endpoint, (database) => readLayout(database, table)).catch((error: unknown) => {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  });
  if (layout !== undefined && layout > LAYOUT) throw new StartError(otherLayout(table, layout));
}

/** @throws StartError if the migration fails */
export async function ensureLayout(endpoint: string, table: string): Promise<void> {
  const layout = await withDatabase(endpoint, async (database) => {
    const found = await readLayout(database, table);
    if (found === undefined) await database.send(new PutCommand(layoutPut(table, LAYOUT)));
    return found ?? LAYOUT;
  });
  if (layout !== LAYOUT) await migrate(endpoint, table);
}

async function withDatabase<T>(endpoint: string, use: (database: DynamoDBDocumentClient) => Promise<T>): Promise<T> {
  const client = emulatorClient(endpoint);
  try {
    return await use(DynamoDBDocumentClient.from(client));
  } finally {
    client.destroy();
  }
}

/**
 * Runs in a process of its own, because the data modules work on the table that the environment of
 * their process names.
 */
async function migrate(endpoint: string, table: string): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'migrate.ts'), '--table', table], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      AWS_ACCESS_KEY_ID: EMULATOR_CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: EMULATOR_CREDENTIALS.secretAccessKey,
      AWS_REGION: REGION,
      AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    },
  });
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0)
    throw new StartError('The data could not be migrated; what was said is above. The next start goes on.');
}
