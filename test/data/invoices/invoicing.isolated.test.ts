import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetCommand, PutCommand, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { v7 as uuidV7 } from 'uuid';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { database, TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { claimingKey, claimingPartition, claimKey } from '#shared/data/dynamo/keys.ts';
import { transact } from '#shared/data/dynamo/transaction.ts';
import type { StoredInvoice } from '#shared/data/invoices/invoice-items.ts';
import { closeInvoice, numberInvoice, readInvoice, removeInvoice } from '#shared/data/invoices/invoices.ts';
import { insertInvoice } from '#shared/data/invoices/invoicing.ts';
import { replaceLines } from '#shared/data/invoices/line-replacement.ts';
import { findReleasing, finishReleasing, listReleasings, releaseEntries } from '#shared/data/invoices/release.ts';
import { abandonClaiming, claimingPut, listClaimings, newClaiming } from '#shared/data/tracker/claiming.ts';
import { readClaimedEntries } from '#shared/data/tracker/claims.ts';
import { readEntries, readEntry } from '#shared/data/tracker/entries.ts';
import { changeEntry } from '#shared/data/tracker/entry-change.ts';
import { readLinks } from '#shared/data/tracker/links.ts';
import { assertDraft, type Invoice, reviseInvoice } from '#shared/domain/invoices/invoice.ts';
import { draftInvoice } from '#shared/domain/invoices/invoice-draft.ts';
import type { LineDraft } from '#shared/domain/invoices/line-item.ts';
import { asSent, asVoid } from '#shared/domain/invoices/sending.ts';
import type { TimeGrouping } from '#shared/domain/invoices/tracked-time.ts';
import { parseMinor } from '#shared/domain/money.ts';
import { Problem } from '#shared/domain/problems.ts';
import { amountMinorOf, assertNotInvoiced } from '#shared/domain/tracker/entry.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/**
 * That an entry is on one invoice at most, and shown as invoiced exactly while it is, whatever dies on the way and whoever else wants it. Transactions
 * are small here, so that a few entries already take several of them.
 */

const FEW_ITEMS = 7;
const DATES = ['2026-11-02', '2026-11-20'];
const MONTH = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };
const LIFETIME_MILLISECONDS = 60_000;

/** A request that never runs out of time. */
const unhurried = () => 30_000;

let ana: User;

beforeAll(async () => {
  ana = await given.user();
});

afterEach(() => vi.restoreAllMocks());

/** A client, with so many entries of which two thirds are billable. */
interface Scene {
  readonly clientId: string;
  readonly entryIds: readonly string[];
}

async function scene(entries: number): Promise<Scene> {
  const client = await given.client(ana);
  const project = await given.project(ana, { clientId: client.id });
  return { clientId: client.id, entryIds: await bookEntries(ana, project, entries, DATES) };
}

interface Wish {
  readonly id?: string;
  readonly groupBy?: TimeGrouping;
  readonly lineItems?: readonly LineDraft[];
  readonly remainingMilliseconds?: () => number;
  readonly maxTransactionItems?: number;
}

/** Bills all time of the scene's client. */
function bill(
  { clientId }: Scene,
  {
    id = uuidV7(),
    groupBy = 'entry',
    lineItems = [],
    remainingMilliseconds = unhurried,
    maxTransactionItems,
  }: Wish = {},
): Promise<Invoice> {
  const draft = {
    clientId,
    dueDate: null,
    notes: null,
    lineItems,
    timeEntries: { ...MONTH, groupBy, taxRate: null },
  };
  return insertInvoice({
    owner: { organizationId: ana.organization.id, currency: 'USD' },
    id,
    wanted: draft,
    make: (sources) => draftInvoice(draft, sources, id, new Date()),
    newId: uuidV7,
    remainingMilliseconds,
    maxTransactionItems,
  });
}

/** Leaves an invoice only some of its lines. */
function keepLines(
  invoice: StoredInvoice,
  isKept: (position: number) => boolean,
  maxTransactionItems?: number,
): Promise<unknown> {
  const kept = invoice.lineItems.filter((_, position) => isKept(position));
  return setLines(invoice, [{ name: 'Fee', price: '5' }, ...kept], maxTransactionItems);
}

