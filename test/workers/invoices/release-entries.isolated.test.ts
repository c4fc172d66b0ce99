import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Interception } from '#scripts/local/aws-endpoint.ts';
import { database, TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { claimingKey } from '#shared/data/dynamo/keys.ts';
import { findReleasing } from '#shared/data/invoices/release.ts';
import { bookEntries, ledgerSums, recount, storedEntries } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { eventually } from '#test/support/fixture-app/cloud.ts';
import { given, type User } from '#test/support/given.ts';
import { isOf, useOwnCloud } from '#test/support/own-cloud.ts';

const ENTRIES = '/v1/work/tracker/entries';
/** Most of the work is of one day, which then is more than the index hands out at once. */
const DATES = ['2026-11-02', ...Array<string>(9).fill('2026-11-20')];
const NOVEMBER = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };
const MINUTE_MILLISECONDS = 60_000;

/** Unlike a broken connection it is not tried again, for seconds, by a function that is to be dead. */
const DENIAL = { status: 400, body: '{"__type":"AccessDeniedException"}' };

const OUTAGE = { status: 500, body: '{"__type":"InternalFailure"}' };

const own = useOwnCloud();

/** A client with so many entries, of which two thirds are billable. */
async function scene(by: User, entries: number) {
  const client = await given.client(by);
  const project = await given.project(by, { clientId: client.id });
  const ids = await bookEntries(by, project, entries, DATES);
  return { clientId: client.id, ids, billable: ids.filter((_, i) => i % 3 > 0) };
}

const body = (clientId: string) => ({ clientId, timeEntries: { ...NOVEMBER, groupBy: 'project' } });

/** The claim of a new invoice has its id. */
const isCleared = async (by: User, invoice: Json) => {
  const released = { organizationId: by.organization.id, claimId: invoice.id };
  await eventually(async () => ((await findReleasing(released)) ? undefined : true));
};

const heldBy = async (by: User, ids: readonly string[]) =>
  new Set([...(await storedEntries(by, ids)).values()].map(({ invoiceId }) => invoiceId));

/** Runs something, and counts the calls of POST /invoices, but for those with which it looks whether it may go on. */
async function callsToInvoice<T>(run: () => Promise<T>): Promise<{ readonly outcome: T; readonly calls: number }> {
  let calls = 0;
  const end = own.cloud.intercept((call) => {
    if (isOf(call, 'create-invoice') && call.operation !== 'GetItem') calls += 1;
    return undefined;
  });
  const outcome = await run();
  end();
  return { outcome, calls };
}

