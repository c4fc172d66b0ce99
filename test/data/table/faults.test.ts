import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  InternalServerError,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { leaseTokens } from '#shared/caller/buckets.ts';
import { productItem } from '#shared/data/products/product-rows.ts';
import { readProduct, saveProduct } from '#shared/data/products/products.ts';
import { batchDelete, batchGet } from '#shared/data/table/batch.ts';
import {
  findByPrefix,
  findInCollection,
  lookThrough,
  readCollection,
  readFirst,
} from '#shared/data/table/collection.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { tryUpdate } from '#shared/data/table/item.ts';
import { readPage } from '#shared/data/table/offset-page.ts';
import type { Item } from '#shared/data/table/query.ts';
import { readConnection } from '#shared/data/table/relay-page.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { joinShards } from '#shared/data/table/shards.ts';
import {
  ConditionFailed,
  readAtOnce,
  refusing,
  type TransactItem,
  transact,
  type Write,
} from '#shared/data/table/transaction.ts';
import { newProduct } from '#shared/domain/products/product.ts';
import { withDeadline } from '#shared/runtime/deadline.ts';

/** Faults that an emulator cannot make. */

const metadata = { $metadata: {}, message: 'made for a test' };
const organizationId = '01900000-0000-7000-8000-000000000001';
const owner = { organizationId, userId: '01900000-0000-7000-8000-000000000002', currency: 'USD' };
const draft = { name: 'Consulting', description: '', sku: null, category: null, price: '1', unit: '', taxRate: null };
const product = newProduct(draft, owner, '01900000-0000-7000-8000-000000000003', new Date(0));

const canceled = (...codes: string[]) =>
  new TransactionCanceledException({ ...metadata, CancellationReasons: codes.map((Code) => ({ Code })) });

/** Without chance: each pause is as long as it may be. @returns the pauses, in milliseconds */
async function pausesOf(action: () => Promise<unknown>): Promise<unknown[]> {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await action();
  return timers.mock.calls.map(([, milliseconds]) => milliseconds);
}

/** @returns how many attempts there are in so much time, the first of which fails late */
async function attemptsAfter(
  calls: ReturnType<typeof dynamo.on>,
  begin: () => Promise<unknown>,
  { fault, late, time }: { readonly fault: Error; readonly late: number; readonly time: number },
): Promise<number> {
  let attempts = 0;
  calls.callsFake(async () => {
    attempts += 1;
    if (attempts > 1) return {};
    await new Promise((resolve) => setTimeout(resolve, late));
    throw fault;
  });
  const outcome = withDeadline(time, begin).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(late + 1_000);
  await outcome;
  return attempts;
}

const dynamo = mockClient(database);
afterAll(() => dynamo.restore());

beforeEach(() => dynamo.reset());
afterEach(() => dynamo.reset());

