import { PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import {
  ANY_ID,
  apiKeyKey,
  emailPartitions,
  keptAnswerPartition,
  layoutKey,
  organizationKey,
  personPartitions,
  rosterPartition,
  userPartition,
} from '#shared/data/layout/keys.ts';
import { tableDefinition } from '#shared/data/table/table-definition.ts';
import { type Access, accessOf, queuesSentTo } from './access.ts';
import { actionsOf, WRITE_ACTIONS } from './calls.ts';
import type { FunctionDefinition } from './functions.ts';
import { partitionsOf } from './item-kinds.ts';
import { type Platform, queueOf } from './platform.ts';

/**
 * The actions that the code of a function calls, on the items, indexes and queues that `access.ts` names.
 * @throws Error if only one of that table and the code writes, or sends
 */
export function statementsOf(scope: IConstruct, definition: FunctionDefinition, platform: Platform): PolicyStatement[] {
  const { name, authenticates, keepsAnswers } = definition;
  const { table, secretsKey } = platform;
  const access = accessOf(name, platform.access);
  const actions = actionsOf(name, platform.calls);
  const writes = actions.filter(isWrite);
  const sends = actions.filter((action) => action === 'sqs:SendMessage');
  assertAgreed(name, 'writes', writes, access.writes);
  assertAgreed(name, 'sends', sends, access.sends);
  const indexes = (access.indexes ?? []).map((name) => indexArn(name, platform));
  const queues = queuesSentTo(definition, platform.access).map((name) => queueOf(scope, platform, name).arn);
  return [
    ...(authenticates ? [authentication(platform), caller(platform), ...signIn(platform)] : []),
    ...(keepsAnswers ? [keptAnswers(platform)] : []),
    ...(usesTable(definition, access, actions) ? [layout(platform)] : []),
    ...statement('Reads', actions.filter(isRead), [table.tableArn]),
    ...statement('Writes', withItsCompanions(writes, definition), [table.tableArn], writable(access, definition)),
    ...statement('Indexes', ['dynamodb:Query'], indexes),
    ...statement('Sends', ['sqs:SendMessage'], queues),
    ...statement('Secrets', actions.filter(isOfSecrets), [secretsKey.keyArn], secretsOf(access)),
  ];
}

const KEPT_ANSWERS = [keptAnswerPartition(ANY_ID, ANY_ID)];

const isOfTable = (action: string): boolean => action.startsWith('dynamodb:');

const isWrite = (action: string): boolean => WRITE_ACTIONS.includes(action);

const isRead = (action: string): boolean => isOfTable(action) && !isWrite(action);

export const isOfSecrets = (action: string): boolean => action.startsWith('kms:');

export function usesTable({ authenticates }: FunctionDefinition, access: Access, actions: readonly string[]): boolean {
  return authenticates || access.asksLayout === true || actions.some(isOfTable);
}

function assertAgreed(
  name: string,
  member: 'sends' | 'writes',
  actions: readonly string[],
  named: readonly string[] = [],
) {
  const isNamed = named.length > 0;
  if (isNamed === actions.length > 0) return;
  throw new Error(
    isNamed
      ? `infra/access.ts: ${name} has "${member}", and its code does no such thing.`
      : `The code of ${name} calls ${actions.join(', ')}, and infra/access.ts has no "${member}" of it.`,
  );
}

/** Secrets of webhooks name their webhook in the encryption context (`webhook-secrets.ts`), those of connections none. */
function secretsOf({ ofWebhooks }: Access): PolicyStatementProps['conditions'] {
  return { Null: { 'kms:EncryptionContext:webhookId': String(ofWebhooks !== true) } };
}

function statement(
  sid: string,
  actions: string[],
  resources: string[],
  conditions?: PolicyStatementProps['conditions'],
): PolicyStatement[] {
  const isEmpty = actions.length === 0 || resources.length === 0;
  return isEmpty ? [] : [new PolicyStatement({ sid, actions, resources, conditions })];
}

/** The transaction of a POST also keeps its answer, by an update, and that of a change records its events. */
function withItsCompanions(writes: readonly string[], { keepsAnswers, leavesEvents }: FunctionDefinition): string[] {
  if (writes.length === 0) return [];
  const kept = keepsAnswers ? ['dynamodb:UpdateItem'] : [];
  const recorded = leavesEvents ? ['dynamodb:PutItem'] : [];
  return [...new Set([...writes, ...kept, ...recorded])];
}

/** One condition for all write actions: whether AWS compares one action or a whole transaction does not matter. */
function writable(
  { writes: kinds = [] }: Access,
  { keepsAnswers, leavesEvents }: FunctionDefinition,
): PolicyStatementProps['conditions'] {
  const partitions = [
    ...kinds.flatMap((kind) => partitionsOf[kind]),
    ...(keepsAnswers ? KEPT_ANSWERS : []),
    ...(leavesEvents ? partitionsOf.outbox : []),
  ];
  return { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions } };
}

/** The key of the item, and the state of its bucket. */
const LEASED_ATTRIBUTES = [tableDefinition.partitionKey, tableDefinition.sortKey, 'fullAt', 'interval'];

/** One update authenticates and leases tokens. It reaches nothing that says whose the key is and what it may do. */
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

/** Whether a key that another key made still lives, the role of its user, and the state of its organization. */
const CALLER = [organizationKey(ANY_ID).pk, rosterPartition(ANY_ID), userPartition(ANY_ID)];

function caller({ table }: Platform): PolicyStatement {
  return new PolicyStatement({
    sid: 'Caller',
    actions: ['dynamodb:GetItem'],
    resources: [table.tableArn],
    conditions: {
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': CALLER },
    },
  });
}

/** The attributes of a link, of a new bucket, and the count of links in a user. No others of a user: neither role nor status. */
const LINKED_ATTRIBUTES = [
  ...LEASED_ATTRIBUTES,
  tableDefinition.timeToLiveAttribute,
  'linkGeneration',
  'organizationId',
  'person',
  'rateLimit',
  'signIns',
  'userId',
  'version',
];

/** The attributes of events. */
const RECORDED_ATTRIBUTES = [
  tableDefinition.partitionKey,
  tableDefinition.sortKey,
  tableDefinition.timeToLiveAttribute,
  'events',
];

/**
 * Which user a person who has signed in is. The first request that names the organization makes the link, and a bucket,
 * and records it.
 */
function signIn({ table }: Platform): PolicyStatement[] {
  const on = (sid: string, actions: readonly string[], partitions: readonly string[], attributes?: readonly string[]) =>
    new PolicyStatement({
      sid,
      actions: actions.map((action) => `dynamodb:${action}`),
      resources: [table.tableArn],
      conditions: {
        'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': partitions },
        ...(attributes && { 'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes } }),
      },
    });
  return [
    on('People', ['GetItem', 'Query'], [personPartitions, emailPartitions]),
    on('Memberships', ['BatchGetItem'], [userPartition(ANY_ID), organizationKey(ANY_ID).pk]),
    on('Links', ['UpdateItem'], [...partitionsOf.person, userPartition(ANY_ID)], LINKED_ATTRIBUTES),
    on('LinkEvents', ['PutItem'], partitionsOf.outbox, RECORDED_ATTRIBUTES),
  ];
}

function keptAnswers({ table }: Platform): PolicyStatement {
  return new PolicyStatement({
    sid: 'KeptAnswers',
    actions: ['BatchGetItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'].map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': KEPT_ANSWERS } },
  });
}

/** Every function checks the layout of the table once. */
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
