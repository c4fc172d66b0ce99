import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { type Access, type TableAction, WRITE_ACTIONS } from '#shared/contract/endpoint.ts';
import { ANY_ID, apiKeyKey, idempotencyPartitions, layoutKey, rosterPartition } from '#shared/data/dynamo/keys.ts';
import { partitionsOf } from '#shared/data/dynamo/partitions.ts';
import { tableDefinition } from '#shared/data/dynamo/table-definition.ts';
import type { FunctionDefinition } from './functions.ts';
import type { Platform } from './platform.ts';
import { queueOf } from './platform.ts';

/**
 * Turns a function's contract into IAM statements: exactly the actions of its `access`, on exactly the
 * resources that these concern.
 */
export function statementsOf(
  scope: IConstruct,
  { name, access, authenticates, keepsAnswers }: FunctionDefinition,
  platform: Platform,
): PolicyStatement[] {
  const statements: PolicyStatement[] = [];
  if (authenticates) statements.push(authentication(platform), roster(platform));
  if (keepsAnswers) statements.push(keptAnswers(platform));
  if (authenticates || access.table || access.indexes) statements.push(layout(platform));
  statements.push(...reads(access, platform), ...writes({ name, access, keepsAnswers }, platform));
  if (access.indexes) {
    const resources = access.indexes.map((name) => indexArn(name, platform));
    statements.push(new PolicyStatement({ sid: 'Indexes', actions: ['dynamodb:Query'], resources }));
  }
  if (access.sends) {
    const resources = access.sends.map((name) => queueOf(scope, platform, name).arn);
    statements.push(new PolicyStatement({ sid: 'Sends', actions: ['sqs:SendMessage'], resources }));
  }
  if (access.secrets) {
    const actions = access.secrets.map((action) => `kms:${action}`);
    statements.push(new PolicyStatement({ sid: 'Secrets', actions, resources: [platform.secretsKey.keyArn] }));
  }
  return statements;
}

const isWrite = (action: TableAction): boolean => WRITE_ACTIONS.includes(action);

const dynamoActions = (actions: readonly TableAction[]): string[] => actions.map((action) => `dynamodb:${action}`);

function reads({ table = [] }: Access, platform: Platform): PolicyStatement[] {
  const actions = dynamoActions(table.filter((action) => !isWrite(action)));
  return actions.length === 0
    ? []
    : [new PolicyStatement({ sid: 'Reads', actions, resources: [platform.table.tableArn] })];
}

/**
 * Writes reach only items of the declared kinds. All write actions have the same condition: it does not matter whether
 * AWS compares it with the keys of one action or with those of a whole transaction.
 *
 * @throws Error if the contract names write actions without kinds, or kinds without write actions
 */
function writes(
  { name, access, keepsAnswers }: Pick<FunctionDefinition, 'name' | 'access' | 'keepsAnswers'>,
  platform: Platform,
): PolicyStatement[] {
  const { table = [], writes: kinds = [] } = access;
  const actions = dynamoActions(table.filter(isWrite));
  if (actions.length > 0 !== kinds.length > 0) {
    throw new Error(`The access of ${name} needs both: actions that write, and in "writes" the kinds of items.`);
  }
  if (actions.length === 0) return [];
  // The transaction that makes an answer true keeps it too.
  if (keepsAnswers) actions.push('dynamodb:UpdateItem');
  const kept = keepsAnswers ? [idempotencyPartitions] : [];
  const partitions = [...kinds.flatMap((kind) => partitionsOf[kind]), ...kept];
  const conditions = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } };
  return [
    new PolicyStatement({
      sid: 'Writes',
      actions: [...new Set(actions)],
      resources: [platform.table.tableArn],
      conditions,
    }),
  ];
}

/** What the lease of tokens names of a key's item: its key, and the state of its bucket. */
const LEASED_ATTRIBUTES = [tableDefinition.partitionKey, tableDefinition.sortKey, 'fullAt', 'interval'];

/**
 * One update of the key's item both authenticates and leases rate-limit tokens. This permission
 * reaches no other item, and nothing of the key's item that says whose it is and what it may do.
 */
function authentication({ table }: Platform): PolicyStatement {
  return new PolicyStatement({
    sid: 'Authentication',
    actions: ['dynamodb:UpdateItem'],
    resources: [table.tableArn],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [apiKeyKey('*').pk] },
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': LEASED_ATTRIBUTES },
    },
  });
}

/** Whether a key that another key made still lives. */
function roster({ table }: Platform): PolicyStatement {
  return new PolicyStatement({
    sid: 'Roster',
    actions: ['dynamodb:GetItem'],
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [rosterPartition(ANY_ID)] } },
  });
}

/** Requests that callers have named, with their answers (`shared/data/retries/attempts.ts`), and no other item. */
function keptAnswers({ table }: Platform): PolicyStatement {
  return new PolicyStatement({
    sid: 'KeptAnswers',
    actions: ['BatchGetItem', 'DeleteItem', 'PutItem', 'UpdateItem'].map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [idempotencyPartitions] } },
  });
}

/** Every function asks once which layout the table has. */
function layout({ table }: Platform): PolicyStatement {
  return new PolicyStatement({
    sid: 'Layout',
    actions: ['dynamodb:GetItem'],
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [layoutKey.pk] } },
  });
}

function indexArn(name: string, { table }: Platform): string {
  if (!tableDefinition.indexes.some((index) => index.name === name)) throw new Error(`The table has no index ${name}.`);
  return `${table.tableArn}/index/${name}`;
}
