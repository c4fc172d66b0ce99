import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDB } from '@aws-sdk/client-dynamodb';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Cloud } from '#scripts/local/cloud.ts';
import { REGION } from '#scripts/local/names.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';
import { bootQuietCloud } from '#test/support/test-cloud.ts';

/** What somebody could do who runs code of their own in the function `create-product`, with its role. */

const FUNCTION = 'billwright-create-product';

const dataDir = await folderOfFile();
let cloud: Cloud;
let database: DynamoDB;

beforeAll(async () => {
  cloud = await bootQuietCloud(dataDir, inject('remoteApiUrl'));
  const installed = (await readdir(join(dataDir, 'code'))).find((folder) => folder.startsWith('create-product-'));
  await build({
    entryPoints: [join(import.meta.dirname, '../support/fixture-app/handlers/call.ts')],
    outfile: join(dataDir, 'code', installed ?? '', 'index.js'),
    bundle: true,
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
  const { awsEndpoint: endpoint, adminCredentials: credentials } = cloud;
  database = new DynamoDB({ endpoint, region: REGION, credentials });
});

afterAll(() => cloud?.stop());

const organization = randomUUID();
const product = `ORG#${organization}#PRODUCT`;
const apiKey = `KEY#${'0a'.repeat(32)}`;
const table = () => ({ TableName: cloud.tableName });
const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'KEY' } });

/** `undefined` if the call was allowed, or the name of the error. */
async function attempt(operation: string, input: object): Promise<string | undefined> {
  const { payload } = await cloud.invoke(FUNCTION, { operation: `dynamodb.${operation}`, input });
  return JSON.parse(payload).error;
}

const put = (pk: string) => ({ ...table(), Item: key(pk) });

describe('the role of createProduct', () => {
  it('puts what belongs to a product', async () => {
    expect(await attempt('putItem', put(product))).toBeUndefined();
    expect(await attempt('transactWriteItems', { TransactItems: [{ Put: put(product) }] })).toBeUndefined();
  });

  it.each([apiKey, `ORG#${organization}`, `ORG#short#PRODUCT`])('puts nothing else: %s', async (pk) => {
    const deniedCalls = await Promise.all([
      attempt('putItem', put(pk)),
      attempt('deleteItem', { ...table(), Key: key(pk) }),
      attempt('transactWriteItems', { TransactItems: [{ Put: put(product) }, { Put: put(pk) }] }),
      attempt('batchWriteItem', { RequestItems: { [cloud.tableName]: [{ PutRequest: { Item: key(pk) } }] } }),
    ]);
    expect(deniedCalls).toEqual(Array(4).fill('AccessDeniedException'));
    expect(await database.getItem({ ...table(), Key: key(pk), ConsistentRead: true })).not.toHaveProperty('Item');
  });

  it('takes tokens of a key, and changes nothing else of it', async () => {
    const update = (UpdateExpression: string, more: object = {}) =>
      attempt('updateItem', {
        ...table(),
        Key: key(apiKey),
        UpdateExpression,
        ExpressionAttributeValues: { ':value': { N: '1' } },
        ...more,
      });
    expect(await update('SET fullAt = :value')).toBeUndefined();
    const refusals = await Promise.all([
      update('SET scopes = :value'),
      update('SET fullAt = :value, organizationId = :value'),
      update('SET #a = :value', { ExpressionAttributeNames: { '#a': 'rateLimit' } }),
      update('ADD userId :value'),
      update('SET fullAt = :value REMOVE expiresAt'),
    ]);
    expect(refusals).toEqual(Array(5).fill('AccessDeniedException'));
    const { Item } = await database.getItem({ ...table(), Key: key(apiKey), ConsistentRead: true });
    expect(Object.keys(Item ?? {}).toSorted()).toEqual(['fullAt', 'pk', 'sk']);
  });
});
