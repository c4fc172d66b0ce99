import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Interception } from '#scripts/local/aws-endpoint.ts';
import { workUnderFaults } from '#test/search/faults.ts';
import type { Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';
import { type GivenWebhook, givenWebhook, webhookCounts } from '#test/support/webhooks.ts';

/** A sample of `npm run search -- faults`, which makes many times as many operations. */

const OPERATIONS = 60;
const USERS = 3;
const SEED = 1;
const FAULT_SHARE = 0.05;
const DAY = '2026-11-02';

const own = useOwnCloud({ instances: true });

describe('work while calls to AWS fail in every way', () => {
  it('succeeds or ends in a documented problem, and leaves nothing lost, doubled or half done', {
    timeout: 120_000,
  }, async () => {
    const plan = { operations: OPERATIONS, seed: SEED, faultShare: FAULT_SHARE, users: USERS };
    const { violations, calls, faults } = await workUnderFaults(own.cloud, plan);
    const struck = Object.values(faults).reduce((sum, count) => sum + count, 0);
    expect(violations).toEqual([]);
    expect(struck).toBeGreaterThan((calls * FAULT_SHARE) / 5);
  });
});

const failure = (status: number, type: string) => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Made for a test.' }),
});

describe('a single write', () => {
  const CONFLICT = failure(400, 'TransactionConflictException');
  const THROTTLE = failure(400, 'ProvisionedThroughputExceededException');

  /** Makes the first request of a key. It takes its token in a single write, which is refused so many times first. */
  async function beginAgainst(refusals: number, refused: Interception): Promise<Reply> {
    const ana = await given.user();
    let met = 0;
    const end = own.cloud.intercept(({ functionName, operation }) => {
      const isWrite = functionName !== undefined && operation === 'UpdateItem';
      return isWrite && ++met <= refusals ? refused : undefined;
    });
    try {
      return await ana.get('/products');
    } finally {
      end();
    }
  }

  it.each([
    ['a transaction is in its way', CONFLICT],
    ['its table is asked for too much', THROTTLE],
  ])('waits for its turn while %s', async (_, refused) => {
    expect((await beginAgainst(2, refused)).status).toBe(200);
  });

  it.each([
    ['the transactions do not end', CONFLICT],
    ['its table stays overloaded', THROTTLE],
  ])('says when to come back where %s', async (_, refused) => {
    const { status, body, headers } = await beginAgainst(Number.POSITIVE_INFINITY, refused);
    expect({ status, code: body.code }).toEqual({ status: 503, code: 'temporarily_unavailable' });
    expect(headers.get('retry-after')).toBe('1');
  });
});

const cancelled = (code: string) => ({
  status: 400,
  body: JSON.stringify({
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    CancellationReasons: [{ Code: code }],
  }),
});

describe('an import into one day, of whose writes the table takes every other', () => {
  it('goes on until all is there, once, while others book on that day', async () => {
    const ana = await given.user();
    await given.connection(ana);
    const rows = Array.from({ length: 200 }, (_, i) => ({ date: DAY, durationMinutes: 30, externalId: String(i) }));
    let [writes, throttled] = [0, 0];
    const end = own.cloud.intercept(({ functionName, operation }) => {
      const isWrite = functionName !== undefined && operation === 'TransactWriteItems';
      if (!isWrite || ++writes % 2 === 0) return undefined;
      throttled += 1;
      return cancelled('ThrottlingError');
    });
    onTestFinished(end);
    const [job, ...booked] = await Promise.all([
      ana.post('/v1/work/tracker/remote/sync/confirm', { rows }),
      ...Array.from({ length: 10 }, () => given.entry(ana, { entryDate: DAY })),
    ]);
    expect(job.status).toBe(200);
    expect(job.body.data).toMatchObject({ status: 'imported', importedCount: rows.length });
    expect(throttled).toBeGreaterThan(booked.length);
    const list = await ana.get('/v1/work/tracker/entries', { dateFrom: DAY, dateTo: DAY });
    expect(list.body.meta.total).toBe(rows.length + booked.length);
  });
});

const ENTRY = { description: 'Work', durationMinutes: 60, entryDate: DAY };

const ENTRIES = '/v1/work/tracker/entries';