function setLines(invoice: StoredInvoice, drafts: readonly LineDraft[], maxTransactionItems?: number) {
  return replaceLines(invoice, {
    drafts,
    revise: (current, lineItems) => reviseInvoice(current, {}, lineItems, new Date()),
    newId: uuidV7,
    now: new Date(),
    remainingMilliseconds: unhurried,
    maxTransactionItems,
  });
}

const found = (id: string): Promise<StoredInvoice | undefined> =>
  readInvoice(ana.organization.id, id).catch(() => undefined);

/** What the schedule does once all requests of now are dead: nobody waits for them any more. */
async function sweep(): Promise<void> {
  const later = new Date(Date.now() + LIFETIME_MILLISECONDS + 1);
  const ofAna = ({ organizationId }: { organizationId: string }) => organizationId === ana.organization.id;
  for (const claiming of (await listClaimings(later)).filter(ofAna)) await abandonClaiming(claiming, later);
}

/** What the worker does. */
async function release(steps = Number.POSITIVE_INFINITY): Promise<void> {
  const ofAna = ({ organizationId }: { organizationId: string }) => organizationId === ana.organization.id;
  let left = steps;
  for (const ended of (await listReleasings(new Date(Date.now() + 2 * LIFETIME_MILLISECONDS))).filter(ofAna)) {
    const isDone = (await findReleasing(ended)) && (await releaseEntries(ended, () => left-- > 0));
    if (isDone) await finishReleasing(ended);
  }
}

/** The entries that are shown as invoiced, with their invoices. */
async function shown(entryIds: readonly string[]): Promise<Record<string, string>> {
  const entries = await readEntries(ana.organization.id, entryIds);
  const links = await readLinks(ana.organization.id, entries);
  const presented = entries.map((entry) => presentEntry(entry, links));
  for (const { billingStatus, invoiceId } of presented) expect(billingStatus === 'invoiced').toBe(invoiceId !== null);
  return Object.fromEntries(presented.flatMap(({ id, invoiceId }) => (invoiceId === null ? [] : [[id, invoiceId]])));
}

/** The entries that invoices bill, with their invoices; none is on two. */
function billed(invoices: readonly (Invoice | undefined)[]): Record<string, string> {
  const live = invoices.filter((invoice) => invoice !== undefined).filter(({ status }) => status !== 'void');
  const pairs = live.flatMap(({ id, lineItems }) =>
    lineItems.flatMap(({ entryIds }) => entryIds.map((entryId) => [entryId, id] as const)),
  );
  expect(new Set(pairs.map(([entryId]) => entryId)).size).toBe(pairs.length);
  return Object.fromEntries(pairs);
}

async function assertAgreement({ entryIds }: Scene, invoiceIds: readonly string[]): Promise<Record<string, string>> {
  const invoices = await Promise.all([...new Set(invoiceIds)].map(found));
  const onInvoices = billed(invoices);
  expect(await shown(entryIds)).toEqual(onInvoices);
  for (const invoice of invoices) if (invoice && invoice.status !== 'void') await assertSums(invoice);
  return onInvoices;
}

/** The lines of tracked time amount to what their entries do. */
async function assertSums({ lineItems, organizationId }: Invoice): Promise<void> {
  const timed = lineItems.filter(({ entryIds }) => entryIds.length > 0);
  const entries = await readEntries(
    organizationId,
    timed.flatMap(({ entryIds }) => entryIds),
  );
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
  expect(sum(timed.map(({ amount }) => parseMinor(amount)))).toBe(sum(entries.map(amountMinorOf)));
}

class Crash extends Error {}

type Command = Parameters<typeof database.send>[0];

/**
 * Runs something until its nth call to the table, in which it dies: from then on nothing of it gets through.
 *
 * @param isAfter whether the table has done what that call asked for
 * @param counts which calls count
 * @returns false when it came to its end before
 */
async function dying(
  call: number,
  isAfter: boolean,
  run: () => Promise<unknown>,
  counts: (command: Command) => boolean = () => true,
): Promise<boolean> {
  const send = database.send.bind(database);
  let calls = 0;
  const spy = vi.spyOn(database, 'send').mockImplementation(async (command: Command) => {
    if (calls > call) throw new Crash();
    if (counts(command)) calls += 1;
    if (calls <= call) return send(command);
    if (isAfter) await send(command);
    throw new Crash();
  });
  try {
    await run();
    return calls > call;
  } catch (error) {
    if (!(error instanceof Crash)) throw error;
    return true;
  } finally {
    // Calls that run side by side may still be on their way.
    await new Promise((resolve) => setTimeout(resolve, 5));
    spy.mockRestore();
  }
}