describe('transactions', () => {
  it('are not retried when a condition fails, even beside a conflict', async () => {
    dynamo.on(TransactWriteCommand).rejects(canceled('ConditionalCheckFailed', 'TransactionConflict'));
    const failure = await transact([]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConditionFailed);
    expect(failure).toMatchObject({ name: 'ConditionFailed', positions: [0] });
    expect(dynamo.commandCalls(TransactWriteCommand)).toHaveLength(1);
  });

  const DELETION: TransactItem = { Delete: { TableName: TABLE_NAME, Key: { pk: 'a', sk: 'b' } } };
  const refused = (by: string): Write => refusing(DELETION, (met) => new Error(`${by} met ${met?.name}`));
  const [FAILED, PASSED] = [
    { Code: 'ConditionalCheckFailed', Item: { name: { S: 'Ann' } } },
    { Code: 'None', Item: { name: { S: 'Bob' } } },
  ];

  it.each<[string, Write[], object[], string]>([
    ['the refusal of what has failed', [DELETION, refused('a'), refused('b')], [PASSED, PASSED, FAILED], 'b met Ann'],
    [
      'the first of several refusals',
      [refused('a'), refused('b'), refused('c')],
      [PASSED, FAILED, FAILED],
      'b met Ann',
    ],
    ['none where what has no refusal has failed too', [refused('a'), DELETION], [FAILED, FAILED], 'item 0, 1'],
  ])('end in %s', async (_, items, CancellationReasons, message) => {
    dynamo.on(TransactWriteCommand).rejects(new TransactionCanceledException({ ...metadata, CancellationReasons }));
    await expect(transact(items)).rejects.toThrow(message);
  });

  describe.each<[string, () => ReturnType<typeof dynamo.on>, () => Promise<unknown>]>([
    ['', () => dynamo.on(TransactWriteCommand), () => transact([])],
    ['of reads ', () => dynamo.on(TransactGetCommand), () => readAtOnce([])],
  ])('%sthat conflict for long', (_, calls, begin) => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    });

    const conflict = canceled('TransactionConflict');

    /** What they end in where each attempt fails so. */
    async function endOf(fault: Error): Promise<unknown> {
      calls().rejects(fault);
      const outcome = begin().catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(12_000);
      return outcome;
    }

    it('are not tried again after a refusal that stays', async () => {
      const denied = Object.assign(new Error('made for a test'), { name: 'AccessDeniedException' });
      expect(await endOf(denied)).toBe(denied);
      expect(dynamo.calls()).toHaveLength(1);
    });

    it('end in the throttle of the table, where it is one, for the log', async () => {
      const throttle = new ProvisionedThroughputExceededException(metadata);
      expect(await endOf(throttle)).toBe(throttle);
    });

    it('end in a problem that says when to come back', async () => {
      expect(await endOf(conflict)).toMatchObject({
        code: 'temporarily_unavailable',
        message: 'The service could not do it in time, and has changed nothing.',
        details: { headers: { 'Retry-After': '1' } },
      });
    });

    it.each([
      ['nine seconds', 9_000, 60_000],
      ['all but a second and a half of their time', 3_500, 5_000],
    ])('are tried again for %s, and not a millisecond longer', async (_most, late, time) => {
      expect(await attemptsAfter(calls(), begin, { fault: conflict, late, time })).toBe(2);
      expect(await attemptsAfter(calls(), begin, { fault: conflict, late: late + 1, time })).toBe(1);
    });

    it.each<[string, Error, number[]]>([
      ['another transaction is in the way', conflict, [10, 20, 40, 80, 160, 250, 250]],
      ['the table throttles them', canceled('ThrottlingError'), [10, 20, 40, 80, 160, 320, 500]],
    ])('pause longer and longer, up to a bound, where %s', async (_cause, fault, longest) => {
      vi.spyOn(Math, 'random').mockReturnValue(1);
      const began: number[] = [];
      calls().callsFake(() => {
        if (began.push(performance.now()) <= longest.length) throw fault;
        return {};
      });
      const outcome = begin();
      await vi.advanceTimersByTimeAsync(2_000);
      await outcome;
      expect(began.slice(1).map((at, i) => Math.round(at - (began[i] ?? 0)))).toEqual(longest);
    });
  });

  it('replace what they have met locked, all by one draw, and nothing else', async () => {
    const locked = 'TransactionConflict';
    dynamo
      .on(TransactWriteCommand)
      .rejectsOnce(canceled(locked, 'None', locked))
      .resolves({});
    const deletionOf = (sk: string): TransactItem => ({ Delete: { TableName: TABLE_NAME, Key: { pk: 'a', sk } } });
    const [one, other, last] = [deletionOf('1'), deletionOf('2'), deletionOf('3')];
    const replaced: (readonly [unknown, number])[] = [];
    const replaceLocked = (item: TransactItem, draw: number) => {
      replaced.push([item, draw]);
      return DELETION;
    };
    await transact([one, other, last], replaceLocked);
    const draw = replaced[0]?.[1];
    expect(replaced).toEqual([one, last].map((item) => [item, draw]));
    const [, again] = dynamo.commandCalls(TransactWriteCommand);
    expect(again?.args[0].input.TransactItems).toEqual([DELETION, other, DELETION]);
  });

  describe('that may have been written', () => {
    const timeout = Object.assign(new Error('made for a test'), { name: 'TimeoutError' });
    const broken = Object.assign(new Error('made for a test'), { code: 'ECONNRESET' });
    const inProgress = new TransactionInProgressException({ ...metadata, Message: metadata.message });
    const failed = new InternalServerError({ ...metadata, $metadata: { httpStatusCode: 500 } });
    const unavailable = new DynamoDBServiceException({
      name: 'ServiceUnavailable',
      $fault: 'client',
      $metadata: { httpStatusCode: 503 },
    });
    const throttled = new ProvisionedThroughputExceededException(metadata);
    const tokens = () => dynamo.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.ClientRequestToken);

    it.each([
      ['in progress', inProgress],
      ['a time-out', timeout],
      ['a broken connection', broken],
      ['a 500', failed],
      ['a 503', unavailable],
    ])('keep their token and their items after %s, though they are refused then', async (_failure, open) => {
      dynamo
        .on(TransactWriteCommand)
        .rejectsOnce(open)
        .rejectsOnce(canceled('TransactionConflict'))
        .rejectsOnce(throttled)
        .rejectsOnce(open)
        .resolves({});
      const replaceLocked = vi.fn((item: TransactItem) => item);
      // A conflict alone has a bound of its own.
      expect(await pausesOf(() => transact([DELETION], replaceLocked, 15))).toEqual([10, 15, 40, 80]);
      const [first, ...others] = tokens();
      expect(first).toMatch(/^[0-9a-f-]{36}$/);
      // Under another one, a create would meet itself.
      expect(others).toEqual([first, first, first, first]);
      expect(replaceLocked).not.toHaveBeenCalled();
    });

    const named = (name: string) => Object.assign(new Error('made for a test'), { name });
    const unsent = (code: string) => Object.assign(new Error('made for a test'), { code });

    it.each([
      ['a conflict', canceled('TransactionConflict')],
      ['a throttled item', canceled('None', 'ProvisionedThroughputExceeded')],
      ['another one', canceled('ThrottlingError')],
      ['a throttle', throttled],
      ['a limit of requests', named('RequestLimitExceeded')],
      ['a throttle of the whole table', named('ThrottlingException')],
      ['a deadline of one attempt', named('DeadlineExceeded')],
      ['a connection that was refused', unsent('ECONNREFUSED')],
      ['a name that is not known for now', unsent('EAI_AGAIN')],
      ['an unknown name', unsent('ENOTFOUND')],
      ['a host without a way to it', unsent('EHOSTUNREACH')],
      ['a network without a way to it', unsent('ENETUNREACH')],
    ])('get a new token after nothing but %s', async (_refusal, refusal) => {
      dynamo.on(TransactWriteCommand).rejectsOnce(refusal).resolves({});
      await transact([]);
      const [first, second] = tokens();
      expect(second).toMatch(/^[0-9a-f-]{36}$/);
      expect(second).not.toBe(first);
    });

    describe('and whose outcome stays open', () => {
      beforeEach(() => {
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
        dynamo.on(TransactWriteCommand).rejects(failed);
      });

      it('end in a problem that says so', async () => {
        const outcome = withDeadline(9_000, () => transact([])).catch((error: unknown) => error);
        await vi.advanceTimersByTimeAsync(9_000);
        const message = expect.stringContaining('unknown');
        expect(await outcome).toMatchObject({ code: 'temporarily_unavailable', message });
      });

      it.each([
        ['a minute', 60_000, 600_000],
        ['all but a second and a half of their time', 26_500, 28_000],
      ])('are asked for again for %s, and not a millisecond longer', async (_most, late, time) => {
        const attempts = (milliseconds: number) =>
          attemptsAfter(dynamo.on(TransactWriteCommand), () => transact([]), {
            fault: failed,
            late: milliseconds,
            time,
          });
        expect([await attempts(late), await attempts(late + 1)]).toEqual([2, 1]);
      });
    });
  });
});

