import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import {
  createInvoice,
  deleteInvoice,
  getInvoice,
  listInvoices,
  updateInvoice,
} from '#shared/contract/invoices/invoices.ts';
import { sendInvoice, voidInvoice } from '#shared/contract/invoices/steps.ts';
import { createProduct, deleteProduct, listProducts, updateProduct } from '#shared/contract/products/products.ts';
import { createEntry, deleteEntry, updateEntry } from '#shared/contract/tracker/entries.ts';
import { tokensFor } from '#shared/contract/weight.ts';
import { counted, wholeUsage } from '#shared/data/dynamo/consumption.ts';
import { database } from '#shared/data/dynamo/database.ts';
import { transact } from '#shared/data/dynamo/transaction.ts';
import { readInvoice, removeInvoice } from '#shared/data/invoices/invoices.ts';
import { entryClaim, entryRelease } from '#shared/data/tracker/claims.ts';
import { readEntries } from '#shared/data/tracker/entries.ts';
import { updateUnits } from '#shared/data/tracker/entry-items.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Json, Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { invokeWith } from '#test/support/invoke.ts';

/** What a request pays for the table that it uses, where its contract names no weight. */

/** Functions run in this process here, which has no queue. */
vi.mock('#shared/queue/releases.ts', () => ({ requestReleases: async () => undefined }));

/** A token takes five seconds to come back, so none does during a request. */
const LIMIT = 12;
const WIDE = '\u{1f4d0}';
const PRODUCT = { name: WIDE.repeat(255), description: WIDE.repeat(2_000), price: '1' };
const DAY = '2026-11-20';

let ana: User;

beforeAll(async () => {
  ana = await given.user();
});

const leftAfter = ({ headers }: Reply): number => Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

type Invocation = Parameters<typeof invokeWith>[2];

/** What a request weighs for a key of that limit, and what an independent count says that it used. */
async function weigh(endpoint: Endpoint, invocation: Invocation = {}, key?: User) {
  const by = key ?? (await given.user({ organization: ana.organization, rateLimit: LIMIT }));
  let reply: Reply | undefined;
  const { readUnits, writeUnits } = await costOf(async () => {
    reply = await invokeWith(endpoint, `Bearer ${by.apiKey}`, invocation);
  });
  if (!reply) throw new Error('There was no answer.');
  return { reply, weight: LIMIT - leftAfter(reply), used: { readUnits, writeUnits } };
}

/** A client with billable entries on a day. */
async function worked(descriptions: readonly string[]): Promise<Json> {
  const client = await given.client(ana, { currency: 'USD' });
  for (const description of descriptions) {
    await given.entry(ana, { clientId: client.id, rate: 60, currency: 'USD', entryDate: DAY, description });
  }
  return client;
}

const billing = ({ id }: Json) => ({
  clientId: id,
  currency: 'USD',
  timeEntries: { dateFrom: DAY, dateTo: DAY, groupBy: 'entry' },
});

const MANY = Array.from({ length: 40 }, (_, i) => `Work ${i}`);

const SHORT = Array.from({ length: 12 }, (_, i) => `Work ${i}`);

/** Lines of texts that cannot be packed. */
function longLines(): Json[] {
  const text = () => randomBytes(1_500).toString('base64');
  return Array.from({ length: 300 }, () => ({ name: 'Work', description: text(), price: '1' }));
}

describe('a use of the table', () => {
  it('takes a token for each 100 read units begun, of which a write unit counts as five, and at least one', () => {
    const units = fc.record({
      readUnits: fc.integer({ min: 0, max: 50_000 }),
      writeUnits: fc.integer({ min: 0, max: 9_000 }),
    });
    fc.assert(
      fc.property(units, ({ readUnits, writeUnits }) => {
        const tokens = tokensFor({ readUnits, writeUnits });
        const price = readUnits + 5 * writeUnits;
        return tokens * 100 >= price && (tokens === 1 || (tokens - 1) * 100 < price);
      }),
    );
  });
});