const isWrite = (command: Command) => command instanceof TransactWriteCommand;

/**
 * Lets something die behind each of its writes: a death behind a read leaves the table as one behind the write before.
 * @returns at how many it died
 */
async function dyingEverywhere(
  attempt: (die: (run: () => Promise<unknown>) => Promise<boolean>) => Promise<boolean>,
): Promise<number> {
  let deaths = 0;
  while (await attempt((run) => dying(deaths, true, run, isWrite))) deaths += 1;
  return deaths;
}

/** Runs something until its nth transaction, which waits until it may go on; what comes behind that does not wait. */
async function heldAt<T>(transaction: number, run: () => Promise<T>) {
  const send = database.send.bind(database);
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let transactions = 0;
  const spy = vi.spyOn(database, 'send').mockImplementation(async (command: Command) => {
    if (isWrite(command) && transactions++ === transaction) {
      reached.resolve();
      await released.promise;
    }
    return send(command);
  });
  const ending = run();
  const isHeld = await Promise.race([reached.promise.then(() => true), ending.then(() => false)]);
  spy.mockRestore();
  const goOn = () => {
    released.resolve();
    return ending;
  };
  return { isHeld, goOn };
}

/** Bills in several transactions. @returns whether it was not refused */
async function isBilled(place: Scene, id: string): Promise<boolean> {
  try {
    await bill(place, { id, maxTransactionItems: FEW_ITEMS });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    return false;
  }
}

/** Whether a transaction gives an entry to an invoice. */
function bills({ input }: TransactWriteCommand): boolean {
  return (input.TransactItems ?? []).some(({ Update }) => Update?.ExpressionAttributeValues?.[':invoice']);
}