describe('reads', () => {
  it('refuse to hand out an item that is not what it should be', async () => {
    const content = JSON.stringify({ ...product, price: 19.9 });
    dynamo.on(GetCommand).resolves({ Item: { ...productItem(product), product: content } });
    await expect(readProduct(organizationId, product.id)).rejects.toThrow();
  });
});

describe('collections', () => {
  const asked = () =>
    dynamo.commandCalls(BatchGetCommand).map(({ args }) => args[0].input.RequestItems?.[TABLE_NAME]?.Keys);

  it('are asked for by a hundred keys at a time, which is what DynamoDB takes', async () => {
    dynamo.on(BatchGetCommand).resolves({});
    await batchGet(Array.from({ length: 201 }, (_, i) => ({ pk: 'a', sk: `${i}` })));
    expect(asked().map((keys) => keys?.length)).toEqual([100, 100, 1]);
  });

  it('leave a table that hands out nothing longer and longer alone', async () => {
    const Keys = [{ pk: 'a', sk: 'b' }];
    const nothing = { Responses: {}, UnprocessedKeys: { [TABLE_NAME]: { Keys } } };
    dynamo.on(BatchGetCommand).resolvesOnce(nothing).resolvesOnce(nothing).resolvesOnce(nothing).resolves({});
    expect(await pausesOf(() => batchGet(Keys))).toEqual([20, 40, 80]);
  });

  it('are completed at once where DynamoDB hands out some and leaves out others', async () => {
    const [one, other] = [
      { pk: 'a', sk: 'b' },
      { pk: 'a', sk: 'c' },
    ];
    dynamo
      .on(BatchGetCommand)
      .resolvesOnce({ Responses: { [TABLE_NAME]: [one] }, UnprocessedKeys: { [TABLE_NAME]: { Keys: [other] } } })
      .resolves({ Responses: { [TABLE_NAME]: [other] } });
    const read = async () => expect(await batchGet([one, other])).toEqual([one, other]);
    expect(await pausesOf(read)).toEqual([]);
    expect(asked()).toEqual([[one, other], [other]]);
  });
});

