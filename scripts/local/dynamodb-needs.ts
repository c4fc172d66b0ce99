import { arn } from './names.ts';
import type { TablePlan } from './plans/tables.ts';
import type { ConditionValues, Need } from './policy.ts';

/** The permissions that a DynamoDB call needs: actions, on a table or index, with leading keys and attributes. */

export type Fields = Readonly<Record<string, unknown>>;

const ITEM_OPERATIONS = new Set(['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem']);

const TRANSACTION_ACTIONS: Readonly<Record<string, string>> = {
  ConditionCheck: 'ConditionCheckItem',
  Delete: 'DeleteItem',
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
};

/** Stands for a key that could not be read from the request. No pattern but `*` matches it. */
const UNKNOWN_KEY = '(unknown)';

export class DynamoDbNeeds {
  readonly #tables: ReadonlyMap<string, TablePlan>;

  constructor(tables: readonly TablePlan[]) {
    this.#tables = new Map(tables.map((table) => [table.name, table]));
  }

  of(operation: string, body: unknown): Need[] {
    const request = fields(body);
    if (ITEM_OPERATIONS.has(operation)) return [this.#itemNeed(operation, request)];
    if (operation === 'TransactWriteItems' || operation === 'TransactGetItems') return this.#transactionNeeds(request);
    if (operation === 'BatchGetItem' || operation === 'BatchWriteItem') return this.#batchNeeds(operation, request);
    if (operation === 'Query') return [this.#queryNeed(request)];
    return [{ action: `dynamodb:${operation}`, resource: resourceOf(request) }];
  }

  #itemNeed(action: string, request: Fields): Need {
    const table = nameOf(request.TableName);
    const key = fields(request.Key ?? request.Item)[this.#partitionKeyOf(table)];
    const others: ConditionValues =
      action === 'UpdateItem' || action === 'PutItem' ? { 'dynamodb:Attributes': writtenAttributes(request) } : {};
    return need(action, resourceOf(request), [key], others);
  }

  #transactionNeeds({ TransactItems }: Fields): Need[] {
    return elements(TransactItems).flatMap((element) =>
      Object.entries(fields(element)).map(([member, request]) =>
        this.#itemNeed(TRANSACTION_ACTIONS[member] ?? member, fields(request)),
      ),
    );
  }

  #batchNeeds(operation: string, { RequestItems }: Fields): Need[] {
    return Object.entries(fields(RequestItems)).map(([tableName, requests]) => {
      const partitionKey = this.#partitionKeyOf(nameOf(tableName));
      const items =
        operation === 'BatchGetItem'
          ? elements(fields(requests).Keys)
          : elements(requests).map((write) => {
              const { PutRequest, DeleteRequest } = fields(write);
              return PutRequest ? fields(PutRequest).Item : fields(DeleteRequest).Key;
            });
      return need(
        operation,
        resourceOf({ TableName: tableName }),
        items.map((item) => fields(item)[partitionKey]),
      );
    });
  }

  #queryNeed(request: Fields): Need {
    const partitionKey = this.#partitionKeyOf(nameOf(request.TableName), request.IndexName);
    return need('Query', resourceOf(request), [queriedKey(request, partitionKey)]);
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

function need(action: string, resource: string, keys: readonly unknown[], others: ConditionValues = {}): Need {
  return {
    action: `dynamodb:${action}`,
    resource,
    conditionValues: { 'dynamodb:LeadingKeys': keys.map(keyText), ...UNKNOWN_ATTRIBUTES, ...others },
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

export function elements(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
