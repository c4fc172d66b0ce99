import { v7 as uuidV7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  acquireBilling,
  type BillingLock,
  billingCheck,
  giveUpBilling,
  newBilling,
  releaseBilling,
  resolveHolds,
  waitWhileBilled,
} from '#shared/data/holds/billing.ts';
import { holdPut } from '#shared/data/holds/holds.ts';
import { billingKey } from '#shared/data/layout/keys.ts';
import { readItem } from '#shared/data/table/item.ts';
import { ConditionFailed, transact } from '#shared/data/table/transaction.ts';
import { costOf } from '#test/support/capacity.ts';

const { sleep } = vi.hoisted(() => ({ sleep: vi.fn(async (_milliseconds: number) => {}) }));

vi.mock('node:timers/promises', () => ({ setTimeout: sleep }));

const BEGUN = Date.parse('2026-11-20T10:00:00.000Z');

let client: Pick<BillingLock, 'organizationId' | 'clientId'>;

/** Begins a billing. */
async function begin(holdId = uuidV7()): Promise<BillingLock> {
  const billing = newBilling({ ...client, id: uuidV7(), holdId });
  await transact([acquireBilling(billing)]);
  return billing;
}

const isRecorded = async () => (await readItem(billingKey(client.organizationId, client.clientId))) !== undefined;

const laterBy = (milliseconds: number) => vi.setSystemTime(BEGUN + milliseconds);

const inProgress = (seconds: number) => ({
  code: 'invoicing_in_progress',
  details: {
    detail: "A request is putting the client's time on an invoice.",
    headers: { 'Retry-After': String(seconds) },
  },
});

beforeEach(() => {
  client = { organizationId: uuidV7(), clientId: uuidV7() };
  vi.useFakeTimers({ toFake: ['Date'], now: BEGUN });
});

afterEach(() => {
  sleep.mockReset();
});

describe('who wants to bill a client that another request is billing', () => {
  it.each([
    [0, 100],
    [0.5, 200],
    [1, 300],
  ])('looks again after 100 to 300 ms: with luck of %d', async (luck, pause) => {
    const billing = await begin();
    laterBy(12_000);
    sleep.mockImplementationOnce(() => giveUpBilling(billing));
    vi.spyOn(Math, 'random').mockReturnValue(luck);
    await waitWhileBilled(client, () => 16_000);
    expect(sleep.mock.calls).toEqual([[pause]]);
  });

  it.each([
    ['after 12 s', 12_001, 30_000, 48],
    ['with less than 16 s for its own work', 11_999, 15_999, 49],
    ['with none', 0, 0, 60],
    ['in the last moment of the other one', 59_999, 30_000, 1],
  ])('does not wait %s, and hears when that one is given up', async (_, age, left, seconds) => {
    await begin();
    laterBy(age);
    await expect(waitWhileBilled(client, () => left)).rejects.toMatchObject(inProgress(seconds));
    expect(sleep).not.toHaveBeenCalled();
  });

  it('takes its place after 60 s, and not before: the other one then writes nothing more', async () => {
    const dead = await begin();
    laterBy(59_999);
    await expect(begin()).rejects.toThrow(ConditionFailed);
    await transact([billingCheck(dead)]);
    laterBy(60_000);
    await waitWhileBilled(client, () => 0);
    const living = await begin();
    for (const write of [billingCheck(dead), releaseBilling(dead)]) {
      await expect(transact([write])).rejects.toThrow(ConditionFailed);
    }
    await giveUpBilling(dead);
    await transact([billingCheck(living)]);
    await transact([releaseBilling(living)]);
    expect(await isRecorded()).toBe(false);
  });
});

describe('the hold that an entry names', () => {
  const naming = (...holdIds: string[]): { id: string; clientId: string | null; holdId: string }[] =>
    holdIds.map((holdId) => ({ id: uuidV7(), clientId: client.clientId, holdId }));

  const holding = (id: string) =>
    transact([holdPut(client.organizationId, { id, invoiceId: uuidV7(), except: new Set() })]);

  it('is undecided for the 60 s of a billing that may make it, which is ended then', async () => {
    const holdId = uuidV7();
    await begin(holdId);
    laterBy(59_999);
    await expect(resolveHolds(client.organizationId, naming(holdId))).rejects.toMatchObject(inProgress(1));
    expect(await isRecorded()).toBe(true);
    laterBy(60_000);
    expect(await resolveHolds(client.organizationId, naming(holdId))).toEqual(new Map());
    expect(await isRecorded()).toBe(false);
  });

  it('is found while a billing makes another one, which it leaves alone', async () => {
    const holdId = uuidV7();
    await holding(holdId);
    await begin();
    laterBy(60_000);
    expect([...(await resolveHolds(client.organizationId, naming(holdId, uuidV7()))).keys()]).toEqual([holdId]);
    expect(await isRecorded()).toBe(true);
  });

  it('is read with eight more and the record of the client at once, and alone where the client is gone', async () => {
    const cost = (entries: ReturnType<typeof naming>) => costOf(() => resolveHolds(client.organizationId, entries));
    for (const [count, calls] of [[9, 1] as const, [10, 2] as const]) {
      const holdIds = Array.from({ length: count }, () => uuidV7());
      expect(await cost(naming(...holdIds, ...holdIds))).toMatchObject({ calls });
    }
    const holdId = uuidV7();
    await holding(holdId);
    const clientless = naming(holdId).map((entry) => ({ ...entry, clientId: null }));
    expect(await cost(clientless)).toMatchObject({ calls: 1, readUnits: 1 });
    expect([...(await resolveHolds(client.organizationId, clientless)).keys()]).toEqual([holdId]);
  });

  it('has 16 bytes for each exception, and no attribute where it has none', () => {
    const itemWith = (...except: string[]) =>
      holdPut(client.organizationId, { id: uuidV7(), invoiceId: uuidV7(), except: new Set(except) }).Put?.Item;
    expect(itemWith(uuidV7(), uuidV7())?.except).toHaveLength(32);
    expect(itemWith()).not.toHaveProperty('except');
  });
});
