import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { ConditionalCheckFailedException, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { endpointFunction } from '#infra/functions.ts';
import { listen } from '#scripts/local/http.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { createProduct } from '#shared/contract/products/create-product.ts';
import { getProduct } from '#shared/contract/products/get-product.ts';
import { productKey } from '#shared/data/layout/keys.ts';
import { database } from '#shared/data/table/database.ts';
import { formatApiKey } from '#shared/domain/keys/api-key.ts';
import { invokeWith } from '#test/support/invoke.ts';
import { useLog } from '#test/support/log.ts';

/** Handlers as they are deployed, on a database that costs, fails, or does not answer. */

const ids = {
  organizationId: '01900000-0000-7000-8000-000000000001',
  userId: '01900000-0000-7000-8000-000000000002',
};

const PRODUCT_ID = '01900000-0000-7000-8000-000000000004';

const record = {
  ...ids,
  id: '01900000-0000-7000-8000-000000000003',
  scopes: ['products:read', 'products:write'],
  currency: 'USD',
  rateLimit: 600,
  expiresAt: null,
  createdByKeyId: null,
  familyHash: null,
  fullAt: 0,
};

/** Of the service's own client, whose sends the mock takes away. */
const { requestHandler: connection } = database.config;

const dynamo = mockClient(database);
afterAll(() => dynamo.restore());

beforeEach(() => dynamo.reset());

const { written, recordLog } = useLog();

/** Each key is new, since a running function keeps what it knows of one. */
const newKey = () => formatApiKey(randomBytes(32));

/** Both functions take what the other does not need. */
const invoke = (endpoint: Endpoint, authorization = `Bearer ${newKey()}`) =>
  invokeWith(endpoint, authorization, {
    params: { id: PRODUCT_ID },
    body: { name: 'Consulting', price: '1' },
  });

describe('a call without a key that could be one', () => {
  it.each([
    ['none', ''],
    ['a malformed key', 'Bearer bw_short'],
    ['a wrong checksum', `Bearer ${newKey().slice(0, -6)}AAAAAA`],
    ['a key with one wrong character', `Bearer ${newKey().replace(/.(.{10})$/, '~$1')}`],
    ['another scheme', `Basic ${newKey()}`],
  ])('costs no call to the database: %s', async (_case, authorization) => {
    expect((await invoke(getProduct, authorization)).status).toBe(401);
    expect(dynamo.calls()).toHaveLength(0);
  });

  it('costs one, where the checksum fits, and no more within a minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    dynamo.on(UpdateCommand).rejects(new ConditionalCheckFailedException({ $metadata: {}, message: 'no such key' }));
    const authorization = `Bearer ${newKey()}`;
    for (const { afterSeconds, calls } of [
      { afterSeconds: 0, calls: 1 },
      { afterSeconds: 59, calls: 1 },
      { afterSeconds: 2, calls: 2 },
    ]) {
      vi.advanceTimersByTime(afterSeconds * 1_000);
      expect((await invoke(getProduct, authorization)).status).toBe(401);
      expect(dynamo.calls()).toHaveLength(calls);
    }
    expect((await invoke(getProduct)).status).toBe(401);
    expect(dynamo.calls()).toHaveLength(3);
  });
});

it('a request is logged with who asked for what, what came of it, and how long it took', async () => {
  dynamo.on(UpdateCommand).resolves({ Attributes: record });
  dynamo.on(GetCommand).resolves({ Item: { role: 'admin', status: 'active', currency: 'USD' } });
  dynamo.on(GetCommand, { Key: productKey(ids.organizationId, PRODUCT_ID) }).resolves({});
  recordLog();
  const { headers } = await invoke(getProduct);
  expect(written.map((line) => JSON.parse(line)).find(({ message }) => message === 'request')).toMatchObject({
    operationId: 'getProduct',
    route: `GET ${getProduct.path}`,
    requestId: headers.get('x-request-id'),
    status: 404,
    problem: 'not_found',
    durationMilliseconds: expect.any(Number),
    organizationId: ids.organizationId,
    keyId: record.id,
    userId: ids.userId,
  });
});

/** Time enough for whatever is tried again: all that `invokeWith` gives a function. */
const RETRIES_MILLISECONDS = 30_000;

describe('a time-out of the SDK', () => {
  let timeout: unknown;
  let waitedMilliseconds: number;

  beforeAll(async () => {
    const startedAt = performance.now();
    timeout = await timeoutOfTheService();
    waitedMilliseconds = performance.now() - startedAt;
  });

  it('comes soon enough for every attempt to fit into the time that a function has', async () => {
    const { timeoutSeconds } = endpointFunction(createProduct);
    expect(timeout).toMatchObject({ name: 'TimeoutError' });
    expect(waitedMilliseconds * (await database.config.maxAttempts())).toBeLessThan(timeoutSeconds * 1_000);
  });

  it.each([
    ['authenticating', () => dynamo.on(UpdateCommand), getProduct, 'overloaded'],
    ['reading', () => dynamo.on(GetCommand), getProduct, 'overloaded'],
    ['writing', () => dynamo.on(TransactWriteCommand), createProduct, 'outcome is unknown'],
  ])('while %s is a 503 that says when to come back, and is logged', async (_moment, call, endpoint, message) => {
    // The first time it also loads the function, which needs real time.
    expect((await invoke(endpoint, '')).status).toBe(401);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
    dynamo.on(UpdateCommand).resolves({ Attributes: record });
    dynamo.on(GetCommand).resolves({ Item: { role: 'admin', status: 'active', currency: 'USD' } });
    call().rejects(timeout as Error);
    recordLog();
    const response = invoke(endpoint);
    await vi.advanceTimersByTimeAsync(RETRIES_MILLISECONDS);
    const { status, headers, body } = await response;
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toMatchObject({ code: 'temporarily_unavailable', requestId: headers.get('x-request-id') });
    expect(written.some((line) => line.includes(message) && line.includes('TimeoutError'))).toBe(true);
  });
});

/** What the service's connection throws when a database is there and says nothing. */
async function timeoutOfTheService(): Promise<unknown> {
  const silent = createServer();
  const port = await listen(silent, 0, '127.0.0.1');
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    maxAttempts: 1,
    requestHandler: connection,
  });
  try {
    return await client.send(new ListTablesCommand());
  } catch (error) {
    return error;
  } finally {
    client.destroy();
    silent.close();
  }
}
