import { Stack } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IConstruct } from 'constructs';
import type { Calls } from './calls.ts';
import type { Config } from './config.ts';

/**
 * What the functions stand on. Every house construct gets the whole platform and takes only what the function's code
 * calls, and its contract names.
 */
export interface Platform {
  readonly config: Config;
  /** The folder that holds `<area>/<name>/` for every function, ready to be deployed. */
  readonly bundles: string;
  /** What the code of the functions calls on AWS. */
  readonly calls: Calls;
  readonly table: ITableV2;
  /** Encrypts the provider tokens that connections store. */
  readonly secretsKey: IKey;
  /** The names of all queues in the queue table. */
  readonly queueNames: readonly string[];
}

/** SQS demands the ending `.fifo`. */
export const fifoName = (prefix: string, name: string): string => `${prefix}-${name}.fifo`;

/**
 * A queue as the functions of any stack name it. The queue's name is fixed, and its ARN and URL follow from the name.
 * An export would tie the stacks together: an older version of the queue's stack could not remove the export while a
 * newer version of another stack imports it.
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
