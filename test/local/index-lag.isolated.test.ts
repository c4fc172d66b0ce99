import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDB, QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { bootCloud } from '#scripts/local/cloud.ts';
import * as unkind from '#scripts/local/unkind.ts';
import { fixtureAssembly } from '#test/support/fixture-app/assembly.ts';
import { eventually, operatorClients, temporaryFolder, useFixtureCloud } from '#test/support/fixture-app/cloud.ts';

/** Of the next writes, in their order; by chance after that. */
let delays: number[] = [];
const indexDelayMilliseconds = () => delays.shift() ?? unkind.indexDelayMilliseconds();

const fixture = useFixtureCloud({ indexDelayMilliseconds });

beforeEach(() => {
  delays = [];
});

const key = (sk: string) => ({ pk: { S: 'ITEM' }, sk: { S: sk } });
const held = (sk: string, holder: string, more: object = {}) => ({ ...key(sk), holder: { S: holder }, ...more });
const table = () => ({ TableName: fixture.cloud.tableName });

async function ofHolder(holder: string, more: Partial<QueryCommandInput> = {}, on = fixture) {
  return on.database.query({
    TableName: on.cloud.tableName,
    IndexName: 'byHolder',
    KeyConditionExpression: 'holder = :holder',
    ...more,
    ExpressionAttributeValues: { ':holder': { S: holder }, ...more.ExpressionAttributeValues },
  });
}

const count = async (holder: string) => (await ofHolder(holder)).Count;

const untilCount = (holder: string, wanted: number, patienceSeconds?: number) =>
  eventually(async () => ((await count(holder)) === wanted ? true : undefined), patienceSeconds);

type Write = (database: DynamoDB) => Promise<unknown>;

const { Item, Key } = { Item: held('1', 'ana'), Key: key('1') };
const toAna = { UpdateExpression: 'SET holder = :ana', ExpressionAttributeValues: { ':ana': { S: 'ana' } } };

const COMING: readonly [string, Write][] = [
  ['a put', (database) => database.putItem({ ...table(), Item })],
  ['an update', (database) => database.updateItem({ ...table(), Key, ...toAna })],
  [
    'a batch',
    (database) => database.batchWriteItem({ RequestItems: { [table().TableName]: [{ PutRequest: { Item } }] } }),
  ],
  [
    'a transaction that puts',
    (database) => database.transactWriteItems({ TransactItems: [{ Put: { ...table(), Item } }] }),
  ],
  [
    'a transaction that updates',
    (database) => database.transactWriteItems({ TransactItems: [{ Update: { ...table(), Key, ...toAna } }] }),
  ],
];

const GOING: readonly [string, Write][] = [
  ['a delete', (database) => database.deleteItem({ ...table(), Key })],
  ['an update', (database) => database.updateItem({ ...table(), Key, UpdateExpression: 'REMOVE holder' })],
  ['a put', (database) => database.putItem({ ...table(), Item: Key })],
  [
    'a batch',
    (database) => database.batchWriteItem({ RequestItems: { [table().TableName]: [{ DeleteRequest: { Key } }] } }),
  ],
  ['a transaction', (database) => database.transactWriteItems({ TransactItems: [{ Delete: { ...table(), Key } }] })],
];

/** Far more than a few calls take. */
const LATE = 500;

describe('an index', () => {
  it.each(COMING)('sees %s later than the table', async (_what, write) => {
    const { database } = fixture;
    delays = [LATE, 0];
    await write(database);
    expect((await database.getItem({ ...table(), Key })).Item).toEqual(Item);
    expect(await count('ana')).toBe(0);
    await untilCount('ana', 1);
    await database.deleteItem({ ...table(), Key });
    await untilCount('ana', 0);
  });

  it.each(GOING)('keeps what %s takes away for a moment', async (_what, write) => {
    const { database } = fixture;
    delays = [0, LATE];
    await database.putItem({ ...table(), Item });
    await untilCount('ana', 1);
    await write(database);
    expect((await database.getItem({ ...table(), Key })).Item?.holder).toBeUndefined();
    expect(await count('ana')).toBe(1);
    await untilCount('ana', 0);
  });

  it('sees the writes of an item in their order, however late each is', async () => {
    const { database } = fixture;
    delays = Array.from({ length: 20 }, (_, number) => ((number * 7) % 20) * 20);
    const seen: number[] = [];
    const look = async () => seen.push(Number((await ofHolder('ana')).Items?.[0]?.number?.N ?? 0));
    for (let number = 1; number <= 20; number++) {
      await database.putItem({ ...table(), Item: held('ordered', 'ana', { number: { N: `${number}` } }) });
      await look();
    }
    while (seen.at(-1) !== 20) await look();
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    expect(seen.length).toBeGreaterThan(20);
  });

  it('sees a write of one item before an earlier one of another, if that is later', async () => {
    const { database } = fixture;
    delays = [LATE, 0];
    for (const sk of ['slow', 'fast']) await database.putItem({ ...table(), Item: held(sk, 'cleo') });
    await untilCount('cleo', 1);
    expect((await ofHolder('cleo')).Items).toEqual([held('fast', 'cleo')]);
  });

  it('sees each write of the tests within a second and a half', async () => {
    for (let sk = 0; sk < 25; sk++) await fixture.database.putItem({ ...table(), Item: held(`${sk}`, 'dora') });
    await sleep(1_500);
    await untilCount('dora', 25, 0.5);
  });
});

describe('a cloud that starts again', () => {
  it('has in its indexes what is in its table', async () => {
    const dataDir = await temporaryFolder();
    const boot = async () => {
      const cloud = await bootCloud({
        assembly: await fixtureAssembly(),
        dataDir,
        port: 0,
        schedules: false,
        indexDelayMilliseconds: () => LATE,
      });
      return { ...fixture, cloud, ...operatorClients(cloud) };
    };
    const first = await boot();
    await first.database.putItem({ TableName: first.cloud.tableName, Item });
    await first.cloud.stop();
    const second = await boot();
    expect((await ofHolder('ana', {}, second)).Items).toEqual([Item]);
    await second.database.deleteItem({ TableName: second.cloud.tableName, Key });
    await eventually(async () => ((await ofHolder('ana', {}, second)).Count === 0 ? true : undefined));
    await second.cloud.stop();
    await rm(dataDir, { recursive: true });
  });
});
