import type { Answer } from './aws-answer.ts';
import { CapacityBucket } from './capacity-bucket.ts';
import { DynamoDbNeeds, type Fields, fields } from './dynamodb-needs.ts';
import { transactionItemsOf, writesOf } from './item-requests.ts';
import type { TablePlan } from './plans/tables.ts';
import { ServiceError } from './service-error.ts';

/**
 * Limits how much a table takes in a second, as AWS does; the emulator takes what the machine does. Each partition
 * key of the table and of each index has its own units, and the table as a whole has units too. If a key has had its
 * share, the next call is refused. If a key of an index has had its share, writes to the table are refused. AWS also
 * saves unused units for some minutes, but does not promise that. Here nothing is saved for longer than a second.
 */

export interface Units {
  readonly read: number;
  readonly write: number;
}

export interface ThroughputLimits {
  /** For each partition key, a second. */
  readonly ofKey: Units;
  /** For a table or an index, a second. */
  readonly ofTable: Units;
}

/** What AWS gives a partition, and a new table. */
export const AWS_LIMITS: ThroughputLimits = {
  ofKey: { read: 3_000, write: 1_000 },
  ofTable: { read: 12_000, write: 4_000 },
};

const WRITES: ReadonlySet<string> = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'TransactWriteItems',
  'BatchWriteItem',
]);

const EXCEEDED = 'The level of configured provisioned throughput for the table was exceeded.';

export class Throughput {
  readonly #limits: ThroughputLimits;
  readonly #needs: DynamoDbNeeds;
  readonly #tables: ReadonlyMap<string, TablePlan>;
  readonly #buckets = new Map<string, CapacityBucket>();
  #refused = 0;

  constructor(tables: readonly TablePlan[], limits: ThroughputLimits = AWS_LIMITS) {
    this.#limits = limits;
    this.#needs = new DynamoDbNeeds(tables);
    this.#tables = new Map(tables.map((table) => [table.arn, table]));
  }

  /** The number of calls of which something was refused. */
  get refused(): number {
    return this.#refused;
  }

  /**
   * Performs a call within the limits.
   *
   * @param perform gets the call without what is refused of it
   * @throws ServiceError if the whole call is refused
   */
  async pass(operation: string, request: object, perform: (request: object) => Promise<Answer>): Promise<Answer> {
    const kind = WRITES.has(operation) ? 'write' : 'read';
    const draws = this.#drawsOf(operation, fields(request));
    const isRefused = draws.map((names) => names.some((name) => !this.#bucketOf(kind, name).isOpen()));
    if (!isRefused.includes(true)) return this.#charged(kind, draws, request, perform);
    this.#refused += 1;
    if (operation.startsWith('Transact')) throw cancellation(isRefused);
    if (!operation.startsWith('Batch') || !isRefused.includes(false)) {
      throw new ServiceError('ProvisionedThroughputExceededException', EXCEEDED);
    }
    const { taken, left } = splitBatch(fields(request), isRefused);
    const drawn = draws.filter((_, position) => !isRefused[position]);
    const answer = await this.#charged(kind, drawn, taken, perform);
    return withUnprocessed(operation, answer, left);
  }

  /** What each item of a call draws from: a table, an index, or a key of either. */
  #drawsOf(operation: string, request: Fields): string[][] {
    const places = this.#needs.of(operation, request).flatMap(({ resource, conditionValues = {} }) => {
      return (conditionValues['dynamodb:LeadingKeys'] ?? ['']).map((key) => ({ resource, key }));
    });
    const isTransaction = operation === 'TransactWriteItems';
    const writes = isTransaction ? transactionItemsOf(request) : writesOf(operation, request);
    return places.map(({ resource, key }, position) => [
      ...drawnAt(resource, key),
      ...this.#drawsOfIndexes(resource, key, writes[position]?.request),
    ]);
  }

  #drawsOfIndexes(resource: string, key: string, write: Fields | undefined): string[] {
    const indexes = write ? (this.#tables.get(resource)?.GlobalSecondaryIndexes ?? []) : [];
    return indexes.flatMap(({ IndexName, KeySchema }) => {
      const attribute = KeySchema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
      return drawnAt(`${resource}/index/${IndexName}`, writtenValue(write ?? {}, attribute) ?? key);
    });
  }

  /** Performs a call and charges what it has consumed, in equal parts for its items. */
  async #charged(
    kind: keyof Units,
    draws: readonly (readonly string[])[],
    request: object,
    perform: (request: object) => Promise<Answer>,
  ): Promise<Answer> {
    const answer = await perform({ ...request, ReturnConsumedCapacity: 'INDEXES' });
    for (const [resource, units] of consumedUnits(answer, this.#tables)) {
      const names = draws.flat().filter((name) => name === resource || name.startsWith(`${resource} `));
      const items = names.length / 2;
      for (const name of names) this.#bucketOf(kind, name).take(units / items);
    }
    return answer;
  }

  #bucketOf(kind: keyof Units, name: string): CapacityBucket {
    const id = `${kind} ${name}`;
    const limits = name.includes(' ') ? this.#limits.ofKey : this.#limits.ofTable;
    const bucket = this.#buckets.get(id) ?? new CapacityBucket(limits[kind], limits[kind]);
    this.#buckets.set(id, bucket);
    return bucket;
  }
}