/** A partition that the table hands out in parts of so many rows. */
function handOut(rows: readonly Item[], size: number): void {
  dynamo.on(QueryCommand).callsFake(async ({ ExpressionAttributeValues, ExclusiveStartKey, ScanIndexForward }) => {
    const { ':from': from = '', ':to': to = '~' } = ExpressionAttributeValues;
    const sorted = rows.toSorted((one, other) => (String(one.sk) < String(other.sk) ? -1 : 1));
    const range = sorted.filter(({ sk }) => String(sk) >= from && String(sk) <= to);
    const inOrder = ScanIndexForward ? range : range.toReversed();
    const start = 1 + inOrder.findIndex(({ sk }) => sk === ExclusiveStartKey?.sk);
    const Items = inOrder.slice(start, start + size);
    const LastEvaluatedKey = Items.length === size ? { pk: 'p', sk: Items.at(-1)?.sk } : undefined;
    return { Items, ScannedCount: Items.length, LastEvaluatedKey };
  });
}

describe('rows that DynamoDB hands out in parts', () => {
  const SIZES = [1, 2, 3, 4, 5, 6, 7, 8];

  it.each(SIZES)('of %d are found by their prefixes, each once', async (size) => {
    const rows = ['0#a', '0#b', '0#c', '2#a', '3#a', '3#b', '3#c'].map((sk) => ({ sk }));
    handOut(rows, size);
    const { items, looked } = await findByPrefix({ partition: 'p' }, ['0#', '1#', '2#', '3#', '4#']);
    expect(items.toSorted((one, other) => (String(one.sk) < String(other.sk) ? -1 : 1))).toEqual(rows);
    expect(looked).toBe(rows.length);
  });

  it.each(SIZES)('of %d are looked through with all shards of each', async (size) => {
    const shards = ['a', 'a~1', 'a~3', 'b', 'c~2', 'd', 'd~4'];
    handOut(
      shards.map((sk) => ({ sk, amount: 1 })),
      size,
    );
    const seen: Item[] = [];
    await lookThrough({ partition: 'p', join: (items) => [...joinShards(items)] }, (items) => seen.push(...items));
    expect(seen.map(({ sk, amount }) => [sk, amount])).toEqual([
      ['d', 2],
      ['c', 1],
      ['b', 1],
      ['a', 3],
    ]);
  });

  it.each(SIZES)('of %d are a page and a total, by offset and by cursor', async (size) => {
    handOut(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((sk) => ({ sk })),
      size,
    );
    const wanted = { partition: 'p', filter: { expression: 'attribute_exists(id)' } };
    const found = { items: ['e', 'd', 'c'], total: 7 };
    expect(await readPage({ ...wanted, offset: 2, limit: 3 }, ({ sk }) => sk)).toEqual(found);
    const list = { ...wanted, direction: 'desc', total: async () => 0 } as const;
    const { pageInfo } = await readConnection(list, { first: 2 }, ({ sk }) => sk);
    const behind = { first: 3, after: pageInfo.endCursor ?? undefined };
    const { edges, totalCount } = await readConnection(list, behind, ({ sk }) => sk);
    expect({ items: edges.map(({ node }) => node), total: totalCount }).toEqual(found);
  });
});

