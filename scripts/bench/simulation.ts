import { Chance, type Latency } from './chance.ts';
import type { Recording } from './recording.ts';
import { type QueueModel, SimulatedFunction, SimulatedQueue } from './simulated-compute.ts';
import {
  type Outcome,
  type PlacedCall,
  type PlacedStage,
  placeStages,
  SimulatedTable,
  type TableLatencies,
  type TableModel,
} from './simulated-table.ts';
import { VirtualTime } from './virtual-time.ts';

/**
 * Imports and other people's requests on a cloud that this machine cannot be: recorded calls are replayed, with the waiting, retrying and giving
 * up of the real code, against DynamoDB's, SQS's and Lambda's limits. Latencies are assumptions; they are stated here and nowhere else.
 */

/** Milliseconds. */
export const ASSUMPTIONS = {
  table: {
    read: { p50: 4, p99: 15 },
    write: { p50: 6, p99: 20 },
    transaction: { p50: 12, p99: 40 },
    transactionItem: { p50: 0.6, p99: 1.8 },
    refusal: { p50: 4, p99: 15 },
  } satisfies TableLatencies,
  gateway: { p50: 8, p99: 30 } satisfies Latency,
  send: { p50: 25, p99: 100 } satisfies Latency,
  /** A bundle of some hundred kilobytes on arm64, the runtime included. */
  coldStart: { p50: 350, p99: 900 } satisfies Latency,
  /** Before the request does anything else: parsing, validating, hashing and sorting 10,000 rows. */
  planning: { p50: 900, p99: 1_500 } satisfies Latency,
  /** Of the worker, for each transaction that it makes. */
  unit: { p50: 6, p99: 20 } satisfies Latency,
  /** Of any other request. */
  request: { p50: 3, p99: 10 } satisfies Latency,
  queue: {
    delivery: { p50: 25, p99: 150 },
    /** Six times the worker's time, as the stacks have it. */
    visibilityTimeoutMilliseconds: 360_000,
    maxReceives: 5,
    /** As AWS describes its pollers: five batches at first, and 300 more a minute. */
    firstConcurrency: 5,
    concurrencyPerSecond: 5,
  } satisfies QueueModel,
};

/** How long the functions and their loops go on, as their code says. */
const CONFIRM_MILLISECONDS = 29_000 - 3_500;
const WORKER_MILLISECONDS = 60_000;
const UNIT_MILLISECONDS = 15_000;
const PATIENCE_MILLISECONDS = 9_000;
const TRANSACTION_PAUSE = { first: 10, longest: 1_000 };
const CONFLICT_ATTEMPTS = 6;
const FIRST_CONFLICT_PAUSE = 20;
const SDK_ATTEMPTS = 4;
const SDK_PAUSE = { first: 500, longest: 20_000 };
const POLL_PAUSE = { first: 20, growth: 1.3, longest: 250 };

/** Of each kind of request of other people. */
const REQUEST_INTERVAL_MILLISECONDS = 200;

export interface Plan {
  readonly seed: number;
  readonly imports: number;
  readonly table: TableModel;
  readonly queue?: Partial<QueueModel>;
  /** How long others make requests. */
  readonly seconds: number;
}

export interface Run {
  /** Milliseconds until confirms were answered. */
  readonly confirms: readonly Answer[];
  /** Milliseconds until everything was imported, of imports that got so far. */
  readonly imports: readonly number[];
  /** Of an organization that imports nothing. */
  readonly neighbourCreates: readonly Answer[];
  readonly neighbourLists: readonly Answer[];
  /** Of somebody who books on a project and month that his own organization imports. */
  readonly colleagueCreates: readonly Answer[];
  readonly throttles: number;
  readonly conflicts: number;
  /** Imports that were given up. */
  readonly failures: number;
}

export interface Answer {
  readonly status: number;
  readonly milliseconds: number;
}

interface World {
  readonly time: VirtualTime;
  readonly chance: Chance;
  readonly table: SimulatedTable;
}

