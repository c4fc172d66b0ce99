/**
 * The shape of the single table, as data: the stacks create it from here, and `table.ts` spells the values of its keys. An index is
 * added by adding it to `indexes`; a function may query it once its contract lists it under `access.indexes`.
 */

export interface IndexDefinition {
  readonly name: string;
  /** Attributes of type string. An item without both of them is not in the index, and costs it nothing. */
  readonly partitionKey: string;
  readonly sortKey: string;
  readonly projection: 'ALL' | 'KEYS_ONLY';
}

export interface TableDefinition {
  readonly partitionKey: string;
  readonly sortKey: string;
  /** Seconds since 1970. DynamoDB deletes an item some hours or days later, so that readers must look at it as well. */
  readonly timeToLiveAttribute: string;
  readonly indexes: readonly IndexDefinition[];
}

export const tableDefinition: TableDefinition = {
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLiveAttribute: 'expiresAtEpochSeconds',
  indexes: [
    /** An organization's entries of one day, by their start. */
    { name: 'byDay', partitionKey: 'byDayPk', sortKey: 'byDaySk', projection: 'ALL' },
  ],
};
