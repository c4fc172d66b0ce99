import { setTimeout as sleep } from 'node:timers/promises';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { describe, expect, it, vi } from 'vitest';
import type { Key } from '#shared/data/layout/keys.ts';
import { TABLE_NAME } from '#shared/data/table/database.ts';
import { readItem } from '#shared/data/table/item.ts';
import { ConditionFailed, type TransactItem, transact } from '#shared/data/table/transaction.ts';
import { Problem } from '#shared/domain/problems.ts';
import { DeadlineExceeded, withDeadline } from '#shared/runtime/deadline.ts';
import { Dice } from '#test/search/dice.ts';
import { faultInjector } from '#test/search/fault-injector.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';

/** What `transact` says of transactions whose calls fail in every way and order, and what has become of them. */

const own = useOwnCloud({ instances: true });

const TRANSACTIONS = 240;
const SEED = 1;

/** Of the calls. A fault in four only delays a call or breaks off its answer. */
const FAULT_SHARE = 0.8;

/** They begin within a while, so that not all are in the way of each other. */
const WHILE_MILLISECONDS = 4_000;

/** Longer than the latest call is on its way. */
const LATE_MILLISECONDS = 3_500;

/** Left of its time when `transact` ends, by the clock of a timer. */
const RESERVE_MILLISECONDS = 1_505;

type Told = 'written' | 'refused' | 'nothing written' | 'unknown';

const keyOf = (name: string | number): Key => ({ pk: `OUTCOME#${name}`, sk: 'COUNT' });

const SHARED = ['shared', 'aside'];

function increase(name: string | number): TransactItem {
  const Update = { TableName: TABLE_NAME, Key: keyOf(name), UpdateExpression: 'ADD times :one' };
  return { Update: { ...Update, ExpressionAttributeValues: { ':one': 1 } } };
}

/** Counts itself, alone and together with all others, and makes an item. A third of them has a condition that never holds. */
function itemsOf(number: number): TransactItem[] {
  const Item = { ...keyOf(number), sk: 'MADE' };
  const ConditionExpression = number % 3 === 0 ? 'attribute_exists(pk)' : 'attribute_not_exists(pk)';
  return [increase(number), increase('shared'), { Put: { TableName: TABLE_NAME, Item, ConditionExpression } }];
}

const stepAside = (held: TransactItem) => (held.Update?.Key?.pk === keyOf('shared').pk ? increase('aside') : held);

async function tell(number: number): Promise<Told> {
  try {
    await transact(itemsOf(number), stepAside);
    return 'written';
  } catch (error) {
    if (error instanceof ConditionFailed) return 'refused';
    return error instanceof Problem && error.message.includes('unknown') ? 'unknown' : 'nothing written';
  }
}

const timesOf = async (name: string | number) => Number((await readItem(keyOf(name)))?.times ?? 0);

describe('a transaction whose calls fail in every way and order', () => {
  it('is as it is told: written once, or refused and not written; unknown only where time was over', async () => {
    const dice = new Dice(SEED);
    const { interceptor } = faultInjector(FAULT_SHARE, SEED);
    const end = own.cloud.intercept((call) =>
      call.operation === 'TransactWriteItems' ? interceptor({ ...call, functionName: 'some' }) : undefined,
    );
    const ended = await Promise.all(
      Array.from({ length: TRANSACTIONS }, async (_, number) => {
        await sleep(WHILE_MILLISECONDS * dice.share());
        const milliseconds = 2_000 + 4_000 * dice.share();
        const endsAt = performance.now() + milliseconds;
        const told = await withDeadline(milliseconds, () => tell(number));
        return { told, isOver: endsAt - performance.now() < RESERVE_MILLISECONDS };
      }),
    );
    end();
    await sleep(LATE_MILLISECONDS);
    const outcomes = await Promise.all(ended.map(async (each, number) => ({ ...each, times: await timesOf(number) })));
    const wrong = outcomes.filter(({ told, isOver, times }) => {
      if (told === 'written') return times !== 1;
      if (told === 'refused') return times !== 0;
      return !isOver || times > (told === 'unknown' ? 1 : 0);
    });
    expect(wrong).toEqual([]);
    const [shared = 0, aside = 0] = await Promise.all(SHARED.map(timesOf));
    expect(shared + aside).toBe(outcomes.filter(({ times }) => times === 1).length);
    expect(aside).toBeGreaterThan(0);
    const kinds = outcomes.map(({ told, times }) => `${told}: ${times}`);
    expect(kinds).toEqual(expect.arrayContaining(['written: 1', 'refused: 0', 'unknown: 0', 'unknown: 1']));
  });
});

describe('a function that starts', () => {
  it.each([
    [2_500, [2_000, 500]],
    [2_501, [2_000]],
  ])(
    'asks for the layout for three seconds, and starts though the table is silent: after %i ms',
    async (late, limits) => {
      vi.resetModules();
      const { prepareTable } = await import('#shared/data/table/database.ts');
      vi.useFakeTimers({ toFake: ['Date'] });
      const handle = vi.spyOn(NodeHttpHandler.prototype, 'handle').mockImplementation(async () => {
        vi.setSystemTime(Date.now() + late);
        throw Object.assign(new Error('made for a test'), { name: 'TimeoutError' });
      });
      await prepareTable();
      expect(handle.mock.calls.map(([, options]) => options?.requestTimeout)).toEqual(limits);
    },
  );
});

describe("an operator's command", () => {
  it('reads the layout once', async () => {
    vi.resetModules();
    const handle = vi.spyOn(NodeHttpHandler.prototype, 'handle');
    const { openTable } = await import('#scripts/table-layout.ts');
    const fresh = await import('#shared/data/table/item.ts');
    await openTable();
    await fresh.readItem(keyOf('none'));
    const asked = handle.mock.calls.map(([{ body }]) => JSON.parse(String(body)).Key.pk.S);
    expect(asked).toEqual(['LAYOUT', keyOf('none').pk]);
  });
});

describe('a call', () => {
  it('does not begin where no time is left for it', async () => {
    let calls = 0;
    const end = own.cloud.intercept(() => {
      calls += 1;
      return undefined;
    });
    const read = () => readItem(keyOf('late'));
    await expect(withDeadline(400, read)).rejects.toThrow(DeadlineExceeded);
    expect(calls).toBe(0);
    await withDeadline(2_000, read);
    expect(calls).toBe(1);
    end();
  });
});
