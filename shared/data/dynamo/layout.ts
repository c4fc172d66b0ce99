import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { layoutKey, organizationPartition } from './keys.ts';

/**
 * The layout of the table: which items there are, how their keys are spelled, and what their attributes mean. The table
 * says which layout it has. A version of the service that needs another layout refuses every call to the table
 * (`layout-check.ts`); otherwise it would count wrong without a word.
 *
 * A change of the layout raises this number, and teaches the migration how to get there (`old-items.ts`).
 */
export const LAYOUT = 2;

/** The layout of tables that do not name theirs. */
const FIRST_LAYOUT = 1;

const layoutItem = v.object({ layout: v.number() });

/** @returns undefined for a new table, which names no layout and has no organization yet */
export async function readLayout(connection: DynamoDBDocumentClient, TableName: string): Promise<number | undefined> {
  const { Item } = await connection.send(new GetCommand({ TableName, Key: layoutKey, ConsistentRead: true }));
  if (Item) return v.parse(layoutItem, Item).layout;
  const organizations = await connection.send(
    new QueryCommand({
      TableName,
      KeyConditionExpression: 'pk = :partition',
      ExpressionAttributeValues: { ':partition': organizationPartition },
      Select: 'COUNT',
      Limit: 1,
      ConsistentRead: true,
    }),
  );
  return organizations.Count ? FIRST_LAYOUT : undefined;
}

/** @param run the migration that is under way */
export const layoutPut = (TableName: string, layout: number, run?: string) => ({
  TableName,
  Item: { ...layoutKey, layout, ...(run !== undefined && { run }) },
});

/** What an operator needs to know about a table of another layout. */
export function otherLayout(table: string, layout: number): string {
  const remedy =
    layout < LAYOUT
      ? `run "npm run migrate -- --table ${table}"`
      : 'a newer version has written it, and only such a one can go on with it';
  return `The table ${table} has layout ${layout}, and this version of the service needs layout ${LAYOUT}: ${remedy}.`;
}
