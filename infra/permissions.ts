import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { layoutKey, organizationPartition } from '#shared/data/dynamo/keys.ts';
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
  { access, authenticates }: FunctionDefinition,
  platform: Platform,
): PolicyStatement[] {
  const statements: PolicyStatement[] = [];
  if (authenticates) statements.push(authentication(platform));
  if (authenticates || access.table || access.indexes) statements.push(...layout(platform));
  if (access.table) {
    const actions = access.table.map((action) => `dynamodb:${action}`);
    statements.push(new PolicyStatement({ sid: 'Table', actions, resources: [platform.table.tableArn] }));
  }
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

/**
 * One update of the key's item both authenticates and leases rate-limit tokens. This permission
 * reaches no other item.
 */
function authentication({ table }: Platform): PolicyStatement {
  return new PolicyStatement({
    sid: 'Authentication',
    actions: ['dynamodb:UpdateItem'],
    resources: [table.tableArn],
    conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['KEY#*'] } },
  });
}

/**
 * Every function asks once which layout the table has. If the table does not say, the function asks whether
 * there is any organization.
 */
function layout({ table }: Platform): PolicyStatement[] {
  const resources = [table.tableArn];
  const keysOf = (partition: string) => ({ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [partition] } });
  return [
    new PolicyStatement({
      sid: 'Layout',
      actions: ['dynamodb:GetItem'],
      resources,
      conditions: keysOf(layoutKey.pk),
    }),
    new PolicyStatement({
      sid: 'NewTable',
      actions: ['dynamodb:Query'],
      resources,
      conditions: { ...keysOf(organizationPartition), StringEquals: { 'dynamodb:Select': 'COUNT' } },
    }),
  ];
}

function indexArn(name: string, { table }: Platform): string {
  if (!tableDefinition.indexes.some((index) => index.name === name)) throw new Error(`The table has no index ${name}.`);
  return `${table.tableArn}/index/${name}`;
}
