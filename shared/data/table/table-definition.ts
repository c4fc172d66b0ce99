/** A new index needs only an entry here. A function may query it once its contract lists it under `access.indexes`. */

export interface IndexDefinition {
  readonly name: string;
  /** Attributes of type string. An item that lacks one of them is not in the index, and costs the index nothing. */
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly projection: 'ALL' | 'KEYS_ONLY';
}

export interface TableDefinition {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Seconds since 1970. DynamoDB deletes an item only hours or days later, so readers must check the time too. */
  readonly timeToLiveAttribute: string;
  readonly indexes: readonly IndexDefinition[];
}

export const tableDefinition: TableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLiveAttribute: 'expiresAtEpochSeconds',
  indexes: [
    /** Orders of lists by cursor. All exist from the start: a deployed table takes one new index at a time. */
    { name: 'order1', partitionKey: 'order1Pk', sortKey: 'order1Sk', projection: 'ALL' },
    { name: 'order2', partitionKey: 'order2Pk', sortKey: 'order2Sk', projection: 'ALL' },
    { name: 'order3', partitionKey: 'order3Pk', sortKey: 'order3Sk', projection: 'ALL' },
    { name: 'order4', partitionKey: 'order4Pk', sortKey: 'order4Sk', projection: 'ALL' },
    { name: 'byDue', partitionKey: 'duePk', sortKey: 'dueSk', projection: 'KEYS_ONLY' },
  ],
};

export function keyAttributes(index: string | undefined): { readonly partitionKey: string; readonly sortKey: string } {
  if (index === undefined) return tableDefinition;
  const definition = tableDefinition.indexes.find(({ name }) => name === index);
  if (!definition) throw new Error(`The table has no index ${index}.`);
  return definition;
}
