import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BatchWriteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Cloud } from '#scripts/local/cloud.ts';
import { emulatorClient } from '#scripts/local/dynamodb.ts';
import { kindOf } from '#shared/data/dynamo/keys.ts';
import { layoutPut } from '#shared/data/dynamo/layout.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import type { Json } from './client.ts';

/**
 * A table as the last version of layout 1 has left it. Two organizations have entries of several years, clients,
 * projects and currencies: of a timer, imported, and on an invoice. The links of one client are all removed. Of
 * another client, and of a project, some links are left.
 */

const GOLDEN = join(import.meta.dirname, '../golden/layout-1.json');

export function layout1Items(): Json[] {
  return JSON.parse(readFileSync(GOLDEN, 'utf8'), (_, value) =>
    typeof value?.base64 === 'string' ? Buffer.from(value.base64, 'base64') : value,
  );
}

/** The items without the ledger by year, as they were before it existed. */
export const withoutYears = (items: readonly Json[]): Json[] => items.filter(({ pk }) => kindOf(pk) !== 'LEDGER_YEAR');

/** The entries of an organization, as layout 1 has them. */
export function entriesOf(items: readonly Json[], organizationId: string): StoredEntry[] {
  const own = items.filter((item) => kindOf(item.pk) === 'ENTRY' && item.organizationId === organizationId);
  return own.map(({ pk, sk, cellPk, cellSk, foldedDescription, foldedLabel, ...entry }) => entry);
}

/** DynamoDB's own limit. */
const MAX_WRITES = 25;

/** A table that the data modules do not know of. */
export function tableOf({ dynamoEndpoint, tableName }: Pick<Cloud, 'dynamoEndpoint' | 'tableName'>) {
  const raw = DynamoDBDocumentClient.from(emulatorClient(dynamoEndpoint));
  const write = async (requests: Json[]) => {
    for (let start = 0; start < requests.length; start += MAX_WRITES) {
      const batch = requests.slice(start, start + MAX_WRITES);
      await raw.send(new BatchWriteCommand({ RequestItems: { [tableName]: batch } }));
    }
  };
  const dump = async (): Promise<Json[]> => {
    const { Items = [] } = await raw.send(new ScanCommand({ TableName: tableName, ConsistentRead: true }));
    return Items.sort((a, b) => (`${a.pk} ${a.sk}` < `${b.pk} ${b.sk}` ? -1 : 1));
  };
  return {
    dump,
    layout: async () => (await dump()).find(({ pk }) => pk === 'LAYOUT')?.layout,
    /** Makes the table hold these items and no others. */
    fill: async (items: readonly Json[]) => {
      await write((await dump()).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })));
      await write(items.map((Item) => ({ PutRequest: { Item } })));
    },
    sayLayout: (layout: number) => raw.send(new PutCommand(layoutPut(tableName, layout))),
  };
}
