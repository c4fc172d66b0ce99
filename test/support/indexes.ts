import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { clientPartition, connectionDueKey, invoicePartition } from '#shared/data/layout/keys.ts';
import { listDueConnections } from '#shared/data/remote/connection.ts';
import { type Item, readCollection } from '#shared/data/table/collection.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { tableDefinition } from '#shared/data/table/table-definition.ts';

/**
 * Indexes lag behind the table by a moment. A test that expects in an index what it has just written
 * waits here first.
 */
export const indexed = {
  clients: (organizationId: string): Promise<void> => rowsOf(clientPartition(organizationId)),
  invoices: (organizationId: string): Promise<void> => rowsOf(invoicePartition(organizationId)),
  /** Only for a table that nobody else uses. */
  dueConnections: (): Promise<void> => until(async () => isSame(await dueInTable(), await dueInIndex())),
};

/** Waits until each index shows the rows of a partition as they are in the table. */
async function rowsOf(partition: string): Promise<void> {
  const attributes = ['sk', 'version', ...tableDefinition.indexes.map(({ partitionKey }) => partitionKey)];
  const namesOf = (rows: readonly Item[]) => rows.map(({ sk, version }) => `${sk} ${version}`);
  const behind = new Set(tableDefinition.indexes);
  await until(async () => {
    const rows = await readCollection({ partition, attributes });
    for (const index of behind) {
      const wanted = rows.filter((row) => row[index.partitionKey] === partition);
      const shown = await readCollection({ partition, index: index.name, attributes: ['sk', 'version'] });
      if (!isSame(namesOf(wanted), namesOf(shown))) return false;
      behind.delete(index);
    }
    return true;
  });
}

async function dueInTable(): Promise<string[]> {
  const items: Item[] = [];
  const scan = { TableName: TABLE_NAME, ConsistentRead: true, FilterExpression: 'attribute_exists(duePk)' };
  for await (const { Items = [] } of paginateScan({ client: database }, scan)) items.push(...Items);
  return items.map(({ dueSk }) => String(dueSk));
}

async function dueInIndex(): Promise<string[]> {
  const due = await listDueConnections(END_OF_TIME);
  return due.map(({ organizationId, dueAt }) => connectionDueKey(organizationId, dueAt).dueSk);
}

const END_OF_TIME = new Date('9999-12-31T23:59:59.999Z');

const PATIENCE_MILLISECONDS = 20_000;
const PAUSE_MILLISECONDS = 200;

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return isDeepStrictEqual(new Set(one), new Set(other));
}

async function until(hasCaughtUp: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MILLISECONDS;
  while (!(await hasCaughtUp())) {
    if (Date.now() > deadline) throw new Error('The index does not catch up with the table.');
    await sleep(PAUSE_MILLISECONDS);
  }
}
