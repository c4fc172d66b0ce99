import { Stack } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { HouseQueue } from '#infra/constructs/house-queue.ts';
import type { Platform } from '#infra/platform.ts';
import type { QueueDefinition } from '#shared/queues.ts';

export interface QueueStackProps {
  readonly queues: readonly QueueDefinition[];
  /** What the workers stand on, besides these queues. */
  readonly resources: Omit<Platform, 'queues'>;
}

/** The queues of the queue table with their workers. */
export class QueueStack extends Stack {
  readonly houseQueues: readonly HouseQueue[];
  readonly byName: ReadonlyMap<string, IQueue>;

  constructor(scope: Construct, id: string, { queues, resources }: QueueStackProps) {
    super(scope, id, { description: 'Billwright: queues and their workers' });
    const { prefix } = resources.config;
    this.houseQueues = queues.map((definition) => new HouseQueue(this, { definition, prefix }));
    this.byName = new Map(this.houseQueues.map(({ definition, queue }) => [definition.name, queue]));
    for (const queue of this.houseQueues) queue.addWorkers({ ...resources, queues: this.byName });
  }
}
