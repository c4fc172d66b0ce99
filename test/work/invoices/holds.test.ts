import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { removeClient, requireClient } from '#shared/data/clients/clients.ts';
import { record } from '#shared/data/events/outbox.ts';
import { acquireBilling, type BillingLock, giveUpBilling, newBilling } from '#shared/data/holds/billing.ts';
import { readHolds } from '#shared/data/holds/holds.ts';
import type { StoredInvoice } from '#shared/data/invoices/invoice-items.ts';
import { readInvoice, removeInvoice, saveInvoice, saveVoid } from '#shared/data/invoices/invoices.ts';
import { nextNumber, numberWrites, readNumbers, readSeries } from '#shared/data/invoices/numbers.ts';
import { billingKey, billingPartition, holdKey, kindOf } from '#shared/data/layout/keys.ts';
import { batchGet } from '#shared/data/table/batch.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { ConditionFailed, transact } from '#shared/data/table/transaction.ts';
import { readEntries, readEntry } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { readLinks } from '#shared/data/tracker/links.ts';
import { happening, PLATFORM } from '#shared/domain/events/happening.ts';
import type { Invoice } from '#shared/domain/invoices/invoice.ts';
import type { LineDraft } from '#shared/domain/invoices/line-item.ts';
import { asSent, asVoid } from '#shared/domain/invoices/sending.ts';
import type { TimeGrouping } from '#shared/domain/invoices/tracked-time.ts';
import { parseMinor } from '#shared/domain/money.ts';
import { Problem } from '#shared/domain/problems.ts';
import { amountMinorOf } from '#shared/domain/tracker/entry.ts';
import { presentEntry } from '#shared/domain/tracker/present-entry.ts';
import { planCredit } from '#shared/work/invoices/credit-invoice.ts';
import { insertInvoice } from '#shared/work/invoices/insert-invoice.ts';
import { type LineReplacement, replaceLines } from '#shared/work/invoices/replace-lines.ts';
import { changeEntry } from '#shared/work/tracker/change-entry.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeCalls, betweenCalls, type Command, transactionsOf } from '#test/support/interleaving.ts';
import { type Death, mayDie, useKilling } from '#test/support/kill.ts';
import { freshly } from '#test/support/stored.ts';

/**
 * That an entry is on one invoice at most, and shown as invoiced exactly while it is, under deaths and concurrent requests. Transactions
 * are small here, so that a few entries already take several of them.
 */

const FEW_ITEMS = 7;

/** The one that ends a billing of twelve entries in so small transactions. */
const LAST_TRANSACTION = 4;
const DATES = ['2026-11-02', '2026-11-20'];
const FEE = [{ name: 'Fee', price: '5' }];
const MONTH = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };

/** A request that never runs out of time. */
const unhurried = () => 30_000;

let ana: User;

beforeAll(async () => {
  ana = await given.user();
});

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
  /** False for named lines alone. */
  readonly hasDays?: boolean;
  readonly answer?: ReturnType<typeof leaving>;
}

/** As a handler does with its answer. */
const leaving = (type: 'invoice.created' | 'invoice.updated') => async (invoice: Invoice) => [
  record(invoice.organizationId, PLATFORM, new Date(), [happening(type, invoice)]),
];

const client = ({ clientId }: Scene) => ({ organizationId: ana.organization.id, clientId });

