import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { workUnderFaults } from '#test/search/faults.ts';
import { given } from '#test/support/given.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';

/** A sample of `npm run search -- faults`, which makes many times as many operations. */

const OPERATIONS = 60;
const USERS = 3;
const SEED = 1;
const FAULT_SHARE = 0.05;

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

const cancelled = (code: string) => ({
  status: 400,
  body: JSON.stringify({
    __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
    CancellationReasons: [{ Code: code }],
  }),
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