const INTERNAL = failure(500, 'InternalServerError');

describe('a transaction whose answer is lost', () => {
  /** Breaks off the answer to a function's first transaction for an organization. @param then what becomes of the next */
  function loseAnswers(functionName: string, { organization }: User, then: () => Interception): () => number {
    let calls = 0;
    own.cloud.intercept((call) => {
      const isMet = isOf(call, functionName) && call.operation === 'TransactWriteItems';
      if (!isMet || !call.requestBody.includes(organization.id)) return undefined;
      return calls++ === 0 ? 'dropAnswer' : then();
    });
    return () => calls;
  }

  /** A fault for some seconds from now on, as long as a table may take to get well. */
  function forSeconds(fault: Interception): () => Interception {
    const endsAt = performance.now() + 4_000;
    return () => (performance.now() < endsAt ? fault : undefined);
  }

  const FAULTS: readonly (readonly [string, Interception])[] = [
    ['fails with 500', INTERNAL],
    ['is throttled', failure(400, 'ThrottlingException')],
    ['finds no connection', 'drop'],
    ['loses its answer too', 'dropAnswer'],
  ];

  it.concurrent.each(FAULTS)('has written, though for seconds its repetition %s', async (_, fault) => {
    const ana = await given.user();
    const calls = loseAnswers('create-entry', ana, forSeconds(fault));
    const { status, body } = await ana.post(ENTRIES, ENTRY);
    expect([status, body.code]).toEqual([201, undefined]);
    expect((await ana.get(ENTRIES)).body.data).toMatchObject([{ id: body.data.id }]);
    expect(calls()).toBeLessThan(60);
  });

  it.each([
    ['create-webhook', 2, ({ ana }: GivenWebhook) => ana.post('/v1/webhooks', { url: 'https://hooks.example.com/' })],
    ['delete-webhook', 0, ({ ana, path }: GivenWebhook) => ana.delete(path)],
  ] as const)('counts a webhook once in %s', async (functionName, left, ask) => {
    const made = await givenWebhook();
    const calls = loseAnswers(functionName, made.ana, () => undefined);
    expect((await ask(made)).status).toBeLessThan(300);
    expect(calls()).toBe(2);
    expect(await webhookCounts(made.ana.organization.id)).toEqual({ counted: left, there: left });
  });

  it('is told to be unknown where no answer comes in time', async () => {
    const ana = await given.user();
    loseAnswers('create-entry', ana, () => INTERNAL);
    const reply = await ana.post(ENTRIES, ENTRY);
    expect([reply.status, reply.body.code]).toEqual([503, 'temporarily_unavailable']);
    expect(reply.body.detail).toContain('unknown');
    expect((await ana.get(ENTRIES)).body.data).toHaveLength(1);
  });

  it('is told as it is to a named request, which finds the answer that it has kept', async () => {
    const ana = await given.user();
    const send = () => ana.send('POST', ENTRIES, { body: ENTRY, headers: { 'idempotency-key': 'k' } });
    let isIll = true;
    loseAnswers('create-entry', ana, () => (isIll ? INTERNAL : undefined));
    const first = await send();
    isIll = false;
    const again = await send();
    expect([first.status, again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 201, 'true']);
    expect(again.body).toEqual(first.body);
    expect((await ana.get(ENTRIES)).body.data).toMatchObject([{ id: first.body.data.id }]);
  });
});

describe('a confirm whose job cannot be looked at once its rows are on their way', () => {
  const rows = Array.from({ length: 5 }, (_, i) => ({ date: DAY, durationMinutes: 30 + i, externalId: `x${i}` }));

  it.each([
    ['it has no name', {}],
    ['it has one', { 'idempotency-key': 'k' }],
  ])('is answered that it goes on, and makes one job, where %s', async (_, headers) => {
    const ana = await given.user();
    await given.connection(ana);
    let isSent = false;
    const end = own.cloud.intercept((call) => {
      if (!isOf(call, 'confirm-remote-sync')) return undefined;
      isSent ||= call.operation === 'SendMessage';
      return isSent && call.operation === 'GetItem' ? INTERNAL : undefined;
    });
    const send = () => ana.send('POST', '/v1/work/tracker/remote/sync/confirm', { body: { rows }, headers });
    const first = await send();
    end();
    expect([first.status, first.body.data]).toMatchObject([202, { status: 'processing' }]);
    const history = async () => (await ana.get('/v1/work/tracker/remote/sync/history')).body.data;
    const ended = { id: first.body.data.importJobId, status: 'imported', importedCount: rows.length };
    await expect.poll(history).toMatchObject([ended]);
    if (!('idempotency-key' in headers)) return;
    const again = await send();
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(await history()).toMatchObject([ended]);
  });
});

