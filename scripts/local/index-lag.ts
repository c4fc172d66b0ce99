import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import type { Answer } from './aws-answer.ts';
import { type DynamoDb, emulatorClient, ensureTables, startEmulator } from './dynamodb.ts';
import { fields } from './dynamodb-needs.ts';
import { IndexedTable, type Item, idOf, type Place } from './indexed-table.ts';
import { writesOf } from './item-requests.ts';
import type { TablePlan } from './plans/tables.ts';

/**
 * Makes indexes lag behind their table, as they do on AWS. The emulator's own indexes never lag. A second emulator in
 * memory holds a replica of all items that are in an index, and answers the queries of indexes. Each write reaches
 * the replica after a delay of its own, but never before an earlier write of the same item.
 */

/** An item as it is after the write; undefined if the write deleted it. */
interface Copy {
  readonly place: Place;
  readonly item: Item | undefined;
  readonly dueAt: number;
}

/** An emulator that died is back before this many attempts. */
const MAXIMUM_ATTEMPTS = 10;

/**
 * How often the lag reads what was written and shows what is due. Each round costs a call; a longer
 * pause saves calls.
 */
const PAUSE_MILLISECONDS = 50;

/** The most that a batch of writes takes. A batch of reads holds this many of the largest items too. */
const BATCH_SIZE = 25;

export class IndexLag {
  readonly #primary: string;
  readonly #replica: DynamoDb;
  readonly #tables: ReadonlyMap<string, IndexedTable>;
  readonly #delayMilliseconds: () => number;
  readonly #from: DynamoDBClient;
  readonly #to: DynamoDBClient;
  readonly #stopping = new AbortController();
  /**
   * The items that have ever had a key of an index, and when their last write is due. Any write may take such an
   * item out of the index.
   */
  readonly #dueAt = new Map<string, number>();
  /** Places whose last write is not read yet, and when that write is due. */
  readonly #written = new Map<string, Pick<Copy, 'place' | 'dueAt'>>();
  /** The copies of one item are in the order of its writes. */
  #copies: Copy[] = [];
  #ended: Promise<unknown> | undefined;

  /** Starts the replica and fills it. */
  static async start(
    primary: string,
    tables: readonly TablePlan[],
    delayMilliseconds: () => number,
  ): Promise<IndexLag> {
    const replica = await startEmulator(':memory:');
    const lag = new IndexLag(primary, replica, tables, delayMilliseconds);
    try {
      await ensureTables(replica.endpoint, tables);
      await lag.#fill();
      lag.#ended = lag.#run();
    } catch (error) {
      await lag.stop();
      throw error;
    }
    return lag;
  }