/** Bills all time of the scene's client. */
function bill(
  { clientId }: Scene,
  {
    id = uuidV7(),
    groupBy = 'entry',
    lineItems = [],
    remainingMilliseconds = unhurried,
    maxTransactionItems,
    hasDays = true,
    answer = leaving('invoice.created'),
  }: Wish = {},
): Promise<Invoice> {
  const draft = {
    clientId,
    dueDate: null,
    notes: null,
    lineItems,
    ...(hasDays && { timeEntries: { ...MONTH, groupBy, taxRate: null } }),
  };
  return insertInvoice({
    owner: { organizationId: ana.organization.id },
    id,
    draft,
    now: new Date(),
    newId: uuidV7,
    answer,
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
  return setLines(invoice, [...FEE, ...kept], maxTransactionItems);
}

function setLines(
  invoice: StoredInvoice,
  drafts: readonly LineDraft[],
  maxTransactionItems?: number,
  remainingMilliseconds = unhurried,
) {
  const fresh = freshly(invoice, () => stored(invoice.id));
  return retrying(fresh, (current) => replaceOnce(current, drafts, { remainingMilliseconds, maxTransactionItems }));
}

/** Fails where the invoice has changed since it was read. */
function replaceOnce(invoice: StoredInvoice, drafts: readonly LineDraft[], wishes: Partial<LineReplacement> = {}) {
  const usual = { changes: {}, now: new Date(), newId: uuidV7, remainingMilliseconds: unhurried };
  return replaceLines(invoice, { ...usual, drafts, answer: leaving('invoice.updated'), ...wishes });
}

/** Sends a draft, even if it has changed since it was read. */
function send(seen: StoredInvoice): Promise<void> {
  const { organizationId } = seen;
  return retrying(
    freshly(seen, () => stored(seen.id)),
    async (draft) => {
      const numbers = await readNumbers(organizationId, 'INVOICE');
      const series = await readSeries(numbers, draft.issueDate);
      const { number } = nextNumber(numbers, series, draft.issueDate);
      const sent = asSent(draft, number, new Date());
      await saveInvoice(draft, sent, numberWrites(numbers, series, { ...sent, number }));
    },
  );
}

/** Changes the duration of an entry. */
function edit({ organizationId, id }: Pick<StoredEntry, 'organizationId' | 'id'>, durationMinutes: number) {
  return retrying(
    () => readEntry(organizationId, id),
    (entry) => changeEntry(entry, { durationMinutes }, new Date()),
  );
}

const stored = (id: string): Promise<StoredInvoice> => readInvoice(ana.organization.id, id);

const found = (id: string): Promise<StoredInvoice | undefined> => stored(id).catch(() => undefined);

/** A draft that bills lines alone. */
async function draftOf(place: Scene, lineItems: readonly LineDraft[] = FEE): Promise<StoredInvoice> {
  return stored((await bill(place, { lineItems, hasDays: false })).id);
}

const storedBilling = v.object({
  organizationId: v.string(),
  clientId: v.string(),
  id: v.string(),
  holdId: v.string(),
  expiresAt: v.number(),
});

/** The requests that are billing time now, or have died while they did. */
async function billings(): Promise<BillingLock[]> {
  const items = await readCollection({ partition: billingPartition(ana.organization.id) });
  return v.parse(v.array(storedBilling), items);
}

/** What the next request for a client does once the request before it is dead. */
async function giveUpAll(): Promise<void> {
  for (const billing of await billings()) await giveUpBilling(billing);
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

const isWrite = (command: Command) => command instanceof TransactWriteCommand;

/** Runs something until its nth transaction, which waits until it may go on; what comes behind that does not wait. */
async function heldAt<T>(transaction: number, run: () => Promise<T>) {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let transactions = 0;
  const spy = betweenCalls(async (command, send) => {
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

/** Lets something happen before the nth call to the table that others make. @returns what became of it */
function interrupted(call: number, happen: () => Promise<unknown>): () => Promise<'done' | 'refused' | 'not met'> {
  let calls = 0;
  let ending: 'done' | 'refused' | 'not met' = 'not met';
  const happening = async () => {
    ending = await happen().then(
      () => 'done',
      () => 'refused',
    );
  };
  beforeCalls(() => calls++ === call, [happening]);
  return async () => {
    vi.restoreAllMocks();
    return ending;
  };
}

/** Bills in several transactions. @returns whether it was not refused */
async function isBilled(place: Scene, id: string, remainingMilliseconds = unhurried): Promise<boolean> {
  try {
    await bill(place, { id, remainingMilliseconds, maxTransactionItems: FEW_ITEMS });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Problem);
    return false;
  }
}

/** Whether a transaction gives an entry to a hold. */
function bills({ input }: TransactWriteCommand): boolean {
  return (input.TransactItems ?? []).some(({ Update }) => Update?.ExpressionAttributeValues?.[':hold']);
}

describe('an invoice of several transactions', () => {
  it('shares no entry with another that began while it was being made, whichever call of the other meets its end', {
    timeout: 60_000,
  }, async () => {
    let [calls, isMet] = [0, true];
    for (; isMet; calls++) {
      const place = await scene(18);
      const [first, second] = [uuidV7(), uuidV7()];
      const { isHeld, goOn } = await heldAt(LAST_TRANSACTION, () => isBilled(place, first));
      expect(isHeld).toBe(true);
      isMet = false;
      const ending = interrupted(calls, () => {
        isMet = true;
        return goOn();
      });
      const lineItems = [{ entryIds: place.entryIds.slice(1, 2) }];
      await bill(place, {
        id: second,
        lineItems,
        remainingMilliseconds: () => 0,
        maxTransactionItems: FEW_ITEMS,
      }).catch((error: unknown) => expect(error).toBeInstanceOf(Problem));
      await goOn();
      await ending();
      const onInvoices = await assertAgreement(place, [first, second]);
      expect(new Set(Object.values(onInvoices))).toEqual(new Set([first]));
    }
    expect(calls).toBeGreaterThan(10);
  });

  it('comes to nothing when its request was given up and goes on all the same', async () => {
    const place = await scene(18);
    let outcomes = { made: 0, refused: 0 };
    for (let transaction = 0; ; transaction++) {
      const id = uuidV7();
      const { isHeld, goOn } = await heldAt(transaction, () => isBilled(place, id));
      if (!isHeld) break;
      await giveUpAll();
      const other = await bill(place, { maxTransactionItems: FEW_ITEMS }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'invoice_empty' });
      });
      const isMade = await goOn();
      expect(isMade).toBe(other === undefined);
      outcomes = { made: outcomes.made + Number(isMade), refused: outcomes.refused + Number(!isMade) };
      const winner = other?.id ?? id;
      expect(new Set(Object.values(await assertAgreement(place, [id, winner])))).toEqual(new Set([winner]));
      await removeInvoice(await stored(winner), []);
    }
    expect(outcomes.refused).toBeGreaterThan(3);
  });

  it('takes nothing more once its request was given up, though nobody else wants the entries', async () => {
    const place = await scene(18);
    const entries = async () =>
      (await readEntries(ana.organization.id, place.entryIds)).toSorted((a, b) => a.id.localeCompare(b.id));
    let refused = 0;
    for (let transaction = 1; ; transaction++) {
      const id = uuidV7();
      const { isHeld, goOn } = await heldAt(transaction, () => isBilled(place, id, () => 0));
      if (!isHeld) break;
      await giveUpAll();
      const before = await entries();
      // It would try again, and wait for what has taken its place.
      const [other] = (await billings()).concat(newBilling({ ...client(place), id: uuidV7(), holdId: uuidV7() }));
      if (other) await transact([acquireBilling(other)]);
      expect(await goOn()).toBe(false);
      expect(await entries()).toEqual(before);
      await giveUpAll();
      refused += 1;
    }
    expect(refused).toBeGreaterThan(2);
  });

  it('takes as many entries in each as it has room for', async () => {
    const place = await scene(18);
    const transactions = await transactionsOf(() => bill(place, { maxTransactionItems: FEW_ITEMS }));
    expect(transactions).toHaveLength(LAST_TRANSACTION + 1);
  });

  it('has no check of its own hold in any of them, where entries come back to their invoice', async () => {
    const place = await scene(6);
    const { id } = await bill(place);
    const all = (await stored(id)).lineItems.map(({ entryIds }) => ({ entryIds }));
    await setLines(await stored(id), all.slice(0, 1));
    const draft = await stored(id);
    // The first has three items beside three entries.
    expect(await transactionsOf(() => setLines(draft, all, 9))).toHaveLength(2);
    expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(4);
  });

  it('has 49 entries in each, or fewer where these name the hold of an invoice that is gone', async () => {
    const place = await scene(74);
    const sizes = async (maxTransactionItems?: number) => {
      const id = uuidV7();
      const writes = await transactionsOf(() => bill(place, { id, groupBy: 'project', maxTransactionItems }));
      await removeInvoice(await stored(id), []);
      return writes.filter(bills).map(({ input }) => input.TransactItems?.length);
    };
    expect(await sizes()).toEqual([99]);
    expect(await sizes()).toEqual([98, 4]);
    expect(await sizes(8)).toEqual([...Array(16).fill(8), 4]);
  });

  it('is made and answered once where all is as it was read, and so are other lines', async () => {
    const place = await scene(3);
    const [, one = '', other = ''] = place.entryIds;
    const answer = vi.fn(leaving('invoice.created'));
    const { id } = await bill(place, { lineItems: [{ entryIds: [one] }], hasDays: false, answer });
    expect(answer).toHaveBeenCalledTimes(1);
    const drafts = [{ entryIds: [one] }, { entryIds: [other] }];
    const { lineItems } = await replaceOnce(await stored(id), drafts, { answer });
    expect(answer).toHaveBeenCalledTimes(2);
    expect((await stored(id)).lineItems).toEqual(lineItems);
  });

  it('takes at once what another invoice has let go of, whether a line names it or its day', async () => {
    const place = await scene(6);
    const [, staying = '', named = ''] = place.entryIds;
    const { id } = await bill(place);
    await setLines(await stored(id), [{ entryIds: [staying] }]);
    for (const wish of [{ lineItems: [{ entryIds: [named] }], hasDays: false }, {}]) {
      expect(await transactionsOf(() => bill(place, wish))).toHaveLength(2);
    }
  });

  it.each([[undefined], [4]])(
    'bills each of two equal entries once that change places while days are read: %s',
    async (maxTransactionItems) => {
      const { id: clientId } = await given.client(ana);
      const work = { clientId, durationMinutes: 60, rate: 50, billable: true };
      const [one, other] = [
        await given.entry(ana, { ...work, entryDate: DATES[0] }),
        await given.entry(ana, { ...work, entryDate: DATES[1] }),
      ];
      const move = (id: string, entryDate?: string) => ana.patch(`/v1/work/tracker/entries/${id}`, { entryDate });
      let days = 0;
      const readsSecondDay = (command: Command) =>
        command instanceof QueryCommand &&
        command.input.ExpressionAttributeValues?.[':day'] !== undefined &&
        ++days === 2;
      beforeCalls(readsSecondDay, [() => Promise.all([move(one.id, DATES[1]), move(other.id, DATES[0])])]);
      const place = { clientId, entryIds: [one.id, other.id] };
      const { id, lineItems } = await bill(place, { maxTransactionItems });
      expect(days).toBeGreaterThan(1);
      expect(lineItems).toHaveLength(2);
      expect(await assertAgreement(place, [id])).toEqual({ [one.id]: id, [other.id]: id });
    },
  );

  it('does not hold an entry that it left out, though the taking of it arrives late', async () => {
    const place = await scene(6);
    const [, first = '', second = '', , third = '', wanted = ''] = place.entryIds;
    const fee = { name: 'Fee', price: '5' };
    const before = await heldAt(1, () => bill(place, { lineItems: [fee, { entryIds: [wanted] }], hasDays: false }));
    let transactions = 0;
    let late: TransactWriteCommand | undefined;
    let isMeddling = false;
    betweenCalls(async (command, send) => {
      if (isMeddling || !(command instanceof TransactWriteCommand)) return send(command);
      transactions += 1;
      isMeddling = true;
      if (transactions === 1) await before.goOn();
      if (transactions === 2) late = command;
      if (transactions === 4) {
        const { id } = await before.goOn();
        await removeInvoice(await stored(id), []);
        // Of the same token, the emulator remembers the refusal.
        if (late) await send(new TransactWriteCommand({ ...late.input, ClientRequestToken: uuidV7() }));
      }
      isMeddling = false;
      if (transactions === 2) throw Object.assign(new Error(), { name: 'TimeoutError' });
      return send(command);
    });
    // These fill the first transaction. The one that is wanted is found by its day, and taken in the second.
    const named = [first, second, third].map((entryId) => ({ entryIds: [entryId] }));
    const { id, lineItems } = await bill(place, { lineItems: named, maxTransactionItems: FEW_ITEMS });
    expect(lineItems).toHaveLength(named.length);
    const [entry] = await readEntries(ana.organization.id, [wanted]);
    const invoice = await stored(id);
    expect(entry?.holdId).toBe(invoice.holdId);
    expect(Object.keys(await assertAgreement(place, [id]))).not.toContain(wanted);
  });

  it.each([[undefined], [FEW_ITEMS]])(
    'bills each entry as it was when it was taken, though others change and delete some just before: %s',
    async (maxTransactionItems) => {
      const place = await scene(18);
      const meddle = place.entryIds.map((entryId, i) => {
        const path = `/v1/work/tracker/entries/${entryId}`;
        return () => (i % 3 === 1 ? ana.patch(path, { durationMinutes: 7 * i + 1 }) : ana.delete(path));
      });
      beforeCalls(isWrite, [() => Promise.all(meddle.map((change) => change()))]);
      const { id } = await bill(place, { maxTransactionItems });
      expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(6);
    },
  );

  it('bills all as it was taken, though all is changed just before', async () => {
    const place = await scene(3);
    const change = (id: string) => ana.patch(`/v1/work/tracker/entries/${id}`, { durationMinutes: 77 });
    beforeCalls(isWrite, [() => Promise.all(place.entryIds.map(change))]);
    const { id } = await bill(place);
    expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(2);
  });

  it('bills its lines alone, and names no hold, when the last entry of its days goes just before', async () => {
    const place = await scene(3);
    beforeCalls(isWrite, [() => Promise.all(place.entryIds.map((id) => ana.delete(`/v1/work/tracker/entries/${id}`)))]);
    const { id } = await bill(place, { lineItems: FEE });
    const { holdId, subtotal } = await stored(id);
    expect({ holdId, subtotal }).toEqual({ holdId: null, subtotal: '5.00' });
  });

  it('leaves out what leaves its days just before, unless a line names it', async () => {
    const place = await scene(6);
    const [, named = '', moved = ''] = place.entryIds;
    const move = (id: string) => ana.patch(`/v1/work/tracker/entries/${id}`, { entryDate: '2026-12-01' });
    beforeCalls(isWrite, [() => Promise.all([named, moved].map(move))]);
    const { id } = await bill(place, { lineItems: [{ entryIds: [named] }] });
    const others = place.entryIds.slice(4);
    expect(Object.keys(await assertAgreement(place, [id])).sort()).toEqual([named, ...others].sort());
  });
});

describe('other lines of a draft', () => {
  it('touch no entry that stays or goes', async () => {
    const place = await scene(6);
    const { id } = await bill(place);
    const draft = await stored(id);
    const versions = async () =>
      (await readEntries(ana.organization.id, place.entryIds)).map((entry) => `${entry.id} ${entry.version}`).sort();
    const before = await versions();
    await setLines(draft, draft.lineItems.slice(1));
    expect(await versions()).toEqual(before);
    expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(3);
  });

  it('bill an entry again that has been on another invoice in between', async () => {
    const place = await scene(3);
    const [, first = '', second = ''] = place.entryIds;
    const one = (await bill(place)).id;
    const other = (await bill(place, { lineItems: FEE })).id;
    const set = async (id: string, drafts: readonly LineDraft[]) => setLines(await stored(id), drafts);
    for (let round = 0; round < 3; round++) {
      await set(one, [{ entryIds: [first] }]);
      await set(other, [...FEE, { entryIds: [second] }]);
      expect(await assertAgreement(place, [one, other])).toEqual({ [first]: one, [second]: other });
      await expect(set(one, [{ entryIds: [first, second] }])).rejects.toMatchObject({ code: 'entry_invoiced' });
      await set(other, FEE);
      await set(one, [{ entryIds: [first, second] }]);
      expect(await assertAgreement(place, [one, other])).toEqual({ [first]: one, [second]: one });
    }
  });

  type Take = (place: Scene, draft: StoredInvoice, lineItems: LineDraft[]) => Promise<unknown>;

  const TAKING: [string, Take][] = [
    ['a draft', (_, draft, lineItems) => setLines(draft, lineItems)],
    ['a new invoice', (place, _, lineItems) => bill(place, { lineItems })],
  ];

  it.each(TAKING)('take no entry for a client that is deleted once it was looked at: %s', async (_, take) => {
    const place = await scene(3);
    const { organizationId, clientId } = client(place);
    const draft = await draftOf(place);
    beforeCalls(isWrite, [async () => removeClient(await requireClient(organizationId, clientId), [])]);
    const refusal = { code: 'reference_not_found', details: { errors: [{ path: 'clientId' }] } };
    await expect(take(place, draft, [{ entryIds: place.entryIds.slice(1, 2) }])).rejects.toMatchObject(refusal);
    expect(await stored(draft.id)).toMatchObject({ version: draft.version });
  });

  it.each<[string, (draft: StoredInvoice, staying: string) => Promise<unknown>]>([
    ['is deleted', (draft) => removeInvoice(draft, [])],
    ['lets go of another one', (draft, staying) => setLines(draft, [{ entryIds: [staying] }])],
  ])('leave an entry to another invoice, even while the invoice that it was on just %s', async (_, happen) => {
    const place = await scene(6);
    const [, staying = '', going = '', , gone = ''] = place.entryIds;
    const { id } = await bill(place);
    await setLines(await stored(id), [{ entryIds: [staying, going] }]);
    const draft = await stored(id);
    beforeCalls(isWrite, [() => happen(draft, staying)]);
    const other = await bill(place, { lineItems: [{ entryIds: [gone] }], hasDays: false });
    const left = (await found(id)) ? { [staying]: id } : {};
    expect(await assertAgreement(place, [id, other.id])).toEqual({ ...left, [gone]: other.id });
  });

  it('leave no hold that holds nothing: neither a new one, nor the one of the entries that go', async () => {
    const place = await scene(3);
    const holdsOf = (ids: readonly string[]) => batchGet(ids.map((id) => holdKey(ana.organization.id, id)));
    const { id, holdId: before } = await draftOf(place);
    expect(before).toBeNull();
    const made: string[] = [];
    const newId = () => {
      const next = uuidV7();
      made.push(next);
      return next;
    };
    await replaceOnce(await stored(id), FEE, { newId });
    expect([(await stored(id)).holdId, await holdsOf(made)]).toEqual([null, []]);
    await setLines(await stored(id), [{ entryIds: place.entryIds.slice(1, 2) }]);
    const { holdId } = await stored(id);
    expect(await holdsOf([holdId ?? ''])).toHaveLength(1);
    await setLines(await stored(id), FEE);
    expect([(await stored(id)).holdId, await holdsOf([holdId ?? ''])]).toEqual([null, []]);
  });

  it('change the hold where entries come or go, as its version tells, and leave it alone otherwise', async () => {
    const place = await scene(6);
    const [, one = '', other = '', , third = ''] = place.entryIds;
    const { organizationId, id, holdId } = await draftOf(place, [{ entryIds: [one] }]);
    const set = async (...drafts: readonly LineDraft[]) => {
      await setLines(await stored(id), drafts);
      return (await readHolds(organizationId, [{ holdId }])).get(holdId ?? '');
    };
    const alone = await set(...FEE, { entryIds: [one] });
    expect(await set({ entryIds: [one] })).toEqual(alone);
    const holds = [
      alone,
      await set({ entryIds: [one, other] }),
      await set({ entryIds: [other] }),
      await set({ entryIds: [other, third] }),
      await set({ entryIds: [third] }),
      await set({ entryIds: [one] }),
    ];
    expect(holds.map((hold) => [...(hold?.except ?? [])])).toEqual([
      [],
      [],
      [one],
      [one],
      [one, other],
      [other, third],
    ]);
    expect(new Set(holds.map((hold) => hold?.version)).size).toBe(holds.length);
  });

  it('are refused at once for what cannot be billed, whoever is billing the client', async () => {
    const place = await scene(3);
    const draft = await draftOf(place);
    await transact([acquireBilling(newBilling({ ...client(place), id: uuidV7(), holdId: uuidV7() }))]);
    const refused = setLines(draft, [{ entryIds: [uuidV7()] }], undefined, () => 0);
    await expect(refused).rejects.toMatchObject({ code: 'reference_not_found' });
    await giveUpAll();
  });

  it('take no entry for a draft that is sent just before', async () => {
    const place = await scene(3);
    const [, one = '', other = ''] = place.entryIds;
    const draft = await draftOf(place, [{ entryIds: [one] }]);
    const before = await readEntry(ana.organization.id, other);
    beforeCalls(isWrite, [() => send(draft)]);
    const refusal = { code: 'invoice_state_forbids' };
    await expect(setLines(draft, [{ entryIds: [one, other] }])).rejects.toMatchObject(refusal);
    expect(await readEntry(ana.organization.id, other)).toEqual(before);
  });

  it('leave alone what another request has put on the invoice, whenever that was', async () => {
    const place = await scene(12);
    const all = place.entryIds.filter((_, i) => i % 3 > 0);
    const refused = expect.objectContaining({
      code: expect.stringMatching(/invoice_state_forbids|invoicing_in_progress/),
    });
    const outcomes = { overtaken: 0, first: 0 };
    for (let call = 0; ; call++) {
      const { id } = await bill(place, { lineItems: FEE });
      await setLines(await stored(id), [{ entryIds: all.slice(0, 1) }]);
      const draft = await stored(id);
      const fill = async () => {
        await setLines(draft, [{ entryIds: all }], FEW_ITEMS, () => 0);
        await send(draft);
      };
      const other = interrupted(call, fill);
      const late = await setLines(draft, [{ entryIds: all.slice(0, 5) }], FEW_ITEMS).catch((error: unknown) => error);
      const isOvertaken = (await other()) === 'done';
      const held = Object.keys(await assertAgreement(place, [id])).sort();
      if (isOvertaken) expect([late, held]).toEqual([refused, all.toSorted()]);
      else expect(held).toEqual(all.slice(0, 5).toSorted());
      outcomes[isOvertaken ? 'overtaken' : 'first'] += 1;
      if ((await other()) === 'not met') break;
      const present = await stored(id);
      if (isOvertaken) await saveVoid(present, asVoid(present, new Date()), []);
      else await removeInvoice(present, []);
    }
    expect(outcomes.overtaken).toBeGreaterThan(4);
    expect(outcomes.first).toBeGreaterThan(2);
  });

  it('bill what comes as it was taken, at the first attempt, though it is changed just before', async () => {
    const place = await scene(3);
    const [, changed = '', other = ''] = place.entryIds;
    const draft = await draftOf(place);
    beforeCalls(isWrite, [() => ana.patch(`/v1/work/tracker/entries/${changed}`, { durationMinutes: 77 })]);
    await replaceOnce(draft, [{ entryIds: [changed, other] }]);
    expect(Object.keys(await assertAgreement(place, [draft.id]))).toHaveLength(2);
  });

  it.each(TAKING)('are refused for an entry that stops being billable just before: %s', async (_, take) => {
    const place = await scene(3);
    const [, one = '', other = ''] = place.entryIds;
    const draft = await draftOf(place);
    beforeCalls(isWrite, [() => ana.patch(`/v1/work/tracker/entries/${other}`, { billable: false })]);
    const refused = take(place, draft, [{ entryIds: [one, other] }]);
    await expect(refused).rejects.toMatchObject({ code: 'entry_not_billable' });
    expect(await assertAgreement(place, [draft.id])).toEqual({});
    expect((await stored(draft.id)).subtotal).toBe(draft.subtotal);
  });
});

describe('an entry that a request is just putting on an invoice', () => {
  const ENTRIES = '/v1/work/tracker/entries';

  /** A request that has stopped for good after it took entries. @returns one of them */
  async function halfBilled(place: Scene): Promise<string> {
    await heldAt(LAST_TRANSACTION, () => bill(place, { maxTransactionItems: FEW_ITEMS }));
    const [billing] = await billingsOf(place.clientId);
    const entries = await readEntries(ana.organization.id, place.entryIds);
    return entries.find(({ holdId }) => holdId === billing?.holdId)?.id ?? '';
  }

  async function billingsOf(clientId: string): Promise<BillingLock[]> {
    return (await billings()).filter((billing) => billing.clientId === clientId);
  }

  /** From now on nobody waits for it. */
  async function expire({ clientId }: Scene): Promise<void> {
    const [record] = await billingsOf(clientId);
    const Item = { ...record, ...billingKey(ana.organization.id, clientId), expiresAt: 0 };
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
      expect(await billingsOf(place.clientId)).toEqual([]);
    }
    const invoice = await bill(place);
    expect(Object.keys(await assertAgreement(place, [invoice.id]))).toHaveLength(11);
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
    const counts = { removedCount: 12, keptInvoicedCount: 0, keptEditedCount: 0, keptLockedCount: 0 };
    expect(await undo()).toMatchObject({ status: 200, body: { data: counts } });
    expect(await billingsOf(clientId)).toEqual([]);
  });

  it('is on its invoice when that is made while somebody looks', async () => {
    const place = await scene(18);
    const id = uuidV7();
    const reached = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const spy = betweenCalls(async (command, send) => {
      if (command instanceof TransactWriteCommand && completes(command)) {
        reached.resolve();
        await released.promise;
      }
      if (command instanceof TransactGetCommand) {
        released.resolve();
        await billing;
      }
      return send(command);
    });
    const billing = bill(place, { id, maxTransactionItems: FEW_ITEMS });
    await reached.promise;
    const entry = await readEntry(ana.organization.id, place.entryIds[1] ?? '');
    expect(entry.holdId).not.toBeNull();
    await expect(changeEntry(entry, { durationMinutes: 77 }, new Date())).rejects.toMatchObject({
      code: 'entry_invoiced',
      message: expect.stringContaining(id),
    });
    spy.mockRestore();
    await billing;
    expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(12);
  });

  it('is waited for by who names it on a line, and then taken', async () => {
    const place = await scene(18);
    const other = await bill(place, { lineItems: FEE });
    await setLines(await stored(other.id), FEE);
    const id = await halfBilled(place);
    const draft = await stored(other.id);
    const [billing] = await billingsOf(place.clientId);
    const remainingMilliseconds = vi.fn(unhurried);
    const taking = setLines(draft, [{ entryIds: [id] }], undefined, remainingMilliseconds);
    await expect.poll(() => remainingMilliseconds.mock.calls.length).toBeGreaterThan(1);
    if (billing) await giveUpBilling(billing);
    await taking;
    expect(await assertAgreement(place, [other.id])).toEqual({ [id]: other.id });
  });

  /** Whether a transaction is the one that makes a hold. */
  function completes({ input }: TransactWriteCommand): boolean {
    const { sk } = holdKey(ana.organization.id, '');
    return (input.TransactItems ?? []).some(({ Put }) => Put?.Item?.sk === sk);
  }
});

