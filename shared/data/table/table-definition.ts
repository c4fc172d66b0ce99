import { FILTERED_ATTRIBUTES } from '#shared/data/layout/keys.ts';

/** A new index needs only an entry here. A function may query it once `infra/access.ts` lists it for it. */

export interface IndexDefinition {
  readonly name: string;
  /** Attributes of type string. An item that lacks one of them is not in the index, and costs the index nothing. */
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly projection: 'ALL' | 'INCLUDE' | 'KEYS_ONLY';
  /** The attributes that the index includes beside its keys. A change of others costs it nothing. */
  readonly attributes?: readonly string[];
}

export interface TableDefinition {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Seconds since 1970. DynamoDB deletes an item only hours or days later, so readers must check the time too. */
  readonly timeToLiveAttribute: string;
  readonly indexes: readonly IndexDefinition[];
}

/** Finds the rows of a list by cursor. They are lean, as each lies in several of these indexes. */
function orderIndex(name: string): IndexDefinition {
  const keys = { partitionKey: `${name}Pk`, sortKey: `${name}Sk` };
  return { name, ...keys, projection: 'INCLUDE', attributes: FILTERED_ATTRIBUTES };
}

export const tableDefinition: TableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLiveAttribute: 'expiresAtEpochSeconds',
  indexes: [
    // All exist from the start: a deployed table takes one new index at a time.
    { name: 'byName', partitionKey: 'namePk', sortKey: 'nameSk', projection: 'ALL' },
    orderIndex('byIssueDate'),
    orderIndex('byDueDate'),
    orderIndex('byNumber'),
    orderIndex('byTotal'),
    { name: 'byDue', partitionKey: 'duePk', sortKey: 'dueSk', projection: 'KEYS_ONLY' },
  ],
};

export function keyAttributes(index: string | undefined): { readonly partitionKey: string; readonly sortKey: string } {
  if (index === undefined) return tableDefinition;
  const definition = tableDefinition.indexes.find(({ name }) => name === index);
  if (!definition) throw new Error(`The table has no index ${index}.`);
  return definition;
}