  private constructor(
    primary: string,
    replica: DynamoDb,
    tables: readonly TablePlan[],
    delayMilliseconds: () => number,
  ) {
    this.#primary = primary;
    this.#replica = replica;
    this.#tables = new Map(
      tables
        .filter(({ GlobalSecondaryIndexes }) => GlobalSecondaryIndexes.length > 0)
        .map((table) => [table.name, new IndexedTable(table)]),
    );
    this.#delayMilliseconds = delayMilliseconds;
    this.#from = emulatorClient(primary, { maxAttempts: MAXIMUM_ATTEMPTS });
    this.#to = emulatorClient(replica.endpoint, { maxAttempts: MAXIMUM_ATTEMPTS });
  }

  /**
   * Passes a call on, and makes sure that the replica learns what the call wrote. It does so without an answer too,
   * because a missing answer does not say what was written.
   *
   * @param forward calls the emulator at the given address
   */
  async pass(operation: string, request: object, forward: (endpoint: string) => Promise<Answer>): Promise<Answer> {
    if ('IndexName' in request) return forward(this.#replica.endpoint);
    const places = this.#placesOf(operation, request);
    let status: number | undefined;
    try {
      const answer = await forward(this.#primary);
      status = answer.status;
      return answer;
    } finally {
      // A write at the same time may have brought one of these items into an index. Only now is that known.
      const indexed = places.filter((place) => this.#dueAt.has(idOf(place)));
      if (!isRefusal(status)) for (const place of indexed) this.#expect(place);
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
    this.#from.destroy();
    this.#to.destroy();
    await this.#replica.stop();
  }

  async #fill(): Promise<void> {
    for (const [tableName, table] of this.#tables) {
      for await (const { Items = [] } of paginateScan({ client: this.#from }, table.indexedItems(tableName))) {
        for (const item of Items) {
          const key = table.keyOf(item);
          if (key) this.#dueAt.set(idOf({ tableName, key }), 0);
          await this.#to.send(new PutItemCommand({ TableName: tableName, Item: item }));
        }
      }
    }
  }

  /** Where a call writes. Also notes which items the call may bring into an index. */
  #placesOf(operation: string, request: object): Place[] {
    return writesOf(operation, fields(request)).flatMap(({ tableName, request: write }) => {
      const table = this.#tables.get(tableName);
      const key = table?.keyOf(write.Key ?? write.Item);
      if (!table || !key) return [];
      const place = { tableName, key };
      const id = idOf(place);
      if (table.mentionsIndexKey(write) && !this.#dueAt.has(id)) this.#dueAt.set(id, 0);
      return [place];
    });
  }

  /** The write is never due before an earlier write of the same item. */
  #expect(place: Place): void {
    const id = idOf(place);
    const dueAt = Math.max(performance.now() + this.#delayMilliseconds(), this.#dueAt.get(id) ?? 0);
    this.#dueAt.set(id, dueAt);
    this.#written.set(id, { place, dueAt });
  }

  #run(): Promise<unknown> {
    return Promise.all([
      this.#repeat((signal) => this.#readWritten(signal)),
      this.#repeat((signal) => this.#showDue(signal)),
    ]);
  }

  async #repeat(step: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    try {
      for (;;) {
        await step(signal);
        await sleep(PAUSE_MILLISECONDS, undefined, { signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #readWritten(abortSignal: AbortSignal): Promise<void> {
    const written = [...this.#written.values()];
    this.#written.clear();
    for (const batch of batchesOf(written)) {
      const RequestItems = byTable(batch, (each) => ({
        Keys: each.map(({ place }) => place.key),
        ConsistentRead: true,
      }));
      const { Responses } = await this.#from.send(new BatchGetItemCommand({ RequestItems }), { abortSignal });
      const items = new Map(
        Object.entries(Responses ?? {}).flatMap(([tableName, found]) =>
          found.map((item) => [this.#idOfItem(tableName, item), item]),
        ),
      );
      this.#copies.push(...batch.map((each) => ({ ...each, item: items.get(idOf(each.place)) })));
    }
  }

  async #showDue(abortSignal: AbortSignal): Promise<void> {
    const now = performance.now();
    const due = this.#copies.filter(({ dueAt }) => dueAt <= now);
    if (due.length === 0) return;
    this.#copies = this.#copies.filter(({ dueAt }) => dueAt > now);
    const last = new Map(due.map((copy) => [idOf(copy.place), copy]));
    for (const batch of batchesOf([...last.values()])) {
      const RequestItems = byTable(batch, (each) =>
        each.map(({ place, item }) => (item ? { PutRequest: { Item: item } } : { DeleteRequest: { Key: place.key } })),
      );
      await this.#to.send(new BatchWriteItemCommand({ RequestItems }), { abortSignal });
    }
  }

  #idOfItem(tableName: string, item: Item): string | undefined {
    const key = this.#tables.get(tableName)?.keyOf(item);
    return key && idOf({ tableName, key });
  }
}

function batchesOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / BATCH_SIZE);
  return Array.from({ length: count }, (_, batch) => all.slice(batch * BATCH_SIZE, (batch + 1) * BATCH_SIZE));
}

/** What a batch asks of each of its tables. */
function byTable<T extends { readonly place: Place }, Asked>(
  batch: readonly T[],
  ask: (ofTable: readonly T[]) => Asked,
): Record<string, Asked> {
  const tables = Map.groupBy(batch, ({ place }) => place.tableName);
  return Object.fromEntries([...tables].map(([tableName, ofTable]) => [tableName, ask(ofTable)]));
}

/** The call was answered, and wrote nothing. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500;
}