/** What an item draws from: a table or an index as a whole, and one of its keys. */
const drawnAt = (resource: string, key: string): string[] => [resource, `${resource} ${key}`];

/** The text that a write gives an attribute; undefined if it gives none. */
function writtenValue({ Item, ...update }: Fields, attribute: string): string | undefined {
  const names = fields(update.ExpressionAttributeNames);
  const values = fields(update.ExpressionAttributeValues);
  const assignments = [...String(update.UpdateExpression ?? '').matchAll(/([#\w]+)\s*=\s*(:\w+)/g)];
  const assigned = assignments.find(([, name = '']) => (names[name] ?? name) === attribute)?.[2];
  const { S } = fields(fields(Item)[attribute] ?? (assigned && values[assigned]));
  return typeof S === 'string' ? S : undefined;
}

/** What a call has consumed of each table and index, by their ARNs. */
function consumedUnits({ status, body }: Answer, tables: ReadonlyMap<string, TablePlan>): [string, number][] {
  if (status !== 200) return [];
  const { ConsumedCapacity } = fields(JSON.parse(body.toString()));
  return [ConsumedCapacity].flat().flatMap((ofTable) => {
    const { TableName, Table, GlobalSecondaryIndexes } = fields(ofTable);
    const resource = [...tables.values()].find(({ name }) => name === TableName)?.arn;
    if (resource === undefined) return [];
    const ofIndexes = Object.entries(fields(GlobalSecondaryIndexes)).map(
      ([name, consumed]) => [`${resource}/index/${name}`, unitsIn(consumed)] as [string, number],
    );
    return [[resource, unitsIn(Table)], ...ofIndexes];
  });
}

const unitsIn = (consumed: unknown): number => Number(fields(consumed).CapacityUnits ?? 0);

function cancellation(isRefused: readonly boolean[]): ServiceError {
  const reasons = isRefused.map((refused) =>
    refused ? { Code: 'ThrottlingError', Message: EXCEEDED } : { Code: 'None' },
  );
  const codes = reasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new ServiceError('TransactionCanceledException', message, 400, { CancellationReasons: reasons });
}

interface SplitBatch {
  readonly taken: Fields;
  /** In the form of `RequestItems`. */
  readonly left: Fields;
}

/** @param isRefused by position among the items of all tables */
function splitBatch(request: Fields, isRefused: readonly boolean[]): SplitBatch {
  let position = 0;
  const split = Object.entries(fields(request.RequestItems)).map(([table, asked]) => {
    const isWrite = Array.isArray(asked);
    const items: unknown[] = isWrite ? asked : [fields(asked).Keys].flat();
    const parts = Object.groupBy(items, () => (isRefused[position++] ? 'left' : 'taken'));
    const asAsked = (part: unknown[] = []) => (isWrite ? part : { ...fields(asked), Keys: part });
    return { table, parts, asAsked };
  });
  const part = (name: 'taken' | 'left') =>
    Object.fromEntries(
      split.filter(({ parts }) => parts[name]).map(({ table, parts, asAsked }) => [table, asAsked(parts[name])]),
    );
  return { taken: { ...request, RequestItems: part('taken') }, left: part('left') };
}

function withUnprocessed(operation: string, answer: Answer, left: Fields): Answer {
  if (answer.status !== 200) return answer;
  const member = operation === 'BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems';
  const body: Fields = fields(JSON.parse(answer.body.toString()));
  const unprocessed = { ...fields(body[member]), ...left };
  return { ...answer, body: JSON.stringify({ ...body, [member]: unprocessed }) };
}