describe('an invoice of thousands of entries', () => {
  it('goes to one of thirty requests, lets go of all at once, and gives them to the next before they are cleared', {
    timeout: 120_000,
  }, async () => {
    const ana = await given.user();
    const { clientId, ids, billable } = await scene(ana, 2_100);
    const sumsBefore = await ledgerSums(ana);
    const summary = (await ana.get(`${ENTRIES}/summary`, NOVEMBER)).body.data;
    const crowd = await callsToInvoice(() =>
      Promise.all(Array.from({ length: 30 }, () => ana.post('/invoices', body(clientId)))),
    );
    const made = crowd.outcome.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    // On a busy machine the table may not answer all of them in time.
    const refusals = ['400 invoice_empty', '409 invoicing_in_progress', '503 temporarily_unavailable'];
    for (const { status, body: refusal } of crowd.outcome.filter((reply) => reply !== made[0])) {
      expect(refusals).toContain(`${status} ${refusal.code}`);
    }
    const invoice = (await ana.post(`/invoices/${made[0]?.body.data.id}/send`)).body.data;
    expect(Number(invoice.subtotal)).toBe(summary.totalAmount);
    expect(invoice.lineItems[0].entryIds.toSorted()).toEqual(billable.toSorted());
    const page = async () => (await ana.get(ENTRIES, { limit: 200, billable: true })).body.data;
    const holders = async () => new Set((await page()).map(({ invoiceId }: Json) => invoiceId));
    expect(await holders()).toEqual(new Set([invoice.id]));
    expect((await ana.patch(`${ENTRIES}/${billable[0]}`, { description: 'x' })).status).toBe(409);

    const worker = own.hold('release-entries');
    expect((await ana.post(`/invoices/${invoice.id}/void`)).status).toBe(200);
    await worker.reached;
    expect(await heldBy(ana, billable)).toEqual(new Set([invoice.id]));
    expect(await holders()).toEqual(new Set([null]));
    expect((await ana.patch(`${ENTRIES}/${billable[0]}`, { billable: false })).status).toBe(200);
    expect((await ana.delete(`${ENTRIES}/${billable[1]}`)).status).toBe(200);
    const { outcome: next, calls } = await callsToInvoice(() => given.invoice(ana, body(clientId)));
    expect(next.lineItems[0].entryIds.toSorted()).toEqual(billable.slice(2).toSorted());
    expect(crowd.calls).toBeLessThan(30 * calls);
    console.log('billing thousands:', JSON.stringify({ alone: calls, thirtyAtOnce: crowd.calls }));
    worker.release();

    await isCleared(ana, invoice);
    expect(await heldBy(ana, billable.slice(2))).toEqual(new Set([next.id]));
    expect(await heldBy(ana, billable.slice(0, 1))).toEqual(new Set([null]));
    await ana.delete(`/invoices/${next.id}`);
    await isCleared(ana, next);
    expect(await heldBy(ana, ids)).toEqual(new Set([null]));
    const entries = [...(await storedEntries(ana, ids)).values()];
    expect(await ledgerSums(ana)).toEqual(recount(entries));
    expect(Object.keys(sumsBefore).length).toBeGreaterThan(0);
  });
});

