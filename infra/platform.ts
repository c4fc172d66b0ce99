import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Config } from './config.ts';

/** What the functions stand on: every house construct gets it whole and takes only what the function's contract names. */
export interface Platform {
  readonly config: Config;
  /** The folder that holds `<folder>/<name>/` for every function, ready to be deployed. */
  readonly bundles: string;
  readonly table: ITableV2;
  /** Encrypts the provider tokens that connections store. */
  readonly secretsKey: IKey;
  /** By the names of the queue table. */
  readonly queues: ReadonlyMap<string, IQueue>;
}

export function queueOf({ queues }: Platform, name: string): IQueue {
  const queue = queues.get(name);
  if (!queue) throw new Error(`There is no queue ${name}.`);
  return queue;
}