describe('an invoice of several transactions', () => {
  it('has all its entries or does not exist, wherever its request dies, and the next one gets them', {
    timeout: 120_000,
  }, async () => {
    const place = await scene(18);
    const all = place.entryIds.filter((_, i) => i % 3 > 0);
    const deaths = await dyingEverywhere(async (die) => {
      const id = uuidV7();
      const isDead = await die(() => bill(place, { id, maxTransactionItems: FEW_ITEMS }));
      const invoice = await found(id);
      expect(Object.keys(await assertAgreement(place, [id])).sort()).toEqual(invoice ? all.toSorted() : []);
      await sweep();
      expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(invoice ? all.length : 0);
      const next = invoice ?? (await bill(place));
      expect(Object.keys(await assertAgreement(place, [id, next.id]))).toHaveLength(all.length);
      const stored = await readInvoice(ana.organization.id, next.id);
      await removeInvoice(stored, assertDraft, new Date());
      expect(await assertAgreement(place, [id, next.id])).toEqual({});
      return isDead;
    });
    expect(deaths).toBeGreaterThanOrEqual(5);
    await release();
    const entries = await readEntries(ana.organization.id, place.entryIds);
    expect(new Set(entries.map(({ invoiceId, claimId }) => invoiceId ?? claimId))).toEqual(new Set([null]));
  });

  it('comes to nothing when its request was given up and goes on all the same', async () => {
    const place = await scene(18);
    let outcomes = { made: 0, refused: 0 };
    for (let transaction = 0; ; transaction++) {
      const id = uuidV7();
      const { isHeld, goOn } = await heldAt(transaction, () => isBilled(place, id));
      if (!isHeld) break;
      await sweep();
      const other = await bill(place, { maxTransactionItems: FEW_ITEMS }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'invoice_empty' });
      });
      const isMade = await goOn();
      expect(isMade).toBe(other === undefined);
      outcomes = { made: outcomes.made + Number(isMade), refused: outcomes.refused + Number(!isMade) };
      const winner = other?.id ?? id;
      expect(new Set(Object.values(await assertAgreement(place, [id, winner])))).toEqual(new Set([winner]));
      await removeInvoice(await readInvoice(ana.organization.id, winner), assertDraft, new Date());
    }
    expect(outcomes.refused).toBeGreaterThan(3);
  });

  it('takes nothing more once its request was given up, though nobody else wants the entries', async () => {
    const place = await scene(18);
    const table = async (id: string) => ({
      entries: (await readEntries(ana.organization.id, place.entryIds)).toSorted((a, b) => a.id.localeCompare(b.id)),
      claimed: await readClaimedEntries(ana.organization.id, id),
    });
    let refused = 0;
    for (let transaction = 1; ; transaction++) {
      const id = uuidV7();
      const { isHeld, goOn } = await heldAt(transaction, () => isBilled(place, id));
      if (!isHeld) break;
      await sweep();
      await release();
      const before = await table(id);
      expect(new Set(before.entries.map(({ claimId }) => claimId))).toEqual(new Set([null]));
      expect(await goOn()).toBe(false);
      expect(await table(id)).toEqual({ ...before, claimed: [] });
      refused += 1;
    }
    expect(refused).toBeGreaterThan(3);
  });

  it('is looked for once, though every entry changes before it is claimed, as when another one lets go of them', async () => {
    const place = await scene(30);
    const send = database.send.bind(database);
    const queriesOf = async (meddle: () => Promise<unknown>) => {
      let queries = 0;
      let isClaiming = false;
      const spy = vi.spyOn(database, 'send').mockImplementation(async (command: Command) => {
        const readsDay = command instanceof QueryCommand && command.input.ExpressionAttributeValues?.[':day'];
        if (readsDay && !isClaiming) queries += 1;
        if (command instanceof TransactWriteCommand && bills(command) && !isClaiming) {
          isClaiming = true;
          await meddle();
          isClaiming = false;
          meddle = async () => undefined;
        }
        return send(command);
      });
      const { id } = await bill(place, { maxTransactionItems: FEW_ITEMS });
      spy.mockRestore();
      expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(20);
      await removeInvoice(await readInvoice(ana.organization.id, id), assertDraft, new Date());
      return queries;
    };
    const alone = await queriesOf(async () => undefined);
    expect(await queriesOf(release)).toBe(alone);
  });

  it('bills each entry as it was when it was claimed, though others change and delete some meanwhile', async () => {
    for (let round = 0; round < 3; round++) {
      const place = await scene(18);
      const meddle = place.entryIds.map(async (id, i) => {
        const path = `/v1/work/tracker/entries/${id}`;
        if (i % 3 === 1) return ana.patch(path, { durationMinutes: 7 * i + 1 });
        return i % 3 === 2 ? ana.delete(path) : undefined;
      });
      const billing = bill(place, { maxTransactionItems: round % 2 ? FEW_ITEMS : undefined });
      const [invoice] = await Promise.all([billing, ...meddle]).catch(() => []);
      if (invoice) await assertAgreement(place, [invoice.id]);
      else await assertAgreement(place, []);
    }
  });
});