describe('the worker', () => {
  /** Ends the first deliveries of a message after so many calls each. */
  function kill(lives: readonly number[]): { readonly deaths: () => number; readonly end: () => void } {
    const calls = new Map<string, number>();
    const dead = new Set<string>();
    const end = own.cloud.intercept((call): Interception => {
      if (!isOf(call, 'release-entries') || !call.requestId) return undefined;
      const count = (calls.get(call.requestId) ?? 0) + 1;
      calls.set(call.requestId, count);
      const life = lives[[...calls.keys()].indexOf(call.requestId)];
      if (life === undefined || count <= life) return undefined;
      const isFirst = !dead.has(call.requestId);
      dead.add(call.requestId);
      return isFirst && count % 2 ? 'dropAnswer' : DENIAL;
    });
    return { deaths: () => dead.size, end };
  }

  it('is finished by the next, wherever it dies', { timeout: 60_000 }, async () => {
    let deaths = 0;
    for (const lives of [
      [0, 1, 2],
      [3, 4],
      [5, 6],
    ]) {
      const ana = await given.user();
      const { clientId, ids } = await scene(ana, 360);
      const invoice = await given.invoice(ana, body(clientId));
      const killing = kill(lives);
      await ana.delete(`/invoices/${invoice.id}`);
      await isCleared(ana, invoice);
      deaths += killing.deaths();
      killing.end();
      expect(await heldBy(ana, ids)).toEqual(new Set([null]));
    }
    expect(deaths).toBe(7);
  });

  it('goes on with another message when its time is up', async () => {
    const { handler } = await import('#functions/invoices/release-entries.ts');
    const ana = await given.user();
    const { clientId, billable } = await scene(ana, 180);
    const invoice = await given.invoice(ana, body(clientId));
    const worker = own.hold('release-entries');
    await ana.delete(`/invoices/${invoice.id}`);
    await worker.reached;
    const questions: number[] = [];
    const getRemainingTimeInMillis = () => (questions.push(1) > 2 ? 0 : 60_000);
    expect(await handler(eventOf(ana, invoice.id), { getRemainingTimeInMillis })).toEqual({ batchItemFailures: [] });
    expect(await heldBy(ana, billable)).toEqual(new Set([invoice.id, null]));
    worker.release();
    await isCleared(ana, invoice);
    expect(await heldBy(ana, billable)).toEqual(new Set([null]));
  });

  it('goes on for twenty rounds at most, and then fails, for the dead letters and their alarm', async () => {
    const { handler } = await import('#functions/invoices/release-entries.ts');
    const ana = await given.user();
    const { clientId, billable } = await scene(ana, 180);
    const invoice = await given.invoice(ana, body(clientId));
    const worker = own.hold('release-entries');
    await ana.delete(`/invoices/${invoice.id}`);
    await worker.reached;
    const times = [60_000];
    const noTimeToGoOn = { getRemainingTimeInMillis: () => times.shift() ?? 0 };
    const itsMessage = { batchItemFailures: [{ itemIdentifier: 'm' }] };
    expect(await handler(eventOf(ana, invoice.id, { round: 20 }), noTimeToGoOn)).toEqual(itsMessage);
    worker.release();
    await isCleared(ana, invoice);
    expect(await heldBy(ana, billable)).toEqual(new Set([null]));
  });

  it('leaves to the next invoice what that bills between its read and its write', async () => {
    const ana = await given.user();
    const { clientId, billable } = await scene(ana, 9);
    const invoice = await given.invoice(ana, body(clientId));
    const worker = own.hold('release-entries', 'TransactWriteItems');
    await ana.delete(`/invoices/${invoice.id}`);
    await worker.reached;
    const [free, ...entryIds] = billable;
    const next = await given.invoice(ana, { clientId, lineItems: [{ entryIds }] });
    worker.release();
    await isCleared(ana, invoice);
    expect(await heldBy(ana, entryIds)).toEqual(new Set([next.id]));
    expect(await heldBy(ana, [free ?? ''])).toEqual(new Set([null]));
    const shown = (await ana.get(ENTRIES, { billable: true })).body.data;
    const invoiced = shown.filter(({ billingStatus }: Json) => billingStatus === 'invoiced');
    expect(invoiced.map(({ id }: Json) => id).sort()).toEqual(entryIds.toSorted());
    expect((await ana.post('/invoices', body(clientId))).body.data.lineItems[0].entryIds).toEqual([free]);
  });

  it('does nothing to an invoice that stands, or to what it never heard of', async () => {
    const ana = await given.user();
    const { clientId, ids } = await scene(ana, 6);
    const invoice = await given.invoice(ana, body(clientId));
    const before = await storedEntries(ana, ids);
    for (const id of [invoice.id, randomUUID()]) {
      const { payload } = await own.cloud.invoke('release-entries', eventOf(ana, id));
      expect(JSON.parse(payload)).toEqual({ batchItemFailures: [] });
    }
    expect(await storedEntries(ana, ids)).toEqual(before);
  });

  function eventOf(by: User, claimId: string, more: object = {}) {
    const message = JSON.stringify({ organizationId: by.organization.id, claimId, ...more });
    const attributes = { MessageGroupId: by.organization.id, ApproximateReceiveCount: '1' };
    return JSON.parse(
      JSON.stringify({
        Records: [{ messageId: 'm', body: message, attributes, eventSourceARN: 'arn:aws:sqs:x:y:releases' }],
      }),
    );
  }
});