export async function simulate(recording: Recording, plan: Plan): Promise<Run> {
  const { seed, imports, table: model } = plan;
  const time = new VirtualTime();
  const chance = new Chance(seed);
  const world = { time, chance, table: new SimulatedTable(time, chance, model, ASSUMPTIONS.table) };
  const confirm = new SimulatedFunction(time, chance, ASSUMPTIONS.coldStart);
  const worker = new SimulatedFunction(time, chance, ASSUMPTIONS.coldStart);
  const queue = new SimulatedQueue<Message>(
    time,
    chance,
    { ...ASSUMPTIONS.queue, ...plan.queue },
    {
      handle: (message) => worker.run(() => message.handle()),
      giveUp: (message) => message.giveUp(),
    },
  );
  const begun = Array.from({ length: imports }, (_, i) => new Import(world, place(recording, `${i}`, model)));
  const confirms = begun.map((each, i) => each.confirm(confirm, (message) => queue.put(`${i}`, message)));
  const others = (organization: string, stages: Recording['createEntry']) =>
    requests(world, placeStages(stages, organization, model), plan.seconds * 1_000);
  const neighbourCreates = others('neighbour', recording.createEntry);
  const neighbourLists = others('neighbour', recording.listEntries);
  const colleagueCreates = others('0', recording.createEntry);
  await time.run();
  const endings = await Promise.all(begun.map(({ ended }) => ended));
  return {
    confirms: await Promise.all(confirms),
    imports: endings.flatMap(({ isComplete, at }) => (isComplete ? at : [])),
    neighbourCreates: await neighbourCreates,
    neighbourLists: await neighbourLists,
    colleagueCreates: await colleagueCreates,
    throttles: world.table.outcomes.throttled,
    conflicts: world.table.outcomes.conflict,
    failures: endings.filter(({ isComplete }) => !isComplete).length,
  };
}

interface PlacedImport {
  readonly before: readonly PlacedStage[];
  readonly after: readonly PlacedStage[];
  readonly messages: readonly (readonly PlacedStage[])[];
}

function place({ confirm, messages }: Recording, organization: string, model: TableModel): PlacedImport {
  const placed = (stages: Recording['createEntry']) => placeStages(stages, organization, model);
  return { before: placed(confirm.before), after: placed(confirm.after), messages: messages.map(placed) };
}

interface Message {
  handle(): Promise<boolean>;
  giveUp(): void;
}

interface Ending {
  readonly isComplete: boolean;
  readonly at: number;
}

/** A confirm with its messages. All begin at the same moment. */
class Import {
  readonly ended: Promise<Ending>;
  readonly #world: World;
  readonly #placed: PlacedImport;
  readonly #end: (isComplete: boolean) => void;
  #isEnded = false;

