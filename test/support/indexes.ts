import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { database, TABLE_NAME } from '#shared/data/client.ts';
import { type Item, readCollection } from '#shared/data/collection.ts';
import { listDueConnections } from '#shared/data/remote-connection.ts';
import { clientPartition, connectionDueKey, invoicePartition } from '#shared/data/table.ts';
import { tableDefinition } from '#shared/data/table-definition.ts';

/** Indexes are behind the table by a moment. Whoever expects to find there what it has just written waits here first. */
export const indexed = {
  clients: (organizationId: string): Promise<void> => rowsOf(clientPartition(organizationId)),
  invoices: (organizationId: string): Promise<void> => rowsOf(invoicePartition(organizationId)),
  /** Of a table that nobody else has. */
  dueConnections: (): Promise<void> => untilEqual(dueInTable, dueInIndex),
};

/** Waits until each index shows the rows of a partition as they are in the table. */
async function rowsOf(partition: string): Promise<void> {
  for (const { name, partitionKey } of tableDefinition.indexes) {
    const attributes = ['sk', 'version', partitionKey];
    const read = async (index?: string) => {
      const rows = await readCollection({ partition, index, attributes });
      return rows.filter((row) => row[partitionKey] === partition).map(({ sk, version }) => `${sk} ${version}`);
    };
    await untilEqual(read, () => read(name));
  }
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
const PAUSE_MILLISECONDS = 100;

async function untilEqual(readTable: () => Promise<string[]>, readIndex: () => Promise<string[]>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MILLISECONDS;
  const isEqual = async () => isDeepStrictEqual(new Set(await readTable()), new Set(await readIndex()));
  while (!(await isEqual())) {
    if (Date.now() > deadline) throw new Error('The index does not catch up with the table.');
    await sleep(PAUSE_MILLISECONDS);
  }
}