describe('the sweep', () => {
  it('asks again for a release that the queue did not take, once five minutes have passed', async () => {
    const ana = await given.user();
    const { clientId, ids } = await scene(ana, 6);
    const invoice = await given.invoice(ana, body(clientId));
    const endOutage = own.cloud.intercept((call) =>
      isOf(call, 'delete-invoice') && call.operation === 'SendMessage' ? OUTAGE : undefined,
    );
    expect((await ana.delete(`/invoices/${invoice.id}`)).status).toBe(200);
    endOutage();
    const released = { organizationId: ana.organization.id, claimId: invoice.id };
    const deletedAt = Date.parse((await findReleasing(released))?.createdAt ?? '');
    await own.cloud.fireSchedule('sweep-claims', new Date(deletedAt + 5 * MINUTE_MILLISECONDS - 2_000));
    expect(await findReleasing(released)).toMatchObject(released);
    await own.cloud.fireSchedule('sweep-claims', new Date(deletedAt + 5 * MINUTE_MILLISECONDS + 2_000));
    await isCleared(ana, invoice);
    expect(await heldBy(ana, ids)).toEqual(new Set([null]));
  });

  it('asks for all others where the queue refuses one, and fails then', async () => {
    const releases = new Map<string, { by: User; invoice: Json }>();
    const endOutage = own.cloud.intercept(({ operation }) => (operation === 'SendMessage' ? OUTAGE : undefined));
    for (let i = 0; i < 3; i++) {
      const by = await given.user();
      const invoice = await given.invoice(by, body((await scene(by, 3)).clientId));
      await by.delete(`/invoices/${invoice.id}`);
      releases.set(by.organization.id, { by, invoice });
    }
    endOutage();
    let refusedId = '';
    const endRefusals = own.cloud.intercept(({ operation, requestBody }) => {
      if (operation !== 'SendMessage') return undefined;
      refusedId ||= [...releases.keys()].find((id) => requestBody.includes(id)) ?? '';
      return requestBody.includes(refusedId) ? OUTAGE : undefined;
    });
    const time = new Date(Date.now() + 5 * MINUTE_MILLISECONDS).toISOString();
    const { functionError } = await own.cloud.invoke('sweep-claims', { time });
    endRefusals();
    expect(functionError).toBeDefined();
    const released = { organizationId: refusedId, claimId: releases.get(refusedId)?.invoice.id };
    releases.delete(refusedId);
    for (const { by, invoice } of releases.values()) await isCleared(by, invoice);
    expect(await findReleasing(released)).toMatchObject(released);
  });

  it('gives up the claim of a request that died, and clears its entries', {
    timeout: 60_000,
  }, async () => {
    const ana = await given.user();
    const { clientId, ids } = await scene(ana, 180);
    let transactions = 0;
    const endOutage = own.cloud.intercept((call) => {
      if (!isOf(call, 'create-invoice')) return undefined;
      if (call.operation === 'TransactWriteItems') transactions += 1;
      return transactions > 3 ? DENIAL : undefined;
    });
    const dying = await ana.post('/invoices', body(clientId));
    endOutage();
    expect(dying.status).toBe(500);
    const [claimId] = [...(await heldBy(ana, ids))].filter((id) => id !== null);
    expect((await ana.get(ENTRIES, { limit: 200 })).body.data.every(({ invoiceId }: Json) => invoiceId === null)).toBe(
      true,
    );

    await own.cloud.fireSchedule('sweep-claims', new Date(Date.now() + MINUTE_MILLISECONDS + 2_000));
    await isCleared(ana, { id: claimId });
    expect(await heldBy(ana, ids)).toEqual(new Set([null]));
    expect((await given.invoice(ana, body(clientId))).lineItems[0].entryIds).toHaveLength(120);
  });

  it('leaves alone who is still claiming, and so do other requests, which are told when to come back', async () => {
    const ana = await given.user();
    const { clientId } = await scene(ana, 3);
    const claiming = { organizationId: ana.organization.id, clientId, claimId: randomUUID() };
    const expiresAt = new Date(Date.now() + 40_000).toISOString();
    const Item = { ...claimingKey(claiming.organizationId, clientId), ...claiming, expiresAt };
    await database.send(new PutCommand({ TableName: TABLE_NAME, Item }));
    const waiting = await ana.post('/invoices', body(clientId));
    expect(waiting).toMatchObject({ status: 409, body: { code: 'invoicing_in_progress' } });
    expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(30);
    expect(Number(waiting.headers.get('retry-after'))).toBeLessThanOrEqual(40);
    await own.cloud.fireSchedule('sweep-claims', new Date(Date.parse(expiresAt) - 1_000));
    expect(await findReleasing(claiming)).toBeUndefined();
    await own.cloud.fireSchedule('sweep-claims', new Date(Date.parse(expiresAt) + 1_000));
    await isCleared(ana, { id: claiming.claimId });
    expect((await ana.post('/invoices', body(clientId))).status).toBe(201);
  });
});
