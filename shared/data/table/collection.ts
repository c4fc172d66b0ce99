import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { withoutShard } from '#shared/data/layout/keys.ts';
import type { Direction } from '#shared/domain/page.ts';
import { fault, type Problem } from '#shared/domain/problems.ts';
import { foldText } from '#shared/domain/text.ts';
import { type Item, queryPage } from './query.ts';
import { ReadBound } from './read-bound.ts';
import { keyAttributes } from './table-definition.ts';

export interface Filter {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

export function contains(q: string, attributes: readonly string[]): Filter {
  const expression = attributes.map((attribute) => `contains(${attribute}, :q)`).join(' OR ');
  return { expression: `(${expression})`, values: { ':q': foldText(q) } };
}

export function equalling(wanted: Readonly<Record<string, unknown>>): Filter | undefined {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  if (given.length === 0) return undefined;
  return {
    expression: given.map(([name]) => `#${name} = :${name}`).join(' AND '),
    names: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
  };
}

export function amongst(attribute: string, wanted: readonly string[] | undefined): Filter | undefined {
  if (wanted === undefined) return undefined;
  const values = wanted.map((value, position) => [`:${attribute}${position}`, value] as const);
  return {
    expression: `#${attribute} IN (${values.map(([name]) => name).join(', ')})`,
    names: { [`#${attribute}`]: attribute },
    values: Object.fromEntries(values),
  };
}

export function ranging(
  attribute: string,
  { from, to }: { readonly from?: string; readonly to?: string },
): Filter | undefined {
  const bound = (operator: string, name: string, value: string | undefined): Filter | undefined =>
    value === undefined
      ? undefined
      : {
          expression: `#${attribute} ${operator} :${name}`,
          names: { [`#${attribute}`]: attribute },
          values: { [`:${name}`]: value },
        };
  return allOf(bound('>=', `${attribute}From`, from), bound('<=', `${attribute}To`, to));
}

export function allOf(...filters: readonly (Filter | undefined)[]): Filter | undefined {
  const given = filters.filter((filter) => filter !== undefined);
  if (given.length === 0) return undefined;
  return {
    expression: given.map(({ expression }) => expression).join(' AND '),
    names: Object.assign({}, ...given.map(({ names }) => names)),
    values: Object.assign({}, ...given.map(({ values }) => values)),
  };
}

export interface Collection {
  readonly partition: string;
  /** The table by default. Reads of an index are eventually consistent: DynamoDB offers no others. */
  readonly index?: string;
}

interface CollectionQuery extends Collection {
  readonly filter?: Filter;
  readonly upTo?: number;
  readonly bound?: ReadBound;
  /** By sort key. The default is descending, which is newest first in the table. */
  readonly direction?: Direction;
  /** All by default. The others are read and paid for, but do not travel. */
  readonly attributes?: readonly string[];
  /** Merges items that belong together into one, which then counts as one. */
  readonly join?: (items: readonly Item[]) => Item[];
  /** Only rows behind this sort key in the direction of reading. */
  readonly behind?: Bound;
  /** Both inclusive. */
  readonly between?: { readonly from: string; readonly to: string };
}

export interface Bound {
  readonly sortKey: string;
  readonly inclusive: boolean;
}

export interface ScannedItems {
  readonly items: Item[];
  readonly looked: number;
}

/**
 * DynamoDB applies the limit before the filter. Where matches are rare, each request therefore looks at as many rows as
 * all requests before it together.
 */
export async function readCollection(reading: CollectionQuery): Promise<Item[]> {
  return (await findInCollection(reading)).items;
}

export async function findInCollection({
  upTo = Number.POSITIVE_INFINITY,
  ...reading
}: CollectionQuery): Promise<ScannedItems> {
  const { join = (all) => all } = reading;
  const read: Item[] = [];
  let items: readonly Item[] = read;
  let looked = 0;
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const wanted = reading.filter ? Math.max(upTo - items.length, looked) : upTo - items.length;
    const Limit = Number.isFinite(upTo) ? Math.min(wanted, MAX_LIMIT) : undefined;
    const page = await query(reading, { Limit, ExclusiveStartKey });
    read.push(...page.items);
    items = join(read);
    looked += page.ScannedCount ?? 0;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey && items.length < upTo);
  return { items: items.slice(0, upTo), looked };
}

/** One request. DynamoDB may stop before so many rows, at its limit of a response. */
export async function readFirst(reading: Omit<CollectionQuery, 'upTo'>, rows: number): Promise<Item[]> {
  return [...(await query(reading, { Limit: rows })).items];
}

/**
 * Where a page by offset begins, searched from the nearer end. DynamoDB counts the rows up to there; none travels.
 *
 * @param offset at least 1, and less than the total
 * @returns undefined where there are fewer rows by now
 */
export async function startOf(
  { partition, filter }: Pick<CollectionQuery, 'partition' | 'filter'>,
  offset: number,
  total: number,
): Promise<Bound | undefined> {
  const isNearerToNewest = offset <= total - offset;
  const position = isNearerToNewest ? offset : total - offset + 1;
  if (position > MAX_ROWS) throw rangeTooLarge('offset', '20 MB');
  const direction = isNearerToNewest ? 'desc' : 'asc';
  const bound = new ReadBound(() => rangeTooLarge('offset', '20 MB'), { readUnits: READ_UNITS_OF_A_LIST });
  const sortKey = await sortKeyAt({ partition, filter, direction, bound }, position);
  return sortKey === undefined ? undefined : { sortKey, inclusive: false };
}

