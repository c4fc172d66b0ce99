import { elements, type Fields, fields } from './dynamodb-needs.ts';

/** What a call asks of single items. */

export interface ItemRequest {
  readonly tableName: string;
  /** Its `Key` or `Item` says which item it is about. */
  readonly request: Fields;
}

const SINGLE_WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

/** Single items that a call writes, in the call's order. */
export function writesOf(operation: string, request: Fields): ItemRequest[] {
  if (SINGLE_WRITES.has(operation)) return [inItsTable(request)];
  if (operation === 'TransactWriteItems') {
    return elementsOf(request).flatMap(({ ConditionCheck: _, ...writes }) => Object.values(writes).map(inItsTable));
  }
  if (operation !== 'BatchWriteItem') return [];
  return Object.entries(fields(request.RequestItems)).flatMap(([tableName, writes]) =>
    elements(writes).map((element) => {
      const { PutRequest, DeleteRequest } = fields(element);
      return { tableName, request: fields(PutRequest ?? DeleteRequest) };
    }),
  );
}

/** All that a transaction writes or checks, by position. */
export function transactionItemsOf(request: Fields): ItemRequest[] {
  return elementsOf(request).flatMap((element) => Object.values(element).slice(0, 1).map(inItsTable));
}

const elementsOf = ({ TransactItems }: Fields): Fields[] => elements(TransactItems).map(fields);

function inItsTable(value: unknown): ItemRequest {
  const request = fields(value);
  return { tableName: String(request.TableName), request };
}
