import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import type { Fields } from './dynamodb-needs.ts';
import type { TablePlan } from './plans/tables.ts';

/** Which items of a table are in an index, and which of them a call writes. */

export type Item = Record<string, AttributeValue>;

export interface Place {
  readonly tableName: string;
  readonly key: Item;
}

export function idOf({ tableName, key }: Place): string {
  return JSON.stringify([tableName, key]);
}

/** The types that the keys of our tables have. If a key has another type, nothing is copied. */
const keyAttribute = v.union([v.strictObject({ S: v.string() }), v.strictObject({ N: v.string() })]);

export class IndexedTable {
  readonly #key: v.GenericSchema<unknown, Item>;
  readonly #indexAttributes: readonly string[];

  constructor({ KeySchema, GlobalSecondaryIndexes }: TablePlan) {
    const keyAttributes = attributesOf(KeySchema);
    this.#key = v.object(Object.fromEntries(keyAttributes.map((name) => [name, keyAttribute])));
    const indexAttributes = GlobalSecondaryIndexes.flatMap((index) => attributesOf(index.KeySchema));
    this.#indexAttributes = [...new Set(indexAttributes)].filter((name) => !keyAttributes.includes(name));
  }

  /** @param item the item, or the key alone */
  keyOf(item: unknown): Item | undefined {
    const parsed = v.safeParse(this.#key, item);
    return parsed.success ? parsed.output : undefined;
  }

  /** True also if only a value reads like the name of a key. Such an item is copied for nothing. */
  mentionsIndexKey(write: Fields): boolean {
    const text = JSON.stringify(write);
    return this.#indexAttributes.some((name) => text.includes(name));
  }

  /** What a scan asks for, to find all items with a key attribute of an index. */
  indexedItems(tableName: string) {
    const names = this.#indexAttributes;
    return {
      TableName: tableName,
      ConsistentRead: true,
      FilterExpression: names.map((_, position) => `attribute_exists(#n${position})`).join(' OR '),
      ExpressionAttributeNames: Object.fromEntries(names.map((name, position) => [`#n${position}`, name])),
    };
  }
}

function attributesOf(schema: TablePlan['KeySchema']): string[] {
  return schema.map(({ AttributeName }) => AttributeName);
}
