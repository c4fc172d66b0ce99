import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Direction, Listed } from '#shared/contract/pagination.ts';
import { fold } from '#shared/domain/text.ts';
import { database, TABLE_NAME } from './client.ts';
import { keyAttributes } from './table-definition.ts';

export type Item = Record<string, unknown>;

export interface Filter {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, unknown>>;
}

/** Finds `q`, in any case, in any of the attributes, which hold folded text. */
export function contains(q: string, attributes: readonly string[]): Filter {
  const expression = attributes.map((attribute) => `contains(${attribute}, :q)`).join(' OR ');
  return { expression: `(${expression})`, values: { ':q': fold(q) } };
}

/** Finds what has these values; undefined where none is given. */
export function equalling(wanted: Readonly<Record<string, unknown>>): Filter | undefined {
  const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
  if (given.length === 0) return undefined;
  return {
    expression: given.map(([name]) => `#${name} = :${name}`).join(' AND '),
    names: Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
    values: Object.fromEntries(given.map(([name, value]) => [`:${name}`, value])),
  };
}

/** Finds what all of the filters find; undefined where there is none. */
export function allOf(...filters: readonly (Filter | undefined)[]): Filter | undefined {
  const given = filters.filter((filter) => filter !== undefined);
  if (given.length === 0) return undefined;
  return {
    expression: given.map(({ expression }) => expression).join(' AND '),
    names: Object.assign({}, ...given.map(({ names }) => names)),
    values: Object.assign({}, ...given.map(({ values }) => values)),
  };
}

/** Rows that lie together in one order: a partition of the table or of one of its indexes. */
export interface Place {
  readonly partition: string;
  /** The table itself by default. Reading an index is eventually consistent: DynamoDB has no other. */
  readonly index?: string;
}

interface Reading extends Place {
  readonly filter?: Filter;
  /** Stop after so many items; all of them by default. */
  readonly upTo?: number;
  /** By sort key; descending, which is newest first in the table, by default. */
  readonly direction?: Direction;
  /** The attributes to hand out; all of them by default. What is not handed out is read and paid for, but does not travel. */
  readonly attributes?: readonly string[];
  /** Only rows behind this sort key in the direction of reading, or with `inclusive` also the one that has it. */
  readonly behind?: { readonly sortKey: string; readonly inclusive: boolean };
}

/**
 * Reads a small collection: from its base-table partition, newest first and with strong consistency, so that a front end sees what it has
 * just written, unless the reading says otherwise. DynamoDB hands out at most 1 MB at a time, hence the loop. It counts a limit before it
 * filters: where matches are rare, each request therefore looks at as much as all before it together.
 */
export async function readCollection({
  upTo = Number.POSITIVE_INFINITY,
  direction = 'desc',
  ...reading
}: Reading): Promise<Item[]> {
  const items: Item[] = [];
  let looked = 0;
  let startKey: QueryCommandInput['ExclusiveStartKey'];
  do {
    const wanted = reading.filter ? Math.max(upTo - items.length, looked) : upTo - items.length;
    const page = await database.send(
      new QueryCommand({
        TableName: TABLE_NAME,
        IndexName: reading.index,
        ...conditions(reading, direction),
        ProjectionExpression: reading.attributes?.map(alias).join(', '),
        ConsistentRead: reading.index === undefined,
        ScanIndexForward: direction === 'asc',
        Limit: Number.isFinite(upTo) ? Math.min(wanted, MAX_LIMIT) : undefined,
        ExclusiveStartKey: startKey,
      }),
    );
    items.push(...(page.Items ?? []));
    looked += page.ScannedCount ?? 0;
    startKey = page.LastEvaluatedKey;
  } while (startKey && items.length < upTo);
  return items.slice(0, upTo);
}

interface OffsetPage {
  readonly partition: string;
  readonly filter?: Filter;
  readonly limit: number;
  readonly offset: number;
  /** Where the total is counted already: reading then stops where the page ends. Without it everything is read, to count the matches. */
  readonly total?: () => Promise<number>;
}

/** A page by offset of a small collection, newest first. */
export async function readPage<T>(
  { partition, filter, limit, offset, total }: OffsetPage,
  fromItem: (item: Item) => T,
): Promise<Listed<T>> {
  // An offset behind the end is answered from the count alone.
  const known = offset > 0 ? await total?.() : undefined;
  if (known !== undefined && offset >= known) return { items: [], total: known };
  const [items, counted = known] = await Promise.all([
    readCollection({ partition, filter, upTo: total && offset + limit }),
    known === undefined ? total?.() : known,
  ]);
  return { items: items.slice(offset, offset + limit).map(fromItem), total: counted ?? items.length };
}

type Conditions = Pick<
  QueryCommandInput,
  'KeyConditionExpression' | 'FilterExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** Some names of attributes are reserved words. */
const alias = (attribute: string): string => `#${attribute}`;

function conditions({ partition, index, filter, behind, attributes = [] }: Reading, direction: Direction): Conditions {
  const { partitionKey, sortKey } = keyAttributes(index);
  const operator = `${direction === 'asc' ? '>' : '<'}${behind?.inclusive ? '=' : ''}`;
  return {
    KeyConditionExpression: `#partition = :partition${behind ? ` AND #sort ${operator} :sort` : ''}`,
    FilterExpression: filter?.expression,
    ExpressionAttributeNames: {
      '#partition': partitionKey,
      ...(behind && { '#sort': sortKey }),
      ...filter?.names,
      ...Object.fromEntries(attributes.map((attribute) => [alias(attribute), attribute])),
    },
    ExpressionAttributeValues: {
      ':partition': partition,
      ...(behind && { ':sort': behind.sortKey }),
      ...filter?.values,
    },
  };
}

/** DynamoDB takes a 32-bit limit; a larger offset than this lies beyond any page of 1 MB anyway. */
const MAX_LIMIT = 100_000;
