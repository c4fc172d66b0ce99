import { PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { ANY_ID, apiKeyKey, idempotencyPartitions, layoutKey, rosterPartition } from '#shared/data/layout/keys.ts';
import { partitionsOf } from '#shared/data/layout/kinds.ts';
import { tableDefinition } from '#shared/data/table/table-definition.ts';
import { actionsOf, WRITE_ACTIONS } from './calls.ts';
import type { FunctionDefinition } from './functions.ts';
import { type Platform, queueOf } from './platform.ts';

/**
 * Turns a function into IAM statements: the actions that its code calls, on exactly the resources that these concern.
 * Its contract names the items that it writes, the indexes that it reads and the queues that it sends to.
 *
 * @throws Error if contract and code disagree: only one of them writes, or sends
 */
export function statementsOf(scope: IConstruct, definition: FunctionDefinition, platform: Platform): PolicyStatement[] {
  const { access, authenticates, keepsAnswers } = definition;
  const { table, secretsKey } = platform;
  const actions = actionsOf(definition.name, platform.calls);
  const writes = actions.filter(isWrite);
  const sends = actions.filter((action) => action === 'sqs:SendMessage');
  assertAgreed(definition, 'writes', writes);
  assertAgreed(definition, 'sends', sends);
  const indexes = (access.indexes ?? []).map((name) => indexArn(name, platform));
  const queues = (access.sends ?? []).map((name) => queueOf(scope, platform, name).arn);
  return [
    ...(authenticates ? [authentication(platform), roster(platform)] : []),
    ...(keepsAnswers ? [keptAnswers(platform)] : []),
    ...(usesTable(definition, actions) ? [layout(platform)] : []),
    ...statement('Reads', actions.filter(isRead), [table.tableArn]),
    ...statement('Writes', withKept(writes, definition), [table.tableArn], writable(definition)),
    ...statement('Indexes', ['dynamodb:Query'], indexes),
    ...statement('Sends', sends, queues),
    ...statement('Secrets', actions.filter(isOfSecrets), [secretsKey.keyArn]),
  ];
}

const isOfTable = (action: string): boolean => action.startsWith('dynamodb:');

const isWrite = (action: string): boolean => WRITE_ACTIONS.includes(action);

const isRead = (action: string): boolean => isOfTable(action) && !isWrite(action);

/** Whether the action is one of the key that protects stored credentials. */
export const isOfSecrets = (action: string): boolean => action.startsWith('kms:');

/** @param actions those of the function's code */
export function usesTable({ authenticates }: FunctionDefinition, actions: readonly string[]): boolean {
  return authenticates || actions.some(isOfTable);
}

function assertAgreed({ name, access }: FunctionDefinition, member: 'sends' | 'writes', actions: readonly string[]) {
  const isNamed = (access[member] ?? []).length > 0;
  if (isNamed === actions.length > 0) return;
  throw new Error(
    isNamed
      ? `The contract of ${name} has "${member}", and its code does no such thing.`
      : `The code of ${name} calls ${actions.join(', ')}, and its contract has no "${member}".`,
  );
}

/** None without an action or a resource. */
function statement(
  sid: string,
  actions: string[],
  resources: string[],
  conditions?: PolicyStatementProps['conditions'],
): PolicyStatement[] {
  const isEmpty = actions.length === 0 || resources.length === 0;
  return isEmpty ? [] : [new PolicyStatement({ sid, actions, resources, conditions })];
}

/** The transaction that makes an answer true keeps it too, by an update. */
function withKept(writes: readonly string[], { keepsAnswers }: FunctionDefinition): string[] {
  return [...new Set([...writes, ...(keepsAnswers && writes.length > 0 ? ['dynamodb:UpdateItem'] : [])])];
}

/**
 * Only items of the declared kinds. All write actions have the same condition: it does not matter whether AWS compares
 * it with the keys of one action or with those of a whole transaction.
 */
function writable({ access, keepsAnswers }: FunctionDefinition): PolicyStatementProps['conditions'] {
  const kinds = access.writes ?? [];
  const partitions = [...kinds.flatMap((kind) => partitionsOf[kind]), ...(keepsAnswers ? [idempotencyPartitions] : [])];
  return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } };
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
