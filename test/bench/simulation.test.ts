import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Chance } from '#scripts/bench/chance.ts';
import { ORGANIZATION, type RecordedCall, type Recording, type Touch } from '#scripts/bench/recording.ts';
import { SimulatedFunction, SimulatedQueue } from '#scripts/bench/simulated-compute.ts';
import { CapacityBucket, placeStages, SimulatedTable, type TableModel } from '#scripts/bench/simulated-table.ts';
import { ASSUMPTIONS, simulate } from '#scripts/bench/simulation.ts';
import { percentile } from '#scripts/bench/statistics.ts';
import { VirtualTime } from '#scripts/bench/virtual-time.ts';

/** The rules by which the simulation moves, each with as little around it as can be. */

const EACH_KEY_APART: TableModel = { partitions: null, burstSeconds: 0 };

const NOTHING = { p50: 1e-6, p99: 1e-6 };

const INSTANT = { read: NOTHING, write: NOTHING, transaction: NOTHING, transactionItem: NOTHING, refusal: NOTHING };

const write = (partition: string, writeUnits: number): Touch => ({
  partition: `${ORGANIZATION} ${partition}`,
  item: `${ORGANIZATION} ${partition}`,
  readUnits: 0,
  writeUnits,
});

const transaction = (...touches: Touch[]): RecordedCall => ({ kind: 'transaction', touches });

const place = (call: RecordedCall, organization = 'a', table = EACH_KEY_APART) => {
  const [placed] = placeStages([[call]], organization, table).flat();
  if (!placed) throw new Error('Nothing was placed.');
  return placed;
};

describe('virtual time', () => {
  it('wakes whoever sleeps in the order of their moments, and of their falling asleep', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 50 }), async (pauses) => {
        const time = new VirtualTime();
        const woken: [moment: number, sleeper: number][] = [];
        pauses.forEach(async (pause, sleeper) => {
          await time.sleep(pause);
          woken.push([time.now, sleeper]);
        });
        await time.run();
        const expected = pauses.map((pause, sleeper): [number, number] => [pause, sleeper]);
        expect(woken).toEqual(expected.sort(([one], [other]) => one - other));
      }),
      { numRuns: 50 },
    );
  });
});

describe('chance', () => {
  it('is the same for the same seed, and another for another', () => {
    const drawn = (seed: number) => {
      const chance = new Chance(seed);
      return Array.from({ length: 5 }, () => chance.latency({ p50: 10, p99: 50 }));
    };
    expect(drawn(7)).toEqual(drawn(7));
    expect(drawn(7)).not.toEqual(drawn(8));
  });

  it('draws latencies with the percentiles that were stated', () => {
    const chance = new Chance(1);
    const drawn = Array.from({ length: 50_000 }, () => chance.latency({ p50: 10, p99: 50 }));
    expect(percentile(drawn, 0.5) / 10).toBeCloseTo(1, 1);
    expect(percentile(drawn, 0.99) / 50).toBeCloseTo(1, 1);
  });
});