describe('other lines of a draft', () => {
  it.each([
    [FEW_ITEMS, 5],
    [undefined, 1],
  ])(
    'bill what they name, and nothing else, wherever the request dies, with at most %s items at once',
    { timeout: 120_000 },
    async (maxTransactionItems, writes) => {
      const place = await scene(30);
      const deaths = await dyingEverywhere(async (die) => {
        const { id } = await bill(place);
        const before = await readInvoice(ana.organization.id, id);
        const isDead = await die(() => keepLines(before, (position) => position % 4 > 0, maxTransactionItems));
        const present = await readInvoice(ana.organization.id, id);
        expect([before.lineItems.length, 16]).toContain(present.lineItems.length);
        expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(
          present.lineItems.length === before.lineItems.length ? 20 : 15,
        );
        await keepLines(present, (position) => position % 2 > 0, maxTransactionItems);
        await release();
        await assertAgreement(place, [id]);
        await removeInvoice(await readInvoice(ana.organization.id, id), assertDraft, new Date());
        expect(await assertAgreement(place, [id])).toEqual({});
        return isDead;
      });
      expect(deaths).toBeGreaterThanOrEqual(writes);
    },
  );

  it('bill all entries that come or none, however many these are and wherever the request dies', {
    timeout: 120_000,
  }, async () => {
    const place = await scene(30);
    const whole = await bill(place, { groupBy: 'project' });
    const all = whole.lineItems[0]?.entryIds ?? [];
    const read = () => readInvoice(ana.organization.id, whole.id);
    await setLines(await read(), [{ entryIds: all.slice(0, 9) }]);
    const deaths = await dyingEverywhere(async (die) => {
      // Two go, seven stay, and eleven come.
      const wanted = [{ entryIds: all.slice(2) }];
      const before = await read();
      const isDead = await die(() => setLines(before, wanted, FEW_ITEMS));
      const held = Object.keys(await assertAgreement(place, [whole.id]));
      expect([9, 18]).toContain(held.length);
      await sweep();
      expect(Object.keys(await assertAgreement(place, [whole.id]))).toEqual(held);
      await setLines(await read(), wanted);
      expect(Object.keys(await assertAgreement(place, [whole.id])).sort()).toEqual(all.slice(2).toSorted());
      await setLines(await read(), [{ entryIds: all.slice(0, 9) }]);
      return isDead;
    });
    expect(deaths).toBeGreaterThanOrEqual(8);
    await setLines(await read(), [{ entryIds: all }], FEW_ITEMS);
    expect((await read()).subtotal).toBe(whole.subtotal);
    await removeInvoice(await read(), assertDraft, new Date());
    expect(await assertAgreement(place, [whole.id])).toEqual({});
  });

  /** So that the claims of dead requests fit into the last transaction, as they do into one of the usual size. */
  const MORE_ITEMS = 12;

  /** Leaves an invoice of twenty entries without the first of them, in four transactions. */
  const dropFirst = async (id: string) =>
    keepLines(await readInvoice(ana.organization.id, id), (position) => position > 0, MORE_ITEMS);

  const claimsOf = async (id: string) => (await readInvoice(ana.organization.id, id)).claimIds.length;

  it('leave few claims, however many requests die on the way, and wherever they do', async () => {
    const place = await scene(30);
    const { id } = await bill(place);
    const claims: number[] = [];
    for (let round = 0; round < 16; round++) {
      expect(await dying(round % 3, true, () => dropFirst(id), isWrite)).toBe(true);
      claims.push(await claimsOf(id));
      expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(20);
    }
    expect(Math.max(...claims)).toBe(5);
    expect(claims.filter((count, i) => count < (claims[i - 1] ?? 0)).length).toBeGreaterThan(1);
    await dropFirst(id);
    expect(await claimsOf(id)).toBe(1);
    expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(19);
    await removeInvoice(await readInvoice(ana.organization.id, id), assertDraft, new Date());
    await release();
    const entries = await readEntries(ana.organization.id, place.entryIds);
    expect(new Set(entries.map(({ invoiceId, claimId }) => invoiceId ?? claimId))).toEqual(new Set([null]));
  });

  it('are those of the last of two requests that end the claims of dead ones at once, and nothing else is billed', {
    timeout: 60_000,
  }, async () => {
    const place = await scene(30);
    const all = place.entryIds.filter((_, i) => i % 3 > 0);
    for (let transaction = 0; ; transaction++) {
      const { id } = await bill(place);
      while ((await claimsOf(id)) < 5) await dying(1, true, () => dropFirst(id), isWrite);
      const before = await readInvoice(ana.organization.id, id);
      const slow = await heldAt(transaction, () => setLines(before, [{ entryIds: all.slice(1) }], MORE_ITEMS));
      if (slow.isHeld) {
        await setLines(await readInvoice(ana.organization.id, id), [{ entryIds: all.slice(0, 9) }], MORE_ITEMS);
        expect(Object.keys(await assertAgreement(place, [id])).sort()).toEqual(all.slice(0, 9).toSorted());
      }
      await slow.goOn();
      expect(Object.keys(await assertAgreement(place, [id])).sort()).toEqual(all.slice(1).toSorted());
      await release();
      await assertAgreement(place, [id]);
      await removeInvoice(await readInvoice(ana.organization.id, id), assertDraft, new Date());
      expect(await assertAgreement(place, [id])).toEqual({});
      if (!slow.isHeld) {
        expect(transaction).toBeGreaterThan(6);
        break;
      }
    }
  });

  it('bill what comes as it was claimed, though it is changed meanwhile', async () => {
    const place = await scene(30);
    const whole = await bill(place, { groupBy: 'project' });
    const all = whole.lineItems[0]?.entryIds ?? [];
    const read = () => readInvoice(ana.organization.id, whole.id);
    for (let round = 0; round < 3; round++) {
      await setLines(await read(), [{ name: 'Fee', price: '5' }]);
      const meddle = all.map((id, i) => ana.patch(`/v1/work/tracker/entries/${id}`, { durationMinutes: 7 * i + 1 }));
      await Promise.all([setLines(await read(), [{ entryIds: all }], FEW_ITEMS), ...meddle]);
      expect(Object.keys(await assertAgreement(place, [whole.id]))).toHaveLength(all.length);
    }
  });
});