describe('a request without a weight in its contract', () => {
  const products = (ids: readonly Json[]) => ids.map(({ id }) => ({ id }));

  const REQUESTS: Readonly<Record<string, () => Promise<[Endpoint, Invocation, number]>>> = {
    'creates a short product': async () => [createProduct, { body: { name: 'Desk', price: '1' } }, 1],
    'creates a product of the longest texts': async () => [createProduct, { body: PRODUCT }, 3],
    'hides a product of the longest texts': async () => [
      updateProduct,
      { params: products([await given.product(ana, PRODUCT)])[0], body: { isActive: false } },
      3,
    ],
    'deletes a product of the longest texts': async () => [
      deleteProduct,
      { params: products([await given.product(ana, PRODUCT)])[0] },
      3,
    ],
    'creates a short entry': async () => [
      createEntry,
      { body: { description: 'Work', entryDate: DAY, durationMinutes: 30 } },
      1,
    ],
    'creates an entry of the longest description': async () => [
      createEntry,
      { body: { description: WIDE.repeat(500), entryDate: DAY, durationMinutes: 30 } },
      2,
    ],
    'moves an entry of the longest description': async () => [
      updateEntry,
      {
        params: { id: (await given.entry(ana, { description: WIDE.repeat(500) })).id },
        body: { entryDate: '2026-11-19' },
      },
      2,
    ],
    'deletes a short entry': async () => [deleteEntry, { params: { id: (await given.entry(ana)).id } }, 1],
    'reads a list of a few products': async () => [listProducts, { query: { limit: '2' } }, 1],
    'reads an invoice of a line': async () => [getInvoice, { params: { id: (await given.invoice(ana)).id } }, 1],
    'reads a list of a few invoices': async () => [listInvoices, { query: { limit: '2' } }, 1],
  };

  it.each(Object.entries(REQUESTS))('pays for what it uses if it %s', async (_, prepare) => {
    const [endpoint, invocation, expected] = await prepare();
    const { reply, weight, used } = await weigh(endpoint, invocation);
    expect(reply.status).toBeLessThan(300);
    expect({ weight, used: tokensFor(used) }).toEqual({ weight: expected, used: expected });
  });

  it('pays for a page that reads much', async () => {
    const rich = await given.user();
    for (let i = 0; i < 60; i++) await given.product(rich, PRODUCT);
    const bea = await given.user({ organization: rich.organization, rateLimit: LIMIT });
    const { weight, used } = await weigh(listProducts, { query: { limit: '60' } }, bea);
    expect(used.readUnits).toBeGreaterThan(100);
    expect({ weight, used: tokensFor(used) }).toEqual({ weight: 2, used: 2 });
  });

  it('pays for what it has read before a rule refuses it', async () => {
    const { id } = await given.sentInvoice(ana, { lineItems: longLines() });
    const { reply, weight, used } = await weigh(sendInvoice, { params: { id } });
    expect({ status: reply.status, weight }).toEqual({ status: 409, weight: tokensFor(used) });
    expect(weight).toBeGreaterThan(1);
  });

  it('is refused for its body at the price of one token, whatever was read before', async () => {
    const { id } = await given.product(ana, PRODUCT);
    const { reply, weight } = await weigh(updateProduct, { params: { id }, body: { name: '' } });
    expect({ status: reply.status, weight }).toEqual({ status: 422, weight: 1 });
  });
});

