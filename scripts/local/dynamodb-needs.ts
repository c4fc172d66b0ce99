import { arn } from './names.ts';
import type { TablePlan } from './plans/tables.ts';
import type { ConditionValues, Need } from './policy.ts';

/** The permissions that a DynamoDB call needs: actions, on a table or index, with leading keys and attributes. */

export type Fields = Readonly<Record<string, unknown>>;

/** What a call asks of one item: the `Key` or `Item` of the request says of which. */
export interface ItemRequest {
  readonly action: string;
  readonly request: Fields;
}

const OF_ONE_ITEM = /^(Get|Put|Update|Delete)Item$/;
const OF_SEVERAL_ITEMS = /^(Transact(Get|Write)Items|Batch(Get|Write)Item)$/;

/** In the order of the call. A query or a scan names no items. */
export function itemRequestsOf(operation: string, request: Fields): ItemRequest[] {
  if (OF_ONE_ITEM.test(operation)) return [{ action: operation, request }];
  if (!OF_SEVERAL_ITEMS.test(operation)) return [];
  const ofTransaction = elements(request.TransactItems).flatMap((element) =>
    Object.entries(fields(element)).map(([member, value]) => ({ action: `${member}Item`, request: fields(value) })),
  );
  const ofBatch = Object.entries(fields(request.RequestItems)).flatMap(([TableName, requests]) => {
    const reads = elements(fields(requests).Keys).map((Key) => ({ Key }));
    const writes = elements(requests).flatMap((write) => Object.values(fields(write)).map(fields));
    return [...reads, ...writes].map((each) => ({ action: operation, request: { TableName, ...each } }));
  });
  return [...ofTransaction, ...ofBatch];
}

/** Stands for a key that could not be read from the request. No pattern but `*` matches it. */
const UNKNOWN_KEY = '(unknown)';

export class DynamoDbNeeds {
  readonly #tables: ReadonlyMap<string, TablePlan>;

  constructor(tables: readonly TablePlan[]) {
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  of(operation: string, body: unknown): Need[] {
    const request = fields(body);
    if (operation === 'Query') return [this.#queryNeed(request)];
    const items = itemRequestsOf(operation, request);
    if (items.length > 0) return items.map((item) => this.#itemNeed(item));
    return [{ action: `dynamodb:${operation}`, resource: resourceOf(request) }];
  }

  #itemNeed({ action, request }: ItemRequest): Need {
    const table = nameOf(request.TableName);
    const key = fields(request.Key ?? request.Item)[this.#partitionKeyOf(table)];
    const others: ConditionValues =
      action === 'UpdateItem' || action === 'PutItem' ? { 'dynamodb:Attributes': writtenAttributes(request) } : {};
    return need(action, resourceOf(request), key, others);
  }

  #queryNeed(request: Fields): Need {
    const partitionKey = this.#partitionKeyOf(nameOf(request.TableName), request.IndexName);
    return need('Query', resourceOf(request), queriedKey(request, partitionKey));
  }

  #partitionKeyOf(tableName: string, indexName?: unknown): string {
    const table = this.#tables.get(tableName);
    const index = table?.GlobalSecondaryIndexes.find(({ IndexName }) => IndexName === indexName);
    const schema = (index ?? table)?.KeySchema ?? [];
    return schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName ?? '';
  }
}

/** No pattern but `*` matches the attributes of a call whose attributes are not looked at. */
const UNKNOWN_ATTRIBUTES: ConditionValues = { 'dynamodb:Attributes': ['(unknown)'] };

function need(action: string, resource: string, key: unknown, others: ConditionValues = {}): Need {
  return {
    action: `dynamodb:${action}`,
    resource,
    conditionValues: { 'dynamodb:LeadingKeys': [keyText(key)], ...UNKNOWN_ATTRIBUTES, ...others },
  };
}

const EXPRESSION_WORDS =
  /^(?:SET|REMOVE|ADD|DELETE|AND|OR|NOT|IN|BETWEEN|if_not_exists|list_append|attribute_(?:not_)?exists|attribute_type|begins_with|contains|size)$/i;

/** The top-level attributes that a put or an update names, with its key. A word that is no attribute only makes it stricter. */
function writtenAttributes({ Key, Item, UpdateExpression, ConditionExpression, ...request }: Fields): string[] {
  const names = fields(request.ExpressionAttributeNames);
  const words = `${UpdateExpression ?? ''} ${ConditionExpression ?? ''}`.match(/(?<![\w.#:])[#\w]+/g) ?? [];
  const attributes = words
    .filter((word) => !EXPRESSION_WORDS.test(word) && !/^\d/.test(word))
    .map((word) => (word.startsWith('#') ? String(names[word] ?? word) : word));
  return [...new Set([...Object.keys({ ...fields(Key), ...fields(Item) }), ...attributes])];
}

/** The value that a `KeyConditionExpression` asks of the partition key: `#pk = :pk`, in either order. */
function queriedKey(request: Fields, partitionKey: string): unknown {
  const names = fields(request.ExpressionAttributeNames);
  const values = fields(request.ExpressionAttributeValues);
  const expression = String(request.KeyConditionExpression ?? '');
  for (const [, left = '', right = ''] of expression.matchAll(/(?<![#:\w.-])([#:\w.-]+)\s*=\s*([#:\w.-]+)/g)) {
    const [name, value] = left.startsWith(':') ? [right, left] : [left, right];
    if ((name.startsWith('#') ? names[name] : name) === partitionKey) return values[value];
  }
  return undefined;
}

function keyText(attribute: unknown): string {
  const { S, N, B } = fields(attribute);
  return String(S ?? N ?? B ?? UNKNOWN_KEY);
}

function resourceOf({ TableName, IndexName }: Fields): string {
  if (typeof TableName !== 'string') return '*';
  const table = TableName.startsWith('arn:') ? TableName : arn('dynamodb', `table/${TableName}`);
  return typeof IndexName === 'string' ? `${table}/index/${IndexName}` : table;
}

/** A table's name. A request may give the table's ARN instead. */
function nameOf(tableName: unknown): string {
  return String(tableName).split('/').at(-1) ?? '';
}

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function elements(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
