import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { Problem } from '#shared/domain/problems.ts';
import { parseEnv, setting } from '#shared/runtime/env.ts';
import { logger } from '#shared/runtime/logger.ts';
import { layoutKey } from './table.ts';

/**
 * The layout of the table: which items there are, how their keys are spelled, and what their attributes mean. The table says which one it has. A
 * version of the service that needs another one refuses every call to the table: it would count wrong without a word.
 *
 * Whoever changes the layout counts it up, and teaches the migration the way (`scripts/migrate.ts`).
 */
export const LAYOUT = 2;

const { TABLE_NAME } = parseEnv({ TABLE_NAME: setting });

/** A connection of its own, since the other one waits for what is asked here (`client.ts`). */
const connection = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 4 }));

const layoutItem = v.object({ layout: v.number() });

/** @returns undefined where nobody has said it: of a new table, and of one that is older than layouts are */
export async function findLayout(): Promise<number | undefined> {
  const { Item } = await connection.send(
    new GetCommand({ TableName: TABLE_NAME, Key: layoutKey, ConsistentRead: true }),
  );
  return Item && v.parse(layoutItem, Item).layout;
}

export async function writeLayout(layout: number): Promise<void> {
  await connection.send(new PutCommand({ TableName: TABLE_NAME, Item: { ...layoutKey, layout } }));
}

let checked: Promise<void> | undefined;

/**
 * Asked before every call to the table, and answered by one read in the life of a running function.
 *
 * @throws Problem `temporarily_unavailable` when the table has another layout
 */
export function layoutChecked(): Promise<void> {
  checked ??= check().catch((error: unknown) => {
    checked = undefined;
    throw error;
  });
  return checked;
}

/** For a migration, which works on other layouts. */
export function acceptAnyLayout(): void {
  checked = Promise.resolve();
}

async function check(): Promise<void> {
  const layout = await findLayout();
  if (layout === undefined || layout === LAYOUT) return;
  logger.error(`The table ${TABLE_NAME} has layout ${layout}, and this version of the service needs layout ${LAYOUT}.`);
  throw new Problem('temporarily_unavailable', {
    detail: 'The service is being updated.',
    headers: { 'Retry-After': '60' },
  });
}