describe('the entries of an invoice', () => {
  it.each([
    ['short', 'Work'],
    ['long', 'ä'.repeat(500)],
    ['the longest', WIDE.repeat(500)],
  ])('cost what DynamoDB says, when they come and when they leave: %s', async (_, description) => {
    const client = await worked([description]);
    const { body } = await ana.get('/v1/work/tracker/entries', { clientId: client.id });
    const read = () => readEntries(ana.organization.id, [body.data[0].id]);
    const holder = { invoiceId: client.id, claimId: client.id };
    const [entry] = await read();
    if (!entry) throw new Error('There is no entry.');
    const claiming = await costOf(() => transact(entryClaim(entry, holder)));
    const [claimed] = await read();
    const clearing = await costOf(() => transact(claimed ? entryRelease(claimed, holder.claimId) : []));
    expect([claiming.writeUnits, clearing.writeUnits]).toEqual([updateUnits([entry]), updateUnits([entry])]);
  });

  const stored = async ({ id }: Json) => (await readInvoice(ana.organization.id, id)).entryUnits;

  it('are paid when they come', async () => {
    const { reply, weight, used } = await weigh(createInvoice, { body: billing(await worked(SHORT)) });
    expect(await stored(reply.body.data)).toBe(4 * SHORT.length);
    expect(weight).toBe(tokensFor(used));
    expect(weight).toBeGreaterThanOrEqual(3);
  });

  it('are paid when they leave, though a worker clears them', async () => {
    const client = await worked(SHORT);
    const draft = await given.invoice(ana, billing(client));
    const { weight, used } = await weigh(deleteInvoice, { params: { id: draft.id } });
    expect(weight).toBe(tokensFor({ ...used, writeUnits: used.writeUnits + 4 * SHORT.length }));
    const sent = await given.sentInvoice(ana, billing(client));
    const voided = await weigh(voidInvoice, { params: { id: sent.id } });
    expect(voided.weight).toBe(tokensFor({ ...voided.used, writeUnits: voided.used.writeUnits + 4 * SHORT.length }));
    expect(await stored(sent)).toBe(0);
  });

  it('are paid when lines are replaced: those that come, those that stay and move, and those that leave', async () => {
    const client = await worked(SHORT);
    const { id, lineItems } = await given.invoice(ana, billing(client));
    const [first, ...others] = lineItems as readonly Json[];
    const fewer = await weigh(updateInvoice, { params: { id }, body: { lineItems: others } });
    expect(fewer.weight).toBe(tokensFor({ ...fewer.used, writeUnits: fewer.used.writeUnits + 4 }));
    expect(await stored({ id })).toBe(4 * others.length);
    const back = await weigh(updateInvoice, {
      params: { id },
      body: { lineItems: [...others, { entryIds: first?.entryIds }] },
    });
    expect({ status: back.reply.status, weight: back.weight }).toEqual({ status: 200, weight: tokensFor(back.used) });
    expect(await stored({ id })).toBe(4 * SHORT.length);
  });

  it('change nothing if the bucket cannot pay, which is said before', async () => {
    const client = await worked(MANY);
    const body = billing(client);
    const poor = async () => {
      const by = await given.user({ organization: ana.organization, rateLimit: 20 });
      for (let i = 0; i < 18; i++) await by.get('/v1/me');
      return by;
    };
    const refused = await (await poor()).post('/invoices', body);
    expect({ status: refused.status, code: refused.body.code }).toEqual({ status: 429, code: 'rate_limited' });
    expect(refused.body.detail).toMatch(/^The key allows 20 requests a minute, and this one counts as \d+; try again/);
    const { id, lineItems } = await given.invoice(ana, body);
    expect(lineItems).toHaveLength(MANY.length);
    expect((await (await poor()).delete(`/invoices/${id}`)).status).toBe(429);
    expect((await (await poor()).patch(`/invoices/${id}`, { lineItems: lineItems.slice(1) })).status).toBe(429);
    await ana.post(`/invoices/${id}/send`);
    expect((await (await poor()).post(`/invoices/${id}/void`)).status).toBe(429);
    const { body: after } = await ana.get(`/invoices/${id}`);
    expect(after.data).toMatchObject({ status: 'sent', lineItems });
  });

  it('can be paid when Retry-After is over', async () => {
    const body = billing(await worked(MANY));
    const by = await given.user({ organization: ana.organization, rateLimit: 120 });
    while ((await by.get('/products/search?q=desk')).status === 200);
    // Two tokens come back: enough to begin, and not to bill.
    await sleep(1_000);
    const refused = await by.post('/invoices', body);
    expect(refused.body.detail).toMatch(/and this one counts as \d+; try again/);
    const seconds = Number(refused.headers.get('retry-after'));
    expect(seconds).toBeLessThanOrEqual(10);
    await sleep(seconds * 1_000);
    expect((await by.post('/invoices', body)).status).toBe(201);
  });

  it('are paid with a full bucket if they outweigh it, even if reading took its time', async () => {
    const body = billing(await worked(Array.from({ length: 90 }, () => WIDE.repeat(500))));
    const by = await given.user({ organization: ana.organization, rateLimit: 60 });
    const send = database.send.bind(database);
    const slow = vi.spyOn(database, 'send').mockImplementation(async (command: Parameters<typeof send>[0]) => {
      if (command instanceof QueryCommand) await sleep(1_500);
      return send(command);
    });
    const reply = await invokeWith(createInvoice, `Bearer ${by.apiKey}`, { body });
    slow.mockRestore();
    expect(reply.status).toBe(201);
    // A token comes back in a second.
    expect(leftAfter(reply)).toBeLessThan(10);
  });

  it('are paid by who gets them', async () => {
    const body = billing(await worked(MANY));
    const billed = async () => {
      const by = await given.user({ organization: ana.organization, rateLimit: 100 });
      const reply = await by.post('/invoices', body);
      return { status: reply.status, weight: 100 - leftAfter(reply) };
    };
    const replies = await Promise.all([billed(), billed(), billed()]);
    const [got, ...others] = replies.sort((one, other) => one.status - other.status);
    expect(replies.map(({ status }) => status)).toEqual([201, 400, 400]);
    for (const { weight } of others) expect(weight).toBeLessThan((got?.weight ?? 0) / 2);
  });

  it('are paid once if the invoice has to be read again', async () => {
    const draft = await given.invoice(ana, billing(await worked(SHORT)));
    const stale = await readInvoice(ana.organization.id, draft.id);
    await ana.patch(`/invoices/${draft.id}`, { notes: 'Thank you.' });
    const paid: number[] = [];
    const { writeUnits } = await counted(async () => {
      await removeInvoice(
        stale,
        () => undefined,
        new Date(),
        async (units) => void paid.push(units),
      );
      return wholeUsage();
    });
    expect(paid).toEqual([4 * SHORT.length, 4 * SHORT.length]);
    const { writeUnits: alone } = await costOf(async () => {
      const { id } = await given.invoice(ana, billing(await worked(SHORT)));
      await removeInvoice(await readInvoice(ana.organization.id, id), () => undefined, new Date());
    });
    expect(writeUnits).toBe(alone + 4 * SHORT.length);
  });
});

