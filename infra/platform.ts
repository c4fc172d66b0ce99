import { Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IConstruct } from 'constructs';
import type { Config } from './config.ts';

/** What the functions stand on: every house construct gets it whole and takes only what the function's contract names. */
export interface Platform {
  readonly config: Config;
  /** The folder that holds `<area>/<name>/` for every function, ready to be deployed. */
  readonly bundles: string;
  readonly table: ITableV2;
  /** Encrypts the provider tokens that connections store. */
  readonly secretsKey: IKey;
  /** Those of the queue table. */
  readonly queueNames: readonly string[];
}

/** SQS demands the ending. */
export const fifoName = (prefix: string, name: string): string => `${prefix}-${name}.fifo`;

/**
 * A queue as the functions of any stack name it. Its name is fixed, and its ARN and URL follow from it: an export of the stack that has the queue
 * could not be taken away by an older version, while a newer one of another stack imports it.
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
