import { setTimeout as sleep } from 'node:timers/promises';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Answer } from '#scripts/local/aws-answer.ts';
import { Conflicts } from '#scripts/local/conflicts.ts';
import { useFixtureCloud } from '#test/support/fixture-app/cloud.ts';

/** Long enough for the next call to find it under way, on a busy machine too. */
const TRANSACTION_MILLISECONDS = 300;

const fixture = useFixtureCloud({ transactionMilliseconds: () => TRANSACTION_MILLISECONDS });

const done = async (): Promise<Answer> => ({ status: 200, headers: {}, body: '{}' });

let items = 0;

/** A key that no other test has. */
const newKey = () => ({ pk: { S: 'CONFLICT' }, sk: { S: String(++items) } });
type Key = ReturnType<typeof newKey>;

const table = () => ({ TableName: fixture.cloud.tableName });
const put = (key: Key) => ({ Put: { ...table(), Item: key } });
const check = (key: Key) => ({
  ConditionCheck: { ...table(), Key: key, ConditionExpression: 'attribute_not_exists(holder)' },
});
const transact = (...TransactItems: object[]) => fixture.database.transactWriteItems({ TransactItems });

/** The reasons of the one that is refused: of two that are sent together, or of the second. */
async function refusalOf(calls: readonly Promise<unknown>[]): Promise<unknown> {
  const refused = (await Promise.allSettled(calls)).filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(1);
  return refused[0]?.reason;
}

const codesOf = (error: unknown) =>
  error instanceof TransactionCanceledException && error.CancellationReasons?.map(({ Code }) => Code);

describe('transactions that are under way', () => {
  it('refuse a later one that wants an item of theirs, and tell it which', async () => {
    const shared = newKey();
    const refusal = await refusalOf([transact(put(newKey()), put(shared)), transact(put(newKey()), put(shared))]);
    expect(codesOf(refusal)).toEqual(['None', 'TransactionConflict']);
  });

  it('refuse one that wants an item that they only check, or that only checks what they write', async () => {
    const shared = newKey();
    expect(codesOf(await refusalOf([transact(check(shared)), transact(check(shared))]))).toEqual([
      'TransactionConflict',
    ]);
    expect(codesOf(await refusalOf([transact(put(shared)), transact(check(shared))]))).toEqual(['TransactionConflict']);
  });

  it('refuse one that reads an item of theirs, and are not refused by it', async () => {
    const shared = newKey();
    const read = () => fixture.database.transactGetItems({ TransactItems: [{ Get: { ...table(), Key: shared } }] });
    expect(codesOf(await refusalOf([transact(put(shared)), read()]))).toEqual(['TransactionConflict']);
    await Promise.all([read(), transact(put(shared))]);
  });

  it.each([
    ['a put', (key: Key) => fixture.database.putItem({ ...table(), Item: key })],
    ['an update', (key: Key) => fixture.database.updateItem({ ...table(), Key: key })],
    ['a deletion', (key: Key) => fixture.database.deleteItem({ ...table(), Key: key })],
  ])('refuse %s of an item of theirs', async (_, write) => {
    const shared = newKey();
    const transaction = transact(put(shared));
    await sleep(TRANSACTION_MILLISECONDS / 3);
    await expect(write(shared)).rejects.toMatchObject({ name: 'TransactionConflictException' });
    await transaction;
  });

  it('are refused while a single write has an item of theirs', async () => {
    const [name, Key] = ['a-table', newKey()];
    const conflicts = new Conflicts([{ name, KeySchema: [{ AttributeName: 'sk', KeyType: 'HASH' }] }]);
    const { promise: written, resolve } = Promise.withResolvers<Answer>();
    const write = conflicts.pass('PutItem', { TableName: name, Item: Key }, () => written);
    const transaction = () =>
      conflicts.pass('TransactWriteItems', { TransactItems: [{ Delete: { TableName: name, Key } }] }, done);
    await expect(transaction()).rejects.toMatchObject({ type: 'TransactionCanceledException' });
    resolve(await done());
    await write;
    await transaction();
  });

  it('do not refuse what has no item in common with them, nor what comes when they are answered', async () => {
    const [one, other] = [newKey(), newKey()];
    await Promise.all([transact(put(one)), transact(put(other))]);
    await transact(put(one), put(other));
    await fixture.database.putItem({ ...table(), Item: one });
    await transact(put(one));
  });

  it('are known by their token when they are sent again', async () => {
    const answered: string[] = [];
    const stop = fixture.cloud.observe(({ responseBody }) => answered.push(responseBody));
    const request = { ClientRequestToken: 'one', TransactItems: [put(newKey())] };
    const send = () => fixture.database.transactWriteItems(request);
    // The SDK may give up before the first one has ended.
    await Promise.allSettled([send(), send()]);
    stop();
    expect(answered).toContainEqual(expect.stringContaining('TransactionInProgressException'));
    await send();
  });
});

describe('single writes of one item', () => {
  it('do not refuse each other', async () => {
    const key = newKey();
    await Promise.all(Array.from({ length: 20 }, () => fixture.database.updateItem({ ...table(), Key: key })));
  });
});