it('rows of an index that the table lacks are not asked for', async () => {
  const reading = readCollection({ partition: 'p', index: 'byColor' });
  await expect(reading).rejects.toThrow('The table has no index byColor.');
  expect(dynamo.commandCalls(QueryCommand)).toEqual([]);
});

it('the first rows are asked for in one request, and no more of them', async () => {
  dynamo.on(QueryCommand).resolves({ Items: [{ sk: 'a' }], LastEvaluatedKey: { pk: 'p', sk: 'a' } });
  expect(await readFirst({ partition: 'p' }, 7)).toEqual([{ sk: 'a' }]);
  expect(dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.Limit)).toEqual([7]);
});

describe('the rows that each request asks for', () => {
  const filter = { expression: 'attribute_exists(id)' };

  /** The limits of the requests for a collection that has so many more rows, of which each response has some. */
  async function limitsOf(wanted: { readonly upTo?: number; readonly filter?: typeof filter }, found: number) {
    dynamo.on(QueryCommand).callsFake(async ({ Limit = 1_000 }) => ({
      Items: Array(found).fill({}),
      ScannedCount: Limit,
      LastEvaluatedKey: dynamo.commandCalls(QueryCommand).length < 5 ? { pk: 'p', sk: 's' } : undefined,
    }));
    const { items } = await findInCollection({ partition: 'p', ...wanted });
    const limits = dynamo.commandCalls(QueryCommand).map(({ args }) => args[0].input.Limit);
    return { limits, items: items.length };
  }

  it.each<[string, Parameters<typeof limitsOf>[0], number, Awaited<ReturnType<typeof limitsOf>>]>([
    ['all', {}, 1, { limits: Array(5).fill(undefined), items: 5 }],
    ['what is left to read', { upTo: 10 }, 4, { limits: [10, 6, 2], items: 10 }],
    ['as many as all before where few match', { upTo: 10, filter }, 1, { limits: [10, 10, 20, 40, 80], items: 5 }],
    ['those that match where they are many', { upTo: 10, filter }, 10, { limits: [10], items: 10 }],
    ['100,000 at most', { upTo: 100_001 }, 0, { limits: Array(5).fill(100_000), items: 0 }],
  ])('are %s', async (_, wanted, found, expected) => {
    expect(await limitsOf(wanted, found)).toEqual(expected);
  });
});