/** Lets plain reads miss all items of a kind, as separate reads may that see a transaction by halves. */
function hiding(kind: string): void {
  const isSeen = ({ pk }: Record<string, unknown>) => kindOf(String(pk)) !== kind;
  betweenCalls(async (command, send) => {
    const answer: Json = await send(command);
    if (command instanceof BatchGetCommand) {
      return { ...answer, Responses: { [TABLE_NAME]: answer.Responses[TABLE_NAME].filter(isSeen) } };
    }
    const isHidden = command instanceof GetCommand && !isSeen(command.input.Key ?? {});
    return isHidden ? { ...answer, Item: undefined } : answer;
  });
}

describe('who changes an entry while its billing begins or ends, and sees that by halves', () => {
  it('finds it invoiced, though its hold does not show yet', async () => {
    const place = await scene(3);
    const { id, lineItems } = await bill(place);
    const [entryId = ''] = lineItems[0]?.entryIds ?? [];
    hiding('HOLD');
    await expect(edit({ organizationId: ana.organization.id, id: entryId }, 7)).rejects.toMatchObject({
      code: 'entry_invoiced',
    });
    vi.restoreAllMocks();
    await assertAgreement(place, [id]);
  });

  it('is told to wait, though the record of the billing does not show yet', async () => {
    const place = await scene(3);
    const { goOn } = await heldAt(1, () => bill(place));
    hiding('BILLING');
    await expect(edit({ organizationId: ana.organization.id, id: place.entryIds[1] ?? '' }, 7)).rejects.toMatchObject({
      code: 'invoicing_in_progress',
    });
    vi.restoreAllMocks();
    await assertAgreement(place, [(await goOn()).id]);
  });

  it('and takes it off the lines, or credits it, tries again as long as its hold does not show yet', async () => {
    const place = await scene(3);
    const { id } = await bill(place);
    const draft = await stored(id);
    hiding('HOLD');
    await expect(replaceOnce(draft, FEE)).rejects.toThrow(ConditionFailed);
    await send(draft);
    const credit = { draft: { reason: 'x', releaseEntries: true }, now: new Date(), newId: uuidV7 };
    const sent = await stored(id);
    await expect(planCredit(sent, credit)).rejects.toThrow(ConditionFailed);
    vi.restoreAllMocks();
    expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(2);
  });

  it.each([
    ['it on the lines again that it has just left', [0, 1]],
    ['another one on the lines that it has just left', [1, 2]],
  ])('and puts %s, bills these alone', async (_, positions) => {
    const place = await scene(6);
    const drafts = place.entryIds.filter((_, i) => i % 3 > 0).map((entryId) => ({ entryIds: [entryId] }));
    const { organizationId, id, holdId } = await draftOf(place, drafts.slice(0, 2));
    const wanted = drafts.filter((_, i) => positions.includes(i));
    const [former] = (await batchGet([holdKey(organizationId, holdId ?? '')])) ?? [];
    await setLines(await stored(id), drafts.slice(1, 2));
    let isStale = true;
    betweenCalls(async (command, send) => {
      const answer: Json = await send(command);
      const found: Json[] = command instanceof BatchGetCommand ? answer.Responses[TABLE_NAME] : [];
      const isHold = ({ pk }: Json) => kindOf(pk) === 'HOLD';
      if (!isStale || !found.some(isHold)) return answer;
      isStale = false;
      return { ...answer, Responses: { [TABLE_NAME]: found.map((item) => (isHold(item) ? former : item)) } };
    });
    await setLines(await stored(id), wanted);
    expect(isStale).toBe(false);
    expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(2);
  });
});

