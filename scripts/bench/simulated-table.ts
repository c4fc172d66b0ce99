import { createHash } from 'node:crypto';
import type { Chance, Latency } from './chance.ts';
import { ORGANIZATION, type RecordedCall, type Stage } from './recording.ts';
import type { VirtualTime } from './virtual-time.ts';

/** DynamoDB as far as its limits go: partitions with so many units a second, and transactions that conflict on an item. */

export interface TableModel {
  /** Partitions that all keys are spread over, of the table and of each index; null: each key has one of its own. */
  readonly partitions: number | null;
  /** How many seconds of unused capacity a partition saves. DynamoDB documents up to 300, and promises none. */
  readonly burstSeconds: number;
}

/** DynamoDB's published limits of one partition. */
const UNITS_PER_SECOND = { read: 3_000, write: 1_000 };

/**
 * Capacity units of one partition: they come evenly, and are saved up to a limit. DynamoDB does not say how it weighs a large call that has not
 * enough left against the small ones. Here a call passes as long as anything is left, and owes what it takes beyond that: the harder
 * way for the small calls of others, which would otherwise always find a unit between the large ones.
 */
export class CapacityBucket {
  readonly #unitsPerSecond: number;
  readonly #capacity: number;
  #level: number;
  #countedAt = 0;

  /** It is full at time 0. @param savedSeconds at least one second's units can be taken at once */
  constructor(unitsPerSecond: number, savedSeconds: number) {
    this.#unitsPerSecond = unitsPerSecond;
    this.#capacity = unitsPerSecond * Math.max(1, savedSeconds);
    this.#level = this.#capacity;
  }

  isOpen(now: number): boolean {
    return this.#levelAt(now) > 0;
  }

  take(units: number, now: number): void {
    this.#level = this.#levelAt(now) - units;
    this.#countedAt = now;
  }

  #levelAt(now: number): number {
    return Math.min(this.#capacity, this.#level + ((now - this.#countedAt) / 1_000) * this.#unitsPerSecond);
  }
}

/** A recorded call of one organization, with the buckets that it draws from. */
export interface PlacedCall {
  readonly kind: RecordedCall['kind'];
  readonly items: readonly string[];
  readonly demands: readonly Demand[];
}

interface Demand {
  readonly bucket: string;
  readonly kind: 'read' | 'write';
  readonly units: number;
}

export type PlacedStage = readonly PlacedCall[];

/** Puts calls into an organization, and their keys into the partitions of a table. */
export function placeStages(stages: readonly Stage[], organization: string, model: TableModel): PlacedStage[] {
  return stages.map((stage) => stage.map((call) => placeCall(call, organization, model)));
}

function placeCall({ kind, touches }: RecordedCall, organization: string, model: TableModel): PlacedCall {
  const demands = new Map<string, Demand>();
  const add = (partition: string, of: Demand['kind'], units: number) => {
    if (units === 0) return;
    const bucket = bucketOf(partition.replaceAll(ORGANIZATION, organization), model);
    const sum = (demands.get(`${of} ${bucket}`)?.units ?? 0) + units;
    demands.set(`${of} ${bucket}`, { bucket, kind: of, units: sum });
  };
  for (const { partition, readUnits, writeUnits } of touches) {
    add(partition, 'read', readUnits);
    add(partition, 'write', writeUnits);
  }
  const items = new Set(touches.map(({ item }) => item.replaceAll(ORGANIZATION, organization)));
  return { kind, items: [...items], demands: [...demands.values()] };
}

function bucketOf(partition: string, { partitions }: TableModel): string {
  if (partitions === null) return partition;
  const [index = ''] = /^\w+ (?=\w+#)/.exec(partition) ?? [];
  return `${index}${createHash('md5').update(partition).digest().readUInt32BE() % partitions}`;
}

export type Outcome = 'done' | 'throttled' | 'conflict';

export interface TableLatencies {
  readonly read: Latency;
  readonly write: Latency;
  /** Of a transaction, without its items. */
  readonly transaction: Latency;
  /** For each item of a transaction besides. */
  readonly transactionItem: Latency;
  /** Until the answer that refuses a call. */
  readonly refusal: Latency;
}

export class SimulatedTable {
  readonly outcomes: Record<Outcome, number> = { done: 0, throttled: 0, conflict: 0 };
  readonly #time: VirtualTime;
  readonly #chance: Chance;
  readonly #model: TableModel;
  readonly #latencies: TableLatencies;
  readonly #buckets = new Map<string, CapacityBucket>();
  /** Items of transactions that are under way. */
  readonly #locked = new Set<string>();

  constructor(time: VirtualTime, chance: Chance, model: TableModel, latencies: TableLatencies) {
    this.#time = time;
    this.#chance = chance;
    this.#model = model;
    this.#latencies = latencies;
  }

  /** One attempt. What is refused draws nothing. */
  async attempt(call: PlacedCall): Promise<Outcome> {
    const outcome = this.#outcomeOf(call);
    this.outcomes[outcome] += 1;
    if (outcome === 'done') await this.#perform(call);
    else await this.#time.sleep(this.#chance.latency(this.#latencies.refusal));
    return outcome;
  }

  #outcomeOf({ kind, items, demands }: PlacedCall): Outcome {
    if (kind !== 'read' && items.some((item) => this.#locked.has(item))) return 'conflict';
    const { now } = this.#time;
    return demands.every((demand) => this.#bucketOf(demand).isOpen(now)) ? 'done' : 'throttled';
  }

  /** A transaction holds its items until it ends; a single write is over too fast to be in anybody's way. */
  async #perform({ kind, items, demands }: PlacedCall): Promise<void> {
    for (const demand of demands) this.#bucketOf(demand).take(demand.units, this.#time.now);
    const held = kind === 'transaction' ? items : [];
    for (const item of held) this.#locked.add(item);
    await this.#time.sleep(this.#latencyOf(kind, items.length));
    for (const item of held) this.#locked.delete(item);
  }

  #latencyOf(kind: PlacedCall['kind'], items: number): number {
    const { read, write, transaction, transactionItem } = this.#latencies;
    if (kind === 'read') return this.#chance.latency(read);
    if (kind === 'write') return this.#chance.latency(write);
    return this.#chance.latency({
      p50: transaction.p50 + items * transactionItem.p50,
      p99: transaction.p99 + items * transactionItem.p99,
    });
  }

  #bucketOf({ bucket, kind }: Demand): CapacityBucket {
    const name = `${kind} ${bucket}`;
    const found = this.#buckets.get(name) ?? new CapacityBucket(UNITS_PER_SECOND[kind], this.#model.burstSeconds);
    this.#buckets.set(name, found);
    return found;
  }
}