describe('an entry that a request is just putting on an invoice', () => {
  const ENTRIES = '/v1/work/tracker/entries';

  /** A request that has died after it claimed entries. @returns one of them */
  async function halfBilled(place: Scene): Promise<string> {
    const id = uuidV7();
    const died = await dying(3, true, () => bill(place, { id, maxTransactionItems: FEW_ITEMS }), isWrite);
    expect(died).toBe(true);
    const held = (await readEntries(ana.organization.id, place.entryIds)).find(({ claimId }) => claimId === id);
    return held?.id ?? '';
  }

  async function claimingsOf(clientId: string) {
    const all = await listClaimings(new Date(Date.now() + LIFETIME_MILLISECONDS + 1));
    return all.filter((claiming) => claiming.clientId === clientId);
  }

  /** From now on nobody waits for it. */
  async function expire({ clientId }: Scene): Promise<void> {
    const [record] = await claimingsOf(clientId);
    const Item = { ...claimingKey(ana.organization.id, clientId), ...record, expiresAt: new Date(0).toISOString() };
    await database.send(new PutCommand({ TableName: TABLE_NAME, Item }));
  }

  it('can be changed or deleted later, as it is told, or at once when that request has died', async () => {
    const place = await scene(18);
    const edits = [
      (id: string) => ana.patch(`${ENTRIES}/${id}`, { durationMinutes: 77 }),
      (id: string) => ana.delete(`${ENTRIES}/${id}`),
    ];
    for (const edit of edits) {
      const id = await halfBilled(place);
      const before = (await ana.get(`${ENTRIES}/${id}`)).body.data;
      expect(before).toMatchObject({ billingStatus: 'unbilled', invoiceId: null });
      const refusal = await edit(id);
      expect(refusal).toMatchObject({ status: 409, body: { code: 'invoicing_in_progress' } });
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await ana.get(`${ENTRIES}/${id}`)).body.data).toEqual(before);
      await expire(place);
      expect((await edit(id)).status).toBe(200);
      expect(await claimingsOf(place.clientId)).toEqual([]);
    }
    const invoice = await bill(place);
    expect(Object.keys(await assertAgreement(place, [invoice.id]))).toHaveLength(11);
    await release();
    await assertAgreement(place, [invoice.id]);
  });

  it('is not taken by the undoing of its import, which is told to come later, or at once when that request has died', async () => {
    const REMOTE = '/v1/work/tracker/remote';
    await given.connection(ana);
    const { id: clientId } = await given.client(ana);
    const rows = Array.from({ length: 12 }, (_, i) => ({
      ...{ date: '2026-11-02', durationMinutes: 30, rate: 60, currency: 'USD' },
      ...{ externalId: `undone-${i}`, client: 'Acme' },
    }));
    const confirmed = await ana.post(`${REMOTE}/sync/confirm`, { rows, clientMapping: { Acme: clientId } });
    const { data } = (await ana.get(ENTRIES, { clientId, limit: 200 })).body;
    const place = { clientId, entryIds: data.map(({ id }: Json) => id) };
    await halfBilled(place);
    const undo = (query: Json = {}) =>
      ana.send('POST', `${REMOTE}/sync/history/${confirmed.body.data.importJobId}/undo`, { query });
    for (const refusal of [await undo({ dryRun: true }), await undo()]) {
      expect(refusal).toMatchObject({ status: 409, body: { code: 'invoicing_in_progress' } });
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await ana.get(ENTRIES, { clientId, limit: 200 })).body.data).toEqual(data);
    await expire(place);
    const counts = { removedCount: 12, keptInvoicedCount: 0, keptEditedCount: 0 };
    expect(await undo()).toMatchObject({ status: 200, body: { data: counts } });
    expect(await claimingsOf(clientId)).toEqual([]);
  });

  it('is on its invoice when that is made while somebody looks', async () => {
    const place = await scene(18);
    const id = uuidV7();
    const send = database.send.bind(database);
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const spy = vi.spyOn(database, 'send').mockImplementation(async (command: Command) => {
      if (command instanceof TransactWriteCommand && completes(command, id)) {
        reached.resolve();
        await released.promise;
      }
      if (
        command instanceof BatchGetCommand &&
        command.input.RequestItems?.[TABLE_NAME]?.Keys?.[0]?.pk === claimingPartition
      ) {
        released.resolve();
        await billing;
      }
      return send(command);
    });
    const billing = bill(place, { id, maxTransactionItems: FEW_ITEMS });
    await reached.promise;
    const entry = await readEntry(ana.organization.id, place.entryIds[1] ?? '');
    expect(entry.claimId).toBe(id);
    const edit = changeEntry(entry, {}, (current) => {
      assertNotInvoiced(current);
      return { ...current, durationMinutes: 77 };
    });
    await expect(edit).rejects.toMatchObject({ code: 'entry_invoiced', message: expect.stringContaining(id) });
    spy.mockRestore();
    await billing;
    expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(12);
  });

  it('is waited for by who names it on a line, and then taken', async () => {
    const place = await scene(18);
    const other = await bill(place, { lineItems: [{ name: 'Fee', price: '5' }] });
    await setLines(await readInvoice(ana.organization.id, other.id), [{ name: 'Fee', price: '5' }]);
    const id = await halfBilled(place);
    const take = async () => setLines(await readInvoice(ana.organization.id, other.id), [{ entryIds: [id] }]);
    const [claiming] = await claimingsOf(place.clientId);
    const taking = take();
    const isWaiting = await Promise.race([taking.then(() => false), sleep(300).then(() => true)]);
    expect(isWaiting).toBe(true);
    if (claiming) await abandonClaiming(claiming, new Date());
    await taking;
    expect(await assertAgreement(place, [other.id])).toEqual({ [id]: other.id });
  });

  /** Whether a transaction is the one that makes a claim count. */
  function completes({ input }: TransactWriteCommand, claimId: string): boolean {
    const { pk, sk } = claimKey(ana.organization.id, claimId);
    return (input.TransactItems ?? []).some(({ Put }) => Put?.Item?.pk === pk && Put.Item.sk === sk);
  }
});

