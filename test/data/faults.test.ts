import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { database } from '#shared/data/client.ts';
import { leaseTokens } from '#shared/data/keys.ts';
import { changeProduct, getProduct, insertProduct, listProducts } from '#shared/data/products.ts';
import { ConditionFailed, transact } from '#shared/data/transaction.ts';
import { newProduct } from '#shared/domain/product.ts';

/** Faults that an emulator cannot make. */

const metadata = { $metadata: {}, message: 'made for a test' };
const organizationId = '01900000-0000-7000-8000-000000000001';
const owner = { organizationId, userId: '01900000-0000-7000-8000-000000000002', currency: 'USD' };
const draft = { name: 'Consulting', description: '', sku: null, category: null, price: '1', unit: '', taxRate: null };
const product = newProduct(draft, owner, '01900000-0000-7000-8000-000000000003', new Date(0));

const canceled = (...codes: string[]) =>
  new TransactionCanceledException({ ...metadata, CancellationReasons: codes.map((Code) => ({ Code })) });

const dynamo = mockClient(database);

beforeEach(() => dynamo.reset());
afterEach(() => dynamo.reset());

describe('transactions', () => {
  it('are retried when they conflict with another, until they succeed', async () => {
    dynamo
      .on(TransactWriteCommand)
      .rejectsOnce(canceled('None', 'TransactionConflict'))
      .rejectsOnce(canceled('ThrottlingError', 'None'))
      .resolves({});
    await insertProduct(product);
    expect(dynamo.commandCalls(TransactWriteCommand)).toHaveLength(3);
  });

  it('are not retried when a condition fails, even beside a conflict', async () => {
    dynamo.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'TransactionConflict'));
    await expect(transact([])).rejects.toThrow(ConditionFailed);
    expect(dynamo.commandCalls(TransactWriteCommand)).toHaveLength(1);
  });

  it('end in a problem that says when to come back when the conflicts do not end', async () => {
    dynamo.on(TransactWriteCommand).rejects(canceled('TransactionConflict'));
    await expect(transact([])).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      details: { headers: { 'Retry-After': '1' } },
    });
  });
});

describe('reads', () => {
  it('refuse to hand out an item that is not what it should be', async () => {
    dynamo.on(GetCommand).resolves({ Item: { ...product, price: 19.9, version: 1 } });
    await expect(getProduct(organizationId, product.id)).rejects.toThrow();
  });
});

describe('collections', () => {
  it('are read to the end when DynamoDB hands them out in parts', async () => {
    dynamo.on(GetCommand).resolves({ Item: { all: 2, active: 2 } });
    dynamo
      .on(QueryCommand)
      .resolvesOnce({ Items: [], LastEvaluatedKey: { pk: 'a', sk: 'b' } })
      .resolvesOnce({ Items: [product], LastEvaluatedKey: { pk: 'a', sk: 'c' } })
      .resolves({ Items: [product] });
    const page = await listProducts({ organizationId, includeInactive: true, limit: 2, offset: 0 });
    expect(page.items).toHaveLength(2);
    expect(dynamo.commandCalls(QueryCommand)).toHaveLength(3);
    expect(dynamo.commandCalls(QueryCommand)[2]?.args[0].input.ExclusiveStartKey).toEqual({ pk: 'a', sk: 'c' });
    expect(dynamo.commandCalls(BatchGetCommand)).toHaveLength(0);
  });
});

describe('concurrent changes', () => {
  it('start again from what the other one left', async () => {
    dynamo.on(PutCommand).rejectsOnce(new ConditionalCheckFailedException(metadata)).resolves({});
    dynamo.on(GetCommand).resolves({ Item: { ...product, sku: 'theirs', version: 2 } });
    const changed = await changeProduct({ ...product, version: 1 }, (current) => ({ ...current, name: 'Ours' }));
    expect(changed).toMatchObject({ name: 'Ours', sku: 'theirs' });
    expect(dynamo.commandCalls(PutCommand)[1]?.args[0].input).toMatchObject({
      ExpressionAttributeValues: { ':version': 2 },
      Item: { version: 3 },
    });
  });

  it('end in a 404 when the other one deleted it', async () => {
    dynamo.on(PutCommand).rejects(new ConditionalCheckFailedException(metadata));
    dynamo.on(GetCommand).resolves({});
    const change = changeProduct({ ...product, version: 1 }, (current) => ({ ...current, name: 'Ours' }));
    await expect(change).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('leases of tokens', () => {
  const now = 1_790_000_000_000_000;
  const record = { id: 'k', organizationId, userId: 'u', scopes: [], currency: 'USD', rateLimit: 600, expiresAt: null };
  const refused = (fullAt: number) =>
    new ConditionalCheckFailedException({
      ...metadata,
      Item: {
        id: { S: 'k' },
        organizationId: { S: organizationId },
        userId: { S: 'u' },
        scopes: { L: [] },
        currency: { S: 'USD' },
        rateLimit: { N: '600' },
        expiresAt: { NULL: true },
        fullAt: { N: String(fullAt) },
      },
    });

  it('take fewer tokens when the bucket holds fewer', async () => {
    dynamo
      .on(UpdateCommand)
      .rejectsOnce(refused(now + 60_000_000 - 350_000))
      .resolves({ Attributes: { ...record, fullAt: now + 59_950_000 } });
    const known = { ...record, scopes: [], fullAt: now - 1 };
    expect(await leaseTokens('hash', 60, now, known)).toMatchObject({ kind: 'granted', tokens: 3 });
  });

  it('take none from an empty bucket', async () => {
    dynamo.on(UpdateCommand).rejects(refused(now + 60_000_000));
    expect(await leaseTokens('hash', 1, now)).toMatchObject({ kind: 'exhausted' });
  });

  it('give up after a bounded number of lost races', async () => {
    dynamo.on(UpdateCommand).rejects(refused(now + 1));
    expect(await leaseTokens('hash', 1, now)).toMatchObject({ kind: 'exhausted' });
    expect(dynamo.commandCalls(UpdateCommand).length).toBeLessThanOrEqual(8);
  });

  it('know no key that is not there', async () => {
    dynamo.on(UpdateCommand).rejects(new ConditionalCheckFailedException(metadata));
    expect(await leaseTokens('hash', 1, now)).toEqual({ kind: 'unknown_key' });
  });
});
