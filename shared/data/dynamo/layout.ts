import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { layoutKey } from './keys.ts';

/**
 * The layout of the table: which items there are, how their keys are spelled, and what their attributes mean. The table
 * says which layout it has, from before its first organization on. A version of the service that needs another layout
 * refuses every call to the table (`layout-check.ts`); otherwise it would count wrong without a word.
 *
 * A change of the layout raises this number. Once there are data to keep, it also needs a migration: `infra/RUNBOOK.md`
 * says how to build one.
 */
export const LAYOUT = 6;

const layoutItem = v.object({ layout: v.number() });

/** @returns undefined for a new table */
export async function readLayout(connection: DynamoDBDocumentClient, TableName: string): Promise<number | undefined> {
  const { Item } = await connection.send(new GetCommand({ TableName, Key: layoutKey, ConsistentRead: true }));
  return Item && v.parse(layoutItem, Item).layout;
}

/** The write that a new table begins with. */
export const layoutPut = (TableName: string) => ({ TableName, Item: { ...layoutKey, layout: LAYOUT } });

/** What an operator needs to know about a table of another layout. */
export function otherLayout(table: string, layout: number): string {
  const state = `The table ${table} has layout ${layout}, and this version of the service needs layout ${LAYOUT}`;
  return `${state}: on your own machine start with another or an empty DATA_DIR, in the cloud deploy the version that wrote the table.`;
}
