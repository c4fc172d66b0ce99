import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { acceptsLayout } from '#shared/data/layout/keys.ts';
import { layoutPut, otherLayout, readLayout } from '#shared/data/table/layout.ts';
import { emulatorClient } from './dynamodb.ts';
import { StartError } from './errors.ts';

/** The layout of the table on this machine. New data get the present layout, and data of another one are left alone. */

/** @throws StartError if an older or a newer version has written the table */
export async function refuseOtherLayout(endpoint: string, table: string): Promise<void> {
  const layout = await withDatabase(endpoint, (database) => readLayout(database, table)).catch((error: unknown) => {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  });
  if (!acceptsLayout(layout)) throw new StartError(otherLayout(table, layout));
}

export async function sayLayout(endpoint: string, table: string): Promise<void> {
  await withDatabase(endpoint, (database) => database.send(new PutCommand(layoutPut(table))));
}

async function withDatabase<T>(endpoint: string, use: (database: DynamoDBDocumentClient) => Promise<T>): Promise<T> {
  const client = emulatorClient(endpoint);
  try {
    return await use(DynamoDBDocumentClient.from(client));
  } finally {
    client.destroy();
  }
}
