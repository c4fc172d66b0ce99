import { Stack, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { HouseQueue } from '#infra/constructs/house-queue.ts';
import type { Platform } from '#infra/platform.ts';
import type { QueueDefinition } from '#shared/queues.ts';

export interface QueueStackProps {
  readonly queues: readonly QueueDefinition[];
  readonly platform: Platform;
}

export class QueueStack extends Stack {
  readonly houseQueues: readonly HouseQueue[];

  constructor(scope: Construct, id: string, { queues, platform }: QueueStackProps) {
    super(scope, id, { description: 'Billwright: queues and their workers' });
    this.houseQueues = queues.map((definition) => new HouseQueue(this, { definition, platform }));
    for (const queue of this.houseQueues) Tags.of(queue).add('area', queue.definition.area);
  }
}