describe('a request for an invoice', () => {
  it('waits for others only as long as leaves it time for its own work, however many there are', async () => {
    const place = await scene(3);
    const other = () => newBilling({ ...client(place), id: uuidV7(), holdId: uuidV7() });
    const first = other();
    await transact([acquireBilling(first)]);
    let asked = 0;
    const remainingMilliseconds = () => {
      asked += 1;
      return 20_500 - asked * 1_000;
    };
    let owner: 'first' | 'nobody' | 'second' = 'first';
    betweenCalls(async (command, send) => {
      if (owner === 'first' && asked === 2) {
        owner = 'nobody';
        await giveUpBilling(first);
      } else if (owner === 'nobody' && command instanceof TransactWriteCommand && bills(command)) {
        owner = 'second';
        await transact([acquireBilling(other())]);
      }
      return send(command);
    });
    await expect(bill(place, { remainingMilliseconds })).rejects.toMatchObject({ code: 'invoicing_in_progress' });
    expect([owner, asked]).toEqual(['second', 5]);
    await giveUpAll();
    expect((await bill(place)).lineItems).toHaveLength(2);
  });

  it.each<[string, number, number, (place: Scene, draft: StoredInvoice) => Promise<unknown>]>([
    ['a new invoice', 2, 3, (place) => bill(place)],
    ['other lines', 2, 3, ({ entryIds: [, billable = ''] }, draft) => setLines(draft, [{ entryIds: [billable] }])],
    ['one of no time, with nothing to give up', 1, 1, (place) => bill(place, { lineItems: FEE, hasDays: false })],
  ])('fails as its last transaction does, though giving it up fails, too: %s', async (_, last, expected, take) => {
    const place = await scene(3);
    const draft = await draftOf(place);
    let transactions = 0;
    betweenCalls(async (command, send) => {
      if (isWrite(command) && ++transactions >= last) throw new Error(`Transaction ${transactions} fails.`);
      return send(command);
    });
    await expect(take(place, draft)).rejects.toThrow(`Transaction ${last} fails.`);
    expect(transactions).toBe(expected);
    vi.restoreAllMocks();
    await giveUpAll();
  });

  it('takes nothing for what would be too large', async () => {
    const place = await scene(18);
    const line = { name: 'x', description: 'y'.repeat(2_000), price: '1' };
    const request = { lineItems: Array.from({ length: 2_600 }, () => line), maxTransactionItems: FEW_ITEMS };
    const before = await readEntries(ana.organization.id, place.entryIds);
    await expect(bill(place, request)).rejects.toMatchObject({ code: 'invoice_too_large' });
    const versions = (entries: typeof before) => Object.fromEntries(entries.map(({ id, version }) => [id, version]));
    expect(versions(await readEntries(ana.organization.id, place.entryIds))).toEqual(versions(before));
  });
});

