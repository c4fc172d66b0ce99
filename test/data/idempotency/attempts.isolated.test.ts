import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { Call } from '#scripts/local/aws-endpoint.ts';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { createProduct } from '#shared/contract/products/create-product.ts';
import { previewRemoteSync } from '#shared/contract/remote/preview-remote-sync.ts';
import { keptAnswerPartition, keptHours, ringKey } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readItem } from '#shared/data/table/item.ts';
import { isReplayed, type Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';
import { invokeWith } from '#test/support/invoke.ts';
import { endLease } from '#test/support/leases.ts';
import { useLog } from '#test/support/log.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';
import { questionsTo } from '#test/support/remote-account.ts';

/** Requests with an `Idempotency-Key` whose functions wake up late, or hear nothing from the table. */

vi.hoisted(() => {
  process.env.SECRETS_KEY_ID = 'alias/billwright-secrets';
});

const own = useOwnCloud({ instances: true });

function send(endpoint: Endpoint, by: User, scene: { readonly body: unknown }, key: string): Promise<Reply> {
  return invokeWith(endpoint, `Bearer ${by.apiKey}`, { ...scene, headers: { 'idempotency-key': key } });
}

const { written, recordLog } = useLog();

describe('an attempt', () => {
  const product = createProduct.example.body;

  const count = async (by: User) => (await by.get('/products')).body.meta.total;

  it('that wakes up after another has taken over does nothing, and says so', async () => {
    const by = await given.user();
    recordLog();
    let other: Reply | undefined;
    beforeTransaction(async () => {
      await endLease(by, 'k');
      other = await send(createProduct, by, { body: product }, 'k');
    });
    const sleeper = await send(createProduct, by, { body: product }, 'k');
    expect(other?.status).toBe(201);
    expect([sleeper.status, sleeper.body.code]).toEqual([409, 'idempotency_in_progress']);
    // It knows, and does not try to keep its refusal.
    expect(written.filter((line) => line.includes('attempt is left to its lease'))).toEqual([]);
    expect((await send(createProduct, by, { body: product }, 'k')).body).toEqual(other?.body);
    expect(await count(by)).toBe(1);
  });

  it('keeps an answer in parts that does not fit into an item', { timeout: 60_000 }, async () => {
    const by = await given.user();
    // Random text does not pack.
    const account = await given.connection(by, {
      entries: Array.from({ length: 600 }, (_, i) => ({ id: i + 1, notes: randomBytes(700).toString('base64') })),
    });
    const first = await send(previewRemoteSync, by, { body: {} }, 'k');
    expect(first.status).toBe(200);
    expect(JSON.stringify(first.body).length).toBeGreaterThan(600_000);
    const asked = (await questionsTo(account)).length;
    const again = await send(previewRemoteSync, by, { body: {} }, 'k');
    expect(isReplayed(again)).toBe(true);
    expect(again.body).toEqual(first.body);
    expect(await questionsTo(account)).toHaveLength(asked);
    const kept = await readCollection({ partition: keptAnswerPartition(by.organization.id, by.userId) });
    const endsOf = (kind: string) =>
      kept.filter(({ sk }) => String(sk).startsWith(kind)).map((item) => Number(item.expiresAtEpochSeconds));
    expect(endsOf('ANSWER#').length).toBeGreaterThan(1);
    // The table deletes what has ended in any order, and some minutes late.
    expect(new Set(endsOf('ANSWER#'))).toEqual(new Set(endsOf('REQUEST#').map((end) => end + 3_600)));
  });

  const THROTTLED = { status: 400, body: '{"__type":"ProvisionedThroughputExceededException","message":"slow down"}' };
  const CONFLICT = { status: 400, body: '{"__type":"TransactionConflictException","message":"conflict"}' };

  it.each([
    ['the answer to its beginning is lost', 'PutItem', 'dropAnswer' as const],
    ['its beginning is lost', 'PutItem', 'drop' as const],
    ['its beginning is throttled', 'PutItem', THROTTLED],
    ['its beginning meets a conflict', 'PutItem', CONFLICT],
    ['the answer to its write is lost', 'TransactWriteItems', 'dropAnswer' as const],
    ['its write is lost', 'TransactWriteItems', 'drop' as const],
    ['the answer to keeping a refusal is lost', 'UpdateItem', 'dropAnswer' as const],
    ['keeping a refusal is throttled', 'UpdateItem', THROTTLED],
  ])('comes to its answer where %s', async (_, operation, fault) => {
    const by = await given.user();
    await by.get('/products');
    const isRefused = operation === 'UpdateItem';
    const [path, name] = isRefused
      ? [`/invoices/${randomUUID()}/send`, 'send-invoice']
      : ['/products', 'create-product'];
    const body = isRefused ? undefined : product;
    const request = (key = 'k') => by.send('POST', path, { body, headers: { 'idempotency-key': key } });
    await request('other');
    let faults = 1;
    const isMet = (call: Call) => isOf(call, name) && call.operation === operation && faults-- > 0;
    const end = own.cloud.intercept((call) => (isMet(call) ? fault : undefined));
    const first = await request();
    end();
    expect(faults).toBeLessThanOrEqual(0);
    const second = await request();
    expect(first.status).toBe(isRefused ? 404 : 201);
    expect([second.status, { ...second.body, requestId: '' }]).toEqual([
      first.status,
      { ...first.body, requestId: '' },
    ]);
    expect(isReplayed(second)).toBe(true);
    expect(await count(by)).toBe(isRefused ? 0 : 2);
  });

  it('leaves the request to others at once when it fails', async () => {
    const by = await given.user();
    const end = own.cloud.intercept((call) =>
      isOf(call, 'create-product') && call.operation === 'TransactWriteItems'
        ? { status: 500, body: '{"__type":"InternalServerError","message":"fault"}' }
        : undefined,
    );
    const request = () => by.send('POST', '/products', { body: product, headers: { 'idempotency-key': 'k' } });
    const failed = await request();
    end();
    expect(failed.status).toBe(503);
    expect((await request()).status).toBe(201);
    expect(await count(by)).toBe(1);
  });

  it('answers what it has kept, even if that was not to be its last answer and something fails later', async () => {
    const by = await given.user();
    await given.connection(by);
    const body = { rows: [{ date: '2026-11-20', durationMinutes: 30 }], cleintMapping: {} };
    const end = own.cloud.intercept((call) =>
      isOf(call, 'confirm-remote-sync') && call.service === 'sqs'
        ? { status: 500, body: '{"__type":"com.amazonaws.sqs#InternalFailure","message":"fault"}' }
        : undefined,
    );
    const request = () =>
      by.send('POST', '/v1/work/tracker/remote/sync/confirm', { body, headers: { 'idempotency-key': 'k' } });
    const since = new Date().toISOString();
    const first = await request();
    end();
    expect([first.status, isReplayed(first)]).toEqual([202, false]);
    // It has written something, so it counts, and no refusals take its place.
    const partition = keptAnswerPartition(by.organization.id, by.userId);
    const between = keptHours(since, new Date().toISOString());
    expect(await readCollection({ partition, between })).toMatchObject([{ answers: 1 }]);
    expect(await readItem(ringKey(by.organization.id, by.userId))).toBeUndefined();
    const again = await request();
    expect([again.status, again.body, isReplayed(again)]).toEqual([202, first.body, true]);
    for (const { headers } of [first, again]) expect(headers.get('billwright-ignored')).toBe('body.cleintMapping');
    const { data } = (await by.get('/v1/work/tracker/remote/sync/history')).body;
    expect(data).toMatchObject([{ id: again.body.data.importJobId, status: 'failed' }]);
  });
});
