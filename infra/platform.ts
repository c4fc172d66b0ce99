import { Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IConstruct } from 'constructs';
import type { AccessTable } from './access.ts';
import type { Calls } from './calls.ts';
import type { Config } from './config.ts';

export interface Platform {
  readonly config: Config;
  /** Holds `<area>/<name>/` for every function. */
  readonly bundles: string;
  readonly calls: Calls;
  readonly access: AccessTable;
  readonly table: ITableV2;
  /** Encrypts the provider tokens of connections. */
  readonly secretsKey: IKey;
  readonly queueNames: readonly string[];
}

/** SQS demands the ending. */
export const fifoName = (prefix: string, name: string): string => `${prefix}-${name}.fifo`;

/** Log groups with this prefix share one resource policy, which would otherwise grow up to its limit. */
export const accessLogName = (prefix: string): string => `/aws/vendedlogs/${prefix}-access`;

/**
 * ARN and URL follow from the fixed name. An export would tie the stacks together: it could not be removed while
 * another stack imports it.
 */
export function queueOf(
  scope: IConstruct,
  { config, queueNames }: Platform,
  name: string,
): { arn: string; url: string } {
  if (!queueNames.includes(name)) throw new Error(`There is no queue ${name}.`);
  const stack = Stack.of(scope);
  const resource = fifoName(config.prefix, name);
  return {
    arn: stack.formatArn({ service: 'sqs', resource }),
    url: `https://sqs.${stack.region}.${stack.urlSuffix}/${stack.account}/${resource}`,
  };
}