  constructor(world: World, placed: PlacedImport) {
    this.#world = world;
    this.#placed = placed;
    const { promise, resolve } = Promise.withResolvers<Ending>();
    this.ended = promise;
    this.#end = (isComplete) => {
      this.#isEnded = true;
      resolve({ isComplete, at: world.time.now });
    };
  }

  async confirm(on: SimulatedFunction, send: (message: Message) => void): Promise<Answer> {
    const { time, chance } = this.#world;
    await time.sleep(chance.latency(ASSUMPTIONS.gateway));
    const status = await on.run(() => this.#confirm(send));
    return { status, milliseconds: time.now };
  }

  async #confirm(send: (message: Message) => void): Promise<number> {
    const { time, chance } = this.#world;
    const until = time.now + CONFIRM_MILLISECONDS;
    await time.sleep(chance.latency(ASSUMPTIONS.planning));
    if (!(await carryOut(this.#world, this.#placed.before))) {
      this.#end(false);
      return 503;
    }
    const { messages, after } = this.#placed;
    for (const [position, stages] of messages.entries()) {
      await time.sleep(chance.latency(ASSUMPTIONS.send));
      send(this.#message(stages, position === messages.length - 1));
    }
    const [isNoted] = await Promise.all([carryOut(this.#world, after), this.#wait(until)]);
    if (!isNoted) return 503;
    return this.#isEnded ? 200 : 202;
  }

  /** Looks at the job until it has ended, as long as there is time. */
  async #wait(until: number): Promise<void> {
    const { time, chance } = this.#world;
    for (let pause = POLL_PAUSE.first; ; pause = Math.min(pause * POLL_PAUSE.growth, POLL_PAUSE.longest)) {
      await time.sleep(chance.latency(ASSUMPTIONS.table.read));
      if (this.#isEnded || time.now >= until) return;
      await time.sleep(pause);
    }
  }

  #message(stages: readonly PlacedStage[], isLast: boolean): Message {
    const done = new Set<PlacedStage>();
    return {
      handle: async () => {
        const isDone = await this.#work(stages, done);
        if (isDone && isLast) this.#end(true);
        return isDone;
      },
      giveUp: () => this.#end(false),
    };
  }

  /** A message that comes again reads again, and goes on behind the last transaction that it made. */
  async #work(stages: readonly PlacedStage[], done: Set<PlacedStage>): Promise<boolean> {
    const { time, chance } = this.#world;
    const until = time.now + WORKER_MILLISECONDS - UNIT_MILLISECONDS;
    for (const stage of stages.filter((each) => !done.has(each))) {
      const isUnit = stage.some(({ kind }) => kind === 'transaction');
      if (isUnit && time.now >= until) return false;
      if (isUnit) await time.sleep(chance.latency(ASSUMPTIONS.unit));
      if (!(await carryOut(this.#world, [stage]))) return false;
      if (isUnit) done.add(stage);
    }
    return true;
  }
}

/** More than ever work at the same time, so that none starts cold. */
const WARM_INSTANCES = 10;

/** Requests of somebody else, at random moments. */
async function requests(world: World, stages: readonly PlacedStage[], until: number): Promise<Answer[]> {
  const { time, chance } = world;
  const on = new SimulatedFunction(time, chance, ASSUMPTIONS.coldStart, WARM_INSTANCES);
  const answers: Promise<Answer>[] = [];
  for (;;) {
    await time.sleep(chance.interval(REQUEST_INTERVAL_MILLISECONDS));
    if (time.now > until) return Promise.all(answers);
    answers.push(request(world, on, stages));
  }
}

async function request(world: World, on: SimulatedFunction, stages: readonly PlacedStage[]): Promise<Answer> {
  const { time, chance } = world;
  const startedAt = time.now;
  await time.sleep(chance.latency(ASSUMPTIONS.gateway));
  const isDone = await on.run(async () => {
    await time.sleep(chance.latency(ASSUMPTIONS.request));
    return carryOut(world, stages);
  });
  return { status: isDone ? 200 : 503, milliseconds: time.now - startedAt };
}

/** @returns false as soon as a call is given up */
async function carryOut(world: World, stages: readonly PlacedStage[]): Promise<boolean> {
  for (const stage of stages) {
    const calls = stage.map((call) => (call.kind === 'transaction' ? transact(world, call) : callBySdk(world, call)));
    if (!(await Promise.all(calls)).every(Boolean)) return false;
  }
  return true;
}

/** As `shared/data/transaction.ts` does it. */
async function transact({ time, chance, table }: World, call: PlacedCall): Promise<boolean> {
  const startedAt = time.now;
  for (let attempt = 0; ; attempt++) {
    if ((await table.attempt(call)) === 'done') return true;
    if (time.now - startedAt > PATIENCE_MILLISECONDS) return false;
    const { first, longest } = TRANSACTION_PAUSE;
    await time.sleep(chance.uniform() * Math.min(longest, first * 2 ** attempt));
  }
}

/** As the SDK does it, with what `shared/data/client.ts` adds: the SDK takes a conflict of a single write for no reason to try again. */
async function callBySdk(world: World, call: PlacedCall): Promise<boolean> {
  const { time, chance } = world;
  for (let attempt = 0; ; attempt++) {
    const outcome = await waitForTransactions(world, call);
    if (outcome === 'done') return true;
    if (outcome === 'conflict' || attempt + 1 === SDK_ATTEMPTS) return false;
    const { first, longest } = SDK_PAUSE;
    await time.sleep(chance.uniform() * Math.min(longest, first * 2 ** attempt));
  }
}

async function waitForTransactions({ time, chance, table }: World, call: PlacedCall): Promise<Outcome> {
  for (let attempt = 0; ; attempt++) {
    const outcome = await table.attempt(call);
    if (outcome !== 'conflict' || attempt + 1 === CONFLICT_ATTEMPTS) return outcome;
    await time.sleep(chance.uniform() * FIRST_CONFLICT_PAUSE * 2 ** attempt);
  }
}