describe('a request for an invoice', () => {
  it('waits for others only as long as leaves it time for its own work, however many there are', async () => {
    const place = await scene(3);
    const client = { organizationId: ana.organization.id, clientId: place.clientId };
    const first = newClaiming(client, uuidV7());
    await transact([claimingPut(first)]);
    let asked = 0;
    const remainingMilliseconds = () => {
      asked += 1;
      return 20_500 - asked * 1_000;
    };
    const send = database.send.bind(database);
    let owner: 'first' | 'nobody' | 'second' = 'first';
    vi.spyOn(database, 'send').mockImplementation(async (command: Command) => {
      if (owner === 'first' && asked === 2) {
        owner = 'nobody';
        await abandonClaiming(first, new Date());
      } else if (owner === 'nobody' && command instanceof TransactWriteCommand && bills(command)) {
        owner = 'second';
        await transact([claimingPut(newClaiming(client, uuidV7()))]);
      }
      return send(command);
    });
    await expect(bill(place, { remainingMilliseconds })).rejects.toMatchObject({ code: 'invoicing_in_progress' });
    expect([owner, asked]).toEqual(['second', 5]);
    vi.restoreAllMocks();
    await sweep();
    expect((await bill(place)).lineItems).toHaveLength(2);
  });

  it('claims nothing for what would be too large', async () => {
    const place = await scene(18);
    const line = { name: 'x', description: 'y'.repeat(2_000), price: '1' };
    const request = { lineItems: Array.from({ length: 2_600 }, () => line), maxTransactionItems: FEW_ITEMS };
    const before = await readEntries(ana.organization.id, place.entryIds);
    await expect(bill(place, request)).rejects.toMatchObject({ code: 'invoice_too_large' });
    const versions = (entries: typeof before) => Object.fromEntries(entries.map(({ id, version }) => [id, version]));
    expect(versions(await readEntries(ana.organization.id, place.entryIds))).toEqual(versions(before));
  });
});