describe('a request that was answered 503 because its time was over', () => {
  it('writes nothing at the next events of its function', { timeout: 40_000 }, async () => {
    const ana = await given.user();
    const { id, description } = await given.entry(ana);
    const path = `/v1/work/tracker/entries/${id}`;
    const startedAt = performance.now();
    let hasChanged = false;
    const end = own.cloud.intercept((call) => {
      if (!isOf(call, 'update-entry') || call.operation !== 'TransactWriteItems') return undefined;
      // Somebody seems to have changed the entry, so that the request begins anew.
      if (hasChanged || performance.now() - startedAt < 5_000) return cancelled('TransactionConflict');
      hasChanged = true;
      return cancelled('ConditionalCheckFailed');
    });
    const { status, headers } = await ana.patch(path, { description: 'Too late' });
    end();
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '1' });
    expect(hasChanged).toBe(true);
    for (let i = 0; i < 3; i++) {
      expect((await ana.patch(path, { durationMinutes: 0 })).status).toBe(422);
      await sleep(300);
    }
    expect((await ana.get(path)).body.data).toMatchObject({ description });
  });
});

describe('a queue that takes no message', () => {
  const REFUSALS = [
    ['is throttled', 400, 'com.amazonaws.sqs#RequestThrottled'],
    ['fails', 500, 'com.amazonaws.sqs#InternalFailure'],
    ['is not there for a while', 503, 'ServiceUnavailable'],
  ] as const;

  it.each(REFUSALS)('because it %s lets an import be tried again later', async (_, status, type) => {
    const ana = await given.user();
    await given.connection(ana);
    const body = JSON.stringify({ __type: type, message: 'Made for a test.' });
    const end = own.cloud.intercept(({ functionName, service }) =>
      functionName !== undefined && service === 'sqs' ? { status, body } : undefined,
    );
    try {
      const rows = [{ date: '2026-11-20', durationMinutes: 60 }];
      const reply = await ana.post('/v1/work/tracker/remote/sync/confirm', { rows });
      expect({ status: reply.status, code: reply.body.code }).toEqual({ status: 503, code: 'temporarily_unavailable' });
    } finally {
      end();
    }
  });
});

describe('lists of clients and invoices by creation, while indexes show nothing yet', () => {
  const CLIENTS = [{}, { q: 'north' }];
  const INVOICES = [{}, { q: 'north' }, { status: 'draft' }, { overdue: false }, { issueFrom: '2026-01-01' }];
  const LISTS = [
    ...CLIENTS.map((filter) => ['/clients', filter] as const),
    ...INVOICES.map((filter) => ['/invoices', filter] as const),
  ];
  const EMPTY = { status: 200, body: JSON.stringify({ Items: [], Count: 0, ScannedCount: 0 }) };

  it('show at once what is also in indexes', async () => {
    const ana = await given.user();
    onTestFinished(
      own.cloud.intercept(({ requestBody }) => (requestBody.includes('"IndexName":') ? EMPTY : undefined)),
    );
    const shown = () =>
      Promise.all(
        LISTS.flatMap(([path, filter]) => [
          ana.get(path, filter).then(({ body }) => body.data.length),
          ana.get(path, { pagination: 'cursor', ...filter }).then(({ body }) => body.edges.length),
        ]),
      );
    const client = await given.client(ana);
    await given.invoice(ana, { clientId: client.id, issueDate: '2026-11-20' });
    expect(await shown()).toEqual(Array(2 * LISTS.length).fill(1));
    const byName = await ana.get('/clients', { pagination: 'cursor', orderBy: 'name' });
    expect(byName.body).toMatchObject({ edges: [], totalCount: 1 });
  });
});