async function sortKeyAt(
  reading: Pick<CollectionQuery, 'partition' | 'filter' | 'direction' | 'bound'>,
  position: number,
): Promise<string | undefined> {
  let seen = 0;
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await query(reading, { Limit: position - seen, ExclusiveStartKey, Select: 'COUNT' });
    seen += page.Count ?? 0;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey && seen < position);
  return ExclusiveStartKey?.[keyAttributes(undefined).sortKey];
}

const MAX_ROWS = 50_000;

/**
 * 20 MB. A list weighs one token, and those of a minute have to cost less than 50 cents: 12 are for what a page reads
 * and answers.
 */
const READ_UNITS_OF_A_LIST = 5_000;

/** @param path the parameter that asks for so much; empty for the whole request */
function rangeTooLarge(path: string, size: string): Problem {
  return fault(
    'range_too_large',
    path,
    `A list looks through at most ${MAX_ROWS} rows and ${size}, and this needs more.`,
  );
}

export const listBound = () =>
  new ReadBound(() => rangeTooLarge('', '20 MB'), { rows: MAX_ROWS, readUnits: READ_UNITS_OF_A_LIST });

/** Limit of requests that take five tokens or more. */
export const searchBound = (path = '') => new ReadBound(() => rangeTooLarge(path, '100 MB'), { rows: MAX_ROWS });

/** Only what the list keeps stays in memory. @throws Problem `range_too_large` */
export async function lookThrough(
  { join = (all) => [...all], bound = listBound(), ...wanted }: Omit<CollectionQuery, 'upTo'>,
  keep: (items: readonly Item[]) => void,
): Promise<void> {
  const reading = { ...wanted, bound };
  let pending: Item[] = [];
  let ExclusiveStartKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const page = await query(reading, { ExclusiveStartKey });
    ExclusiveStartKey = page.LastEvaluatedKey;
    const rows = [...pending, ...page.items];
    // More rows of the last item may come with the next response.
    const last = rows.at(-1);
    pending = ExclusiveStartKey && last ? rows.filter((row) => isOfOneItem(row, last)) : [];
    keep(join(rows.slice(0, rows.length - pending.length)));
  } while (ExclusiveStartKey);
}

/** Whether rows are an item and its shard, or two shards of an item. */
const isOfOneItem = ({ sk }: Item, other: Item): boolean => withoutShard(String(sk)) === withoutShard(String(other.sk));

/** If one request does not read all, the rest is read in parallel. @throws Problem `range_too_large` */
export async function findByPrefix(
  wanted: Pick<CollectionQuery, 'partition' | 'filter' | 'attributes'>,
  prefixes: readonly string[],
): Promise<ScannedItems> {
  const reading = { ...wanted, bound: searchBound() };
  const first = await query({ ...reading, direction: 'asc' }, {});
  const found = { items: [...first.items], looked: first.ScannedCount ?? 0 };
  const last: string | undefined = first.LastEvaluatedKey?.[keyAttributes(undefined).sortKey];
  if (last === undefined) return found;
  const left = prefixes
    .map((prefix) => ({ from: last.startsWith(prefix) ? behind(last) : prefix, to: behind(prefix) }))
    .filter(({ from }) => from > last);
  const others = await Promise.all(left.map((between) => findInCollection({ ...reading, between })));
  const looked = [found, ...others].reduce((sum, all) => sum + all.looked, 0);
  return { items: [found, ...others].flatMap(({ items }) => items), looked };
}

/** Sorts behind everything with this prefix, and before everything else. */
const behind = (prefix: string): string => `${prefix}~`;

type Request = Pick<QueryCommandInput, 'ExclusiveStartKey' | 'Limit' | 'Select'>;

function query({ direction = 'desc', bound, ...reading }: Omit<CollectionQuery, 'upTo'>, request: Request) {
  return queryPage({
    IndexName: reading.index,
    ...conditions(reading, direction),
    ScanIndexForward: direction === 'asc',
    bound,
    ...request,
  });
}

type Conditions = Pick<
  QueryCommandInput,
  | 'KeyConditionExpression'
  | 'FilterExpression'
  | 'ProjectionExpression'
  | 'ExpressionAttributeNames'
  | 'ExpressionAttributeValues'
>;

function conditions(
  { partition, index, filter, attributes, ...reading }: CollectionQuery,
  direction: Direction,
): Conditions {
  const { partitionKey, sortKey } = keyAttributes(index);
  const range = rangeOf(reading, direction);
  return {
    KeyConditionExpression: `#partition = :partition${range ? ` AND #sort ${range.expression}` : ''}`,
    FilterExpression: filter?.expression,
    ProjectionExpression: attributes?.map((name) => `#${name}`).join(', '),
    ExpressionAttributeNames: {
      '#partition': partitionKey,
      ...(range && { '#sort': sortKey }),
      ...Object.fromEntries(attributes?.map((name) => [`#${name}`, name]) ?? []),
      ...filter?.names,
    },
    ExpressionAttributeValues: { ':partition': partition, ...range?.values, ...filter?.values },
  };
}

function rangeOf({ behind: bound, between }: Pick<CollectionQuery, 'behind' | 'between'>, direction: Direction) {
  if (between) return { expression: 'BETWEEN :from AND :to', values: { ':from': between.from, ':to': between.to } };
  if (!bound) return undefined;
  const operator = `${direction === 'asc' ? '>' : '<'}${bound.inclusive ? '=' : ''}`;
  return { expression: `${operator} :sort`, values: { ':sort': bound.sortKey } };
}

/** DynamoDB takes a 32-bit limit. No page of 1 MB reaches this many rows anyway. */
const MAX_LIMIT = 100_000;