describe('a partition', () => {
  it('gives as long as anything is left, and never more than it has saved and got, but for what the last call owes', () => {
    const asked = fc.array(fc.record({ pause: fc.nat(400), units: fc.integer({ min: 1, max: 300 }) }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(asked, fc.nat(3), (requests, savedSeconds) => {
        const bucket = new CapacityBucket(1_000, savedSeconds);
        const saved = 1_000 * Math.max(1, savedSeconds);
        let [now, given] = [0, 0];
        for (const { pause, units } of requests) {
          now += pause;
          const isOpen = bucket.isOpen(now);
          // One unit comes with each millisecond.
          if (isOpen) expect(given).toBeLessThan(saved + now);
          else expect(given).toBeGreaterThanOrEqual(saved);
          if (!isOpen) continue;
          bucket.take(units, now);
          given += units;
        }
      }),
    );
  });

  it('throttles a call when one of its keys has nothing left, and then draws nothing from the others', async () => {
    const time = new VirtualTime();
    const table = new SimulatedTable(time, new Chance(1), EACH_KEY_APART, INSTANT);
    const attempt = async (...touches: Touch[]) => {
      const outcome = table.attempt(place(transaction(...touches)));
      await time.run();
      return outcome;
    };
    expect(await attempt(write('hot', 1_100))).toBe('done');
    expect(await attempt(write('hot', 1), write('other', 1_100))).toBe('throttled');
    expect(await attempt(write('other', 1_100))).toBe('done');
    expect(await attempt(write('other', 1))).toBe('throttled');
    // What is owed has come by then.
    await Promise.all([time.sleep(101), time.run()]);
    expect(await attempt(write('hot', 1))).toBe('done');
  });

  it('is shared by organizations where keys are spread over few', () => {
    const few: TableModel = { partitions: 1, burstSeconds: 0 };
    const bucketsOf = (table: TableModel) =>
      ['a', 'b'].map((organization) => place(transaction(write('x', 1)), organization, table).demands[0]?.bucket);
    expect(new Set(bucketsOf(few)).size).toBe(1);
    expect(new Set(bucketsOf(EACH_KEY_APART)).size).toBe(2);
  });
});

describe('transactions', () => {
  it('conflict while they hold an item in common, and never with reads or other organizations', async () => {
    const time = new VirtualTime();
    const table = new SimulatedTable(time, new Chance(1), EACH_KEY_APART, ASSUMPTIONS.table);
    const call = transaction(write('page', 2));
    const read: RecordedCall = { kind: 'read', touches: [{ ...write('page', 0), readUnits: 1 }] };
    const attempts = [place(call), place(call), place(read), place(call, 'b')].map((each) => table.attempt(each));
    await time.run();
    expect(await Promise.all(attempts)).toEqual(['done', 'conflict', 'done', 'done']);
    const after = table.attempt(place(call));
    await time.run();
    expect(await after).toBe('done');
  });
});

describe('a FIFO queue', () => {
  const model = {
    ...ASSUMPTIONS.queue,
    delivery: { p50: 1, p99: 1 },
    firstConcurrency: 2,
    concurrencyPerSecond: 1,
    visibilityTimeoutMilliseconds: 10_000,
    maxReceives: 3,
  };

  interface Sent {
    readonly group: string;
    readonly number: number;
    failures: number;
  }

  async function consumed(messages: readonly Sent[], retryMilliseconds?: number) {
    const time = new VirtualTime();
    const [begun, lost]: [string[], string[]] = [[], []];
    const running = new Set<string>();
    const queue = new SimulatedQueue<Sent>(
      time,
      new Chance(1),
      { ...model, retryMilliseconds },
      {
        handle: async (message) => {
          expect(running.has(message.group)).toBe(false);
          running.add(message.group);
          expect(running.size).toBeLessThanOrEqual(Math.floor(model.firstConcurrency + time.now / 1_000));
          begun.push(`${message.group}${message.number}@${Math.floor(time.now / 1_000)}`);
          await time.sleep(900);
          running.delete(message.group);
          message.failures -= 1;
          return message.failures < 0;
        },
        giveUp: ({ group, number }) => lost.push(`${group}${number}`),
      },
    );
    for (const message of messages) queue.put(message.group, message);
    await time.run();
    return { begun, lost };
  }

  it('hands out the messages of a group in their order and one at a time, and groups side by side', async () => {
    const sent = ['a', 'a', 'b', 'c'].map((group, number) => ({ group, number, failures: 0 }));
    const { begun, lost } = await consumed(sent);
    // Two pollers at first: the third group waits for one of them.
    expect(begun).toEqual(['a0@0', 'b2@0', 'a1@0', 'c3@0']);
    expect(lost).toEqual([]);
  });

  it('delivers what failed once more when it is visible again, and what follows it only then', async () => {
    const sent = [1, 0].map((failures, number) => ({ group: 'a', number, failures }));
    expect(await consumed(sent)).toEqual({ begun: ['a0@0', 'a0@10', 'a1@10'], lost: [] });
    const again = [1, 0].map((failures, number) => ({ group: 'a', number, failures }));
    expect((await consumed(again, 4_000)).begun).toEqual(['a0@0', 'a0@4', 'a1@5']);
  });

  it('gives up what has failed too often, and goes on with what follows', async () => {
    const sent = [9, 0].map((failures, number) => ({ group: 'a', number, failures }));
    const { begun, lost } = await consumed(sent);
    expect(begun).toEqual(['a0@0', 'a0@10', 'a0@20', 'a1@20']);
    expect(lost).toEqual(['a0']);
  });
});

describe('a function', () => {
  it('starts an instance only when all others are at work', async () => {
    const time = new VirtualTime();
    const worker = new SimulatedFunction(time, new Chance(1), ASSUMPTIONS.coldStart);
    const work = () => worker.run(() => time.sleep(100));
    void Promise.all([work(), work()]).then(work);
    await time.run();
    expect(worker.coldStarts).toBe(2);
  });
});

describe('a simulated import', () => {
  const unit = (name: string) => [transaction(write('job', 2), write(name, 200), write('ledger', 4))];
  const recording: Recording = {
    rows: 6,
    confirm: { before: [[transaction(write('job', 2))]], after: [] },
    messages: [[unit('one'), unit('two')], [unit('three')]],
    createEntry: [[transaction(write('entry', 2), write('ledger', 2))]],
    listEntries: [[{ kind: 'read', touches: [{ ...write('ledger', 0), readUnits: 3 }] }]],
    toldWriteUnits: 620,
    toldReadUnits: 0,
  };

  it('goes the same way for the same seed', async () => {
    const plan = { seed: 3, imports: 4, table: EACH_KEY_APART, seconds: 5 };
    const [one, other] = [await simulate(recording, plan), await simulate(recording, plan)];
    expect(one).toEqual(other);
    expect((await simulate(recording, { ...plan, seed: 4 })).confirms).not.toEqual(one.confirms);
  });

  it('is answered when all is imported, and meets the others that write to its items', async () => {
    const run = await simulate(recording, { seed: 1, imports: 3, table: EACH_KEY_APART, seconds: 20 });
    expect(run.confirms.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(run.imports).toHaveLength(3);
    const latest = Math.max(...run.imports);
    expect(Math.max(...run.confirms.map(({ milliseconds }) => milliseconds))).toBeGreaterThanOrEqual(latest);
    for (const answers of [run.neighbourCreates, run.neighbourLists, run.colleagueCreates]) {
      expect(answers.length).toBeGreaterThan(50);
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    }
  });

  it('is waited for by a single write to an item that its transactions hold', async () => {
    const booking: Recording = { ...recording, createEntry: [[{ kind: 'write', touches: [write('ledger', 2)] }]] };
    const runs = [1, 2, 3, 4, 5].map((seed) =>
      simulate(booking, { seed, imports: 1, table: EACH_KEY_APART, seconds: 20 }),
    );
    const ended = await Promise.all(runs);
    expect(ended.some(({ conflicts }) => conflicts > 0)).toBe(true);
    expect(ended.flatMap((run) => run.colleagueCreates).every(({ status }) => status === 200)).toBe(true);
  });

  it('is slowed down and throttled by a partition that all of them share', async () => {
    const heavy: Recording = { ...recording, messages: [Array.from({ length: 20 }, (_, i) => unit(`unit ${i}`))] };
    const plan = { seed: 1, imports: 5, seconds: 1 };
    const apart = await simulate(heavy, { ...plan, table: EACH_KEY_APART });
    const shared = await simulate(heavy, { ...plan, table: { partitions: 1, burstSeconds: 0 } });
    expect(apart.throttles).toBe(0);
    expect(shared.throttles).toBeGreaterThan(0);
    // 5 imports of 20 units of some 200 write units each, at 1,000 a second, of which one second's are there at once.
    expect(Math.max(...shared.imports)).toBeGreaterThan(((5 * 20 * 206) / 1_000 - 1) * 1_000);
    expect(Math.max(...apart.imports)).toBeLessThan(Math.max(...shared.imports));
  });
});