describe('deletions', () => {
  const keys = Array.from({ length: 27 }, (_, i) => ({ pk: 'a', sk: `${i}` }));
  const requestsOf = (some: readonly object[]) => some.map((Key) => ({ DeleteRequest: { Key } }));
  const asked = () =>
    dynamo.commandCalls(BatchWriteCommand).map(({ args }) => args[0].input.RequestItems?.[TABLE_NAME] ?? []);

  it('are asked for again, after longer and longer pauses, where DynamoDB leaves them out', async () => {
    const left = requestsOf(keys.slice(3, 5));
    const answer = { UnprocessedItems: { [TABLE_NAME]: left } };
    dynamo.on(BatchWriteCommand).resolvesOnce(answer).resolvesOnce(answer).resolvesOnce(answer).resolves({});
    expect(await pausesOf(() => batchDelete(keys))).toEqual([20, 40, 80]);
    expect(asked()).toEqual([requestsOf(keys.slice(0, 25)), left, left, left, requestsOf(keys.slice(25))]);
  });

  it('name each key once, since DynamoDB refuses a batch that names one twice', async () => {
    dynamo.on(BatchWriteCommand).resolves({});
    await batchDelete([...keys.slice(0, 2), ...keys.slice(0, 3)]);
    expect(asked()).toEqual([requestsOf(keys.slice(0, 3))]);
  });
});

describe('a write alone', () => {
  const key = { pk: 'a', sk: 'b' };
  const change = { UpdateExpression: 'SET a = :a' };

  it('tells whether its condition held, and fails for anything else', async () => {
    const failed = new InternalServerError(metadata);
    dynamo
      .on(UpdateCommand)
      .resolvesOnce({})
      .rejectsOnce(new ConditionalCheckFailedException(metadata))
      .rejects(failed);
    expect([await tryUpdate(key, change), await tryUpdate(key, change)]).toEqual([true, false]);
    await expect(tryUpdate(key, change)).rejects.toBe(failed);
  });
});

describe('concurrent changes', () => {
  const setPrice = () =>
    retrying(
      () => readProduct(organizationId, product.id),
      async (current) => {
        const changed = { ...current, price: '2' };
        await saveProduct(current, changed, []);
        return changed;
      },
    );

  it('start again from what the other one left', async () => {
    const theirs = productItem({ ...product, sku: 'theirs' });
    dynamo.on(TransactWriteCommand).rejectsOnce(canceled('ConditionalCheckFailed')).resolves({});
    dynamo
      .on(GetCommand)
      .resolvesOnce({ Item: productItem(product) })
      .resolves({ Item: theirs });
    expect(await setPrice()).toMatchObject({ price: '2', sku: 'theirs' });
    const update = dynamo.commandCalls(TransactWriteCommand)[1]?.args[0].input.TransactItems?.[0]?.Update;
    expect(update?.ExpressionAttributeValues).toMatchObject({ ':version': theirs.version });
    expect(update?.ExpressionAttributeValues?.[':new_version']).not.toBe(theirs.version);
  });

  it('start again after longer and longer pauses', async () => {
    const beaten = canceled('ConditionalCheckFailed');
    dynamo.on(TransactWriteCommand).rejectsOnce(beaten).rejectsOnce(beaten).rejectsOnce(beaten).resolves({});
    dynamo.on(GetCommand).resolves({ Item: productItem(product) });
    expect(await pausesOf(setPrice)).toEqual([10, 20, 40]);
  });
});

describe('leases of tokens', () => {
  const now = 1_790_000_000_000_000;
  const record = {
    id: 'k',
    organizationId,
    userId: 'u',
    scopes: [],
    currency: 'USD',
    rateLimit: 600,
    expiresAt: null,
    createdByKeyId: null,
    familyHash: null,
    isRevoked: false,
  };
  const refused = (fullAt: number) =>
    new ConditionalCheckFailedException({ ...metadata, Item: marshall({ ...record, fullAt }) });

  it('take fewer tokens when the bucket holds fewer', async () => {
    dynamo
      .on(UpdateCommand)
      .rejectsOnce(refused(now + 60_000_000 - 350_000))
      .resolves({ Attributes: { ...record, fullAt: now + 59_950_000 } });
    const known = { own: { ...record, fullAt: now - 1 }, family: null };
    expect(await leaseTokens('hash', 60, now, known)).toMatchObject({ tokens: 3 });
  });

  it('give up after a bounded number of lost races', async () => {
    dynamo.on(UpdateCommand).rejects(refused(now + 1));
    expect(await leaseTokens('hash', 1, now)).toMatchObject({ tokens: 0 });
    expect(dynamo.commandCalls(UpdateCommand).length).toBeLessThanOrEqual(8);
  });
});
