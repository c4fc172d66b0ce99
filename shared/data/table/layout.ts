import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { acceptsLayout, LAYOUT, layoutKey } from '#shared/data/layout/keys.ts';
import { beingUpdated } from '#shared/domain/problems.ts';
import { SharedWork } from '#shared/runtime/deadline.ts';
import { logger } from '#shared/runtime/logger.ts';

const layoutItem = v.object({ layout: v.number() });

/** @returns undefined for a new table */
export async function readLayout(connection: DynamoDBDocumentClient, TableName: string): Promise<number | undefined> {
  const { Item } = await connection.send(new GetCommand({ TableName, Key: layoutKey, ConsistentRead: true }));
  return Item && v.parse(layoutItem, Item).layout;
}

/** Whether a call, given by its input, is the one of `readLayout`. */
export const readsLayout = (input: object): boolean => 'Key' in input && input.Key === layoutKey;

export const layoutPut = (TableName: string) => ({ TableName, Item: { ...layoutKey, layout: LAYOUT } });

export function otherLayout(table: string, layout: number | undefined): string {
  const state = `The table ${table} has layout ${layout}, and this version of the service needs layout ${LAYOUT}`;
  return `${state}: on your own machine start with --fresh or another DATA_DIR, in the cloud deploy the version that wrote the table.`;
}

const checking = new SharedWork<void>();

let isChecked = false;

/** A running function reads the layout only once. */
export async function checkLayout(connection: DynamoDBDocumentClient, table: string): Promise<void> {
  if (isChecked) return;
  await checking.join(() => assertLayout(connection, table));
  isChecked = true;
}

/** For an operator's commands, which check the layout themselves. */
export function acceptAnyLayout(): void {
  isChecked = true;
}

/** @throws Problem `temporarily_unavailable` when the table has another layout */
export async function assertLayout(connection: DynamoDBDocumentClient, table: string): Promise<void> {
  const layout = await readLayout(connection, table);
  if (acceptsLayout(layout)) return;
  logger.error(otherLayout(table, layout));
  throw beingUpdated();
}