describe('whatever invoices go through', () => {
  const pick = fc.nat({ max: 1_000 });
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('bill' as const), isSlow: fc.boolean() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('keep' as const),
        pick,
        of: fc.integer({ min: 2, max: 4 }),
        isSlow: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constantFrom('delete' as const, 'send' as const, 'void' as const), pick }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('edit' as const), pick }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const), steps: fc.nat({ max: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  );
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
  const crash = fc.option(fc.record({ call: fc.nat({ max: 25 }), isAfter: fc.boolean() }), { freq: 3 });

  async function perform(place: Scene, ids: string[], one: Step): Promise<unknown> {
    const chosen = 'pick' in one ? await found(ids[one.pick % Math.max(1, ids.length)] ?? uuidV7()) : undefined;
    const now = new Date();
    switch (one.kind) {
      case 'bill': {
        const id = uuidV7();
        ids.push(id);
        return bill(place, { id, maxTransactionItems: one.isSlow ? FEW_ITEMS : undefined });
      }
      case 'keep':
        return chosen && keepLines(chosen, (position) => position % one.of > 0, one.isSlow ? FEW_ITEMS : undefined);
      case 'delete':
        return chosen && removeInvoice(chosen, assertDraft, now);
      case 'send':
        return chosen && numberInvoice(chosen, (current, number) => asSent(current, number, now));
      case 'void':
        return chosen && closeInvoice(chosen, (current) => asVoid(current, now), now);
      case 'edit': {
        const [entry] = await readEntries(ana.organization.id, [place.entryIds[one.pick % 18] ?? '']);
        if (!entry) return;
        return changeEntry(entry, {}, (current) => {
          assertNotInvoiced(current);
          return { ...current, durationMinutes: 1 + one.pick };
        });
      }
      case 'release':
        return release(one.steps);
      case 'sweep':
        return sweep();
    }
  }

  it('an entry is invoiced exactly while one of them bills it, with any crashes', { timeout: 120_000 }, async () => {
    const figures = { steps: 0, crashes: 0, refusals: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ step, crash }), { minLength: 8, maxLength: 18 }), async (steps) => {
        const place = await scene(18);
        const ids: string[] = [];
        for (const { step: one, crash: plan } of steps) {
          // A request that died holds up others for a minute, which nobody waits for here.
          if (one.kind === 'bill') await sweep();
          const run = () => perform(place, ids, one);
          const ending = plan ? dying(plan.call, plan.isAfter, run) : run().then(() => false);
          const outcome = await ending.catch((error: unknown) => {
            if (!(error instanceof Problem)) throw error;
            return 'refused';
          });
          figures.steps += 1;
          if (outcome === true) figures.crashes += 1;
          if (outcome === 'refused') figures.refusals += 1;
          await assertAgreement(place, ids);
        }
        await sweep();
        await release();
        const held = await assertAgreement(place, ids);
        const entries = await readEntries(ana.organization.id, place.entryIds);
        for (const { id, invoiceId } of entries) expect(invoiceId).toBe(held[id] ?? null);
      }),
      { numRuns: 8, endOnFailure: true },
    );
    console.log('invoicing:', JSON.stringify(figures));
    expect(figures.crashes).toBeGreaterThan(0);
  });
});

describe('numbers', () => {
  it('have no gap and no double when twenty invoices are sent at once, crashes included', async () => {
    const bea = await given.user();
    const drafts: Json[] = [];
    const client = await given.client(bea);
    for (let i = 0; i < 20; i++) drafts.push(await given.invoice(bea, { clientId: client.id }));
    const replies = await Promise.all(drafts.map(({ id }) => bea.post(`/invoices/${id}/send`)));
    const numbers = replies.map(({ body }) => body.data.number).sort();
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, i) => `INV-${String(i + 1).padStart(6, '0')}`));

    let next = 21;
    for (let call = 0; call < 3; call++) {
      for (const isAfter of [false, true]) {
        const { id } = await given.invoice(bea, { clientId: client.id });
        const draft = await readInvoice(bea.organization.id, id);
        const send = () => numberInvoice(draft, (current, number) => asSent(current, number, new Date()));
        await dying(call, isAfter, send);
        const { status, number } = await readInvoice(bea.organization.id, id);
        expect(number).toBe(status === 'sent' ? `INV-0000${next}` : null);
        if (status === 'sent') next += 1;
      }
    }
    expect((await given.sentInvoice(bea, { clientId: client.id })).number).toBe(`INV-0000${next}`);
    expect(next).toBeGreaterThan(21);
  });
});
