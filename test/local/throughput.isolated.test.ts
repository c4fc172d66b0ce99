import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDB, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REGION } from '#scripts/local/names.ts';
import { AWS_LIMITS } from '#scripts/local/throughput.ts';
import { useFixtureCloud } from '#test/support/fixture-app/cloud.ts';

const WRITE_UNITS = 10;
const READ_UNITS = 10;

const fixture = useFixtureCloud({
  throughputLimits: { ofKey: { write: WRITE_UNITS, read: READ_UNITS }, ofTable: { write: 10_000, read: 10_000 } },
});

let database: DynamoDB;

/** Refusals are looked at, so they are not retried. */
beforeAll(() => {
  const { awsEndpoint: endpoint, adminCredentials: credentials } = fixture.cloud;
  database = new DynamoDB({ endpoint, region: REGION, credentials, maxAttempts: 1 });
});

afterAll(() => database.destroy());

let partitions = 0;

/** A partition that no other test has. */
const newPartition = () => ({ S: `PARTITION${++partitions}` });
type Partition = ReturnType<typeof newPartition>;

const table = () => ({ TableName: fixture.cloud.tableName });
const item = (pk: Partition, sk: number) => ({ pk, sk: { S: String(sk) } });
const put = (pk: Partition, sk: number, more: object = {}) =>
  database.putItem({ ...table(), Item: { ...item(pk, sk), ...more } });

/** So much at once that nothing more is taken for seconds: 200 units to write, 50 to read. */
const LARGE = { text: { S: 'x'.repeat(200 * 1_000) } };

const overdraw = (pk: Partition) => put(pk, 0, LARGE);
const overdrawReads = (pk: Partition) => database.getItem({ ...table(), Key: item(pk, 0), ConsistentRead: true });

/** Writes to a partition until it takes no more. @returns how many writes it took */
async function exhaust(write: (sk: number) => Promise<unknown>): Promise<number> {
  for (let sk = 0; sk < 1_000; sk++) {
    try {
      await write(sk);
    } catch (error) {
      expect(error).toMatchObject({ name: 'ProvisionedThroughputExceededException' });
      return sk;
    }
  }
  throw new Error('The partition takes everything.');
}

describe('the throughput of a partition key', () => {
  it('is what AWS gives by default', () => {
    expect(AWS_LIMITS.ofKey).toEqual({ read: 3_000, write: 1_000 });
    expect(AWS_LIMITS.ofTable).toEqual({ read: 12_000, write: 4_000 });
  });

  it('is that of a second; others have their own, and there is more a moment later', async () => {
    const pk = newPartition();
    const taken = await exhaust((sk) => put(pk, sk));
    expect(taken).toBeGreaterThanOrEqual(WRITE_UNITS);
    await put(newPartition(), 0);
    await sleep((1_000 / WRITE_UNITS) * 2);
    await put(pk, taken);
  });

  it('is drawn upon by the units that a call takes, and for reads apart from writes', async () => {
    const pk = newPartition();
    await overdraw(pk);
    await expect(put(pk, 1)).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
    await overdrawReads(pk);
    const values = { ':pk': pk };
    const query = database.query({
      ...table(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: values,
    });
    await expect(query).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
  });

  it('leaves the rest of a batch unprocessed', async () => {
    const [hot, cold] = [newPartition(), newPartition()];
    await overdraw(hot);
    const name = fixture.cloud.tableName;
    const requests = [hot, cold].map((pk) => ({ PutRequest: { Item: item(pk, 1) } }));
    const written = await database.batchWriteItem({ RequestItems: { [name]: requests } });
    expect(written.UnprocessedItems).toEqual({ [name]: [requests[0]] });

    await overdrawReads(hot);
    const read = (...Keys: ReturnType<typeof item>[]) =>
      database.batchGetItem({ RequestItems: { [name]: { Keys, ConsistentRead: true } } });
    const { Responses, UnprocessedKeys } = await read(item(hot, 0), item(cold, 1));
    expect(Responses?.[name]).toEqual([item(cold, 1)]);
    expect(UnprocessedKeys).toEqual({ [name]: { Keys: [item(hot, 0)], ConsistentRead: true } });
    await expect(read(item(hot, 0))).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
  });

  it('cancels a transaction, and says for which item', async () => {
    const [hot, cold] = [newPartition(), newPartition()];
    await overdraw(hot);
    const puts = [cold, hot].map((pk) => ({ Put: { ...table(), Item: item(pk, 1) } }));
    const error = await database.transactWriteItems({ TransactItems: puts }).catch((reason: unknown) => reason);
    if (!(error instanceof TransactionCanceledException)) throw error;
    expect(error.CancellationReasons?.map(({ Code }) => Code)).toEqual(['None', 'ThrottlingError']);
    const { Item } = await database.getItem({ ...table(), Key: item(cold, 1), ConsistentRead: true });
    expect(Item).toBeUndefined();
  });

  it('is that of an index too, whose keys hold up the writes of the table', async () => {
    const holder = newPartition();
    await put(newPartition(), 0, { holder, ...LARGE });
    await expect(put(newPartition(), 0, { holder })).rejects.toMatchObject({
      name: 'ProvisionedThroughputExceededException',
    });
    const Key = item(newPartition(), 0);
    const setting = { UpdateExpression: 'SET #h = :h', ExpressionAttributeNames: { '#h': 'holder' } };
    const update = database.updateItem({ ...table(), Key, ...setting, ExpressionAttributeValues: { ':h': holder } });
    await expect(update).rejects.toMatchObject({ name: 'ProvisionedThroughputExceededException' });
    await put(newPartition(), 0);
  });
});