describe('an answer that is kept under an Idempotency-Key', () => {
  it('is paid for what it takes to read it', async () => {
    const lineItems = longLines();
    const { id: clientId } = await given.client(ana);
    const headers = { 'idempotency-key': randomUUID() };
    const name = 'Who has two keys';
    const keyOf = (rateLimit?: number) => given.user({ organization: ana.organization, name, rateLimit });
    const invocation = { body: { clientId, lineItems }, headers };
    const [rich, poor] = [await keyOf(), await keyOf(LIMIT)];
    expect((await invokeWith(createInvoice, `Bearer ${rich.apiKey}`, invocation)).status).toBe(201);
    const { reply, weight, used } = await weigh(createInvoice, invocation, poor);
    expect(reply.headers.get('idempotency-replayed')).toBe('true');
    expect(weight).toBe(tokensFor(used));
    expect(weight).toBeGreaterThan(1);
  });
});

describe('what the bucket lacks when an answer is ready', () => {
  it('delays the next requests, in all functions', async () => {
    const by = await given.user({ rateLimit: 4 });
    const make = () => invokeWith(createProduct, `Bearer ${by.apiKey}`, { body: PRODUCT });
    expect(leftAfter(await make())).toBe(1);
    const second = await make();
    expect(second.status).toBe(201);
    // A token takes 15 seconds to come back. The bucket is full when six have come.
    const [left, seconds] =
      /r=(\d+);t=(\d+)/
        .exec(second.headers.get('ratelimit') ?? '')
        ?.slice(1)
        .map(Number) ?? [];
    expect(left).toBe(0);
    expect(seconds).toBeGreaterThan(80);
    expect(seconds).toBeLessThanOrEqual(90);
    for (const refused of [await make(), await by.get('/v1/me')]) {
      expect(refused.status).toBe(429);
      const retryAfter = Number(refused.headers.get('retry-after'));
      expect(retryAfter).toBeGreaterThan(35);
      expect(retryAfter).toBeLessThanOrEqual(45);
    }
  });

  it('is never more than the whole bucket', async () => {
    const by = await given.user({ rateLimit: 2 });
    const make = () => invokeWith(createProduct, `Bearer ${by.apiKey}`, { body: PRODUCT });
    expect(leftAfter(await make())).toBe(0);
    const refused = await make();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(30);
  });

  it('does not make an answer fail if it cannot be taken', async () => {
    // A settlement may fill the bucket at any time to come; a lease within a minute.
    const isSettlement = ({ input }: UpdateCommand) => Number(input.ExpressionAttributeValues?.[':latest']) > 4e15;
    const send = database.send.bind(database);
    const failing = vi.spyOn(database, 'send').mockImplementation(async (command: Parameters<typeof send>[0]) => {
      if (command instanceof UpdateCommand && isSettlement(command)) throw new Error('The table is gone.');
      return send(command);
    });
    const { reply } = await weigh(createProduct, { body: PRODUCT });
    failing.mockRestore();
    expect(reply.status).toBe(201);
  });
});