describe('wherever a request dies', () => {
  useKilling();

  const isKilled = async (death: Death | undefined, run: () => Promise<unknown>): Promise<boolean> =>
    (await mayDie(death, run)).outcome === 'killed';

  const refused = (error: unknown): boolean => {
    expect(error).toBeInstanceOf(Problem);
    return false;
  };

  it('other lines of a draft bill what they name, with their event, and nothing else', {
    timeout: 120_000,
  }, async () => {
    const place = await scene(30);
    let deaths = 0;
    for (let isDead = true; isDead; deaths += Number(isDead)) {
      const { id } = await bill(place);
      const before = await stored(id);
      const after = await presentEnd(ana);
      isDead = await isKilled({ write: deaths, moment: 'after' }, () =>
        keepLines(before, (position) => position % 4 > 0),
      );
      const present = await stored(id);
      expect([before.lineItems.length, 16]).toContain(present.lineItems.length);
      expect(await happenedSince(ana, after)).toHaveLength(Number(present.version !== before.version));
      expect(Object.keys(await assertAgreement(place, [id]))).toHaveLength(
        present.lineItems.length === before.lineItems.length ? 20 : 15,
      );
      await keepLines(present, (position) => position % 2 > 0);
      await assertAgreement(place, [id]);
      await removeInvoice(await stored(id), []);
      expect(await assertAgreement(place, [id])).toEqual({});
    }
    expect(deaths).toBeGreaterThanOrEqual(1);
  });

  it('what comes to a draft is shown on it once its lines have it, and not before', async () => {
    const place = await scene(18);
    const lines = place.entryIds.filter((_, i) => i % 3 > 0).map((entryId) => ({ entryIds: [entryId] }));
    let deaths = 0;
    for (let isDead = true; isDead; deaths += Number(isDead)) {
      const before = await draftOf(place, lines.slice(0, 1));
      isDead = await isKilled({ write: deaths, moment: 'after' }, () => setLines(before, lines, FEW_ITEMS));
      const { lineItems } = await stored(before.id);
      expect(Object.keys(await assertAgreement(place, [before.id]))).toHaveLength(lineItems.length);
      await giveUpAll();
      await removeInvoice(await stored(before.id), []);
    }
    expect(deaths).toBeGreaterThan(4);
  });

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
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('giveUp' as const) }) },
  );
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
  const moment = fc.constantFrom('before' as const, 'after' as const);
  const death = fc.option(fc.record({ write: fc.nat({ max: 6 }), moment }), { freq: 3, nil: undefined });

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
        return chosen && removeInvoice(chosen, []);
      case 'send':
        return chosen && send(chosen);
      case 'void':
        return chosen && saveVoid(chosen, asVoid(chosen, now), []);
      case 'edit': {
        const [entry] = await readEntries(ana.organization.id, [place.entryIds[one.pick % 18] ?? '']);
        if (!entry) return;
        return edit(entry, 1 + one.pick);
      }
      case 'giveUp':
        return giveUpAll();
    }
  }

  it('an entry is invoiced exactly while an invoice bills it, whatever steps these go through', {
    timeout: 120_000,
  }, async () => {
    let deaths = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ step, death }), { minLength: 8, maxLength: 18 }), async (steps) => {
        const place = await scene(18);
        const ids: string[] = [];
        for (const { step: one, death: plan } of steps) {
          // A request that died holds up others for a minute, which nobody waits for here.
          if (one.kind === 'bill') await giveUpAll();
          const ending = isKilled(plan, () => perform(place, ids, one));
          deaths += Number(await ending.catch(refused));
          await assertAgreement(place, ids);
        }
        await giveUpAll();
        await assertAgreement(place, ids);
      }),
      { numRuns: 8, endOnFailure: true },
    );
    expect(deaths).toBeGreaterThan(0);
  });
});
