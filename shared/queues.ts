import type { Access } from './contract/endpoint.ts';

/** Work that outlives its request. Each queue is FIFO with the organization as group, has a dead-letter queue, and feeds one worker. */
export interface QueueDefinition {
  readonly name: string;
  /** The worker's file: `functions/workers/<worker>.ts`. */
  readonly worker: string;
  readonly access: Access;
  readonly batchSize: number;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes?: number;
  /** Deliveries before a message goes to the dead-letter queue. */
  readonly maxReceives: number;
  /** `functions/workers/<deadLetterWorker>.ts` takes what the worker could not finish. */
  readonly deadLetterWorker?: { readonly name: string; readonly access: Access };
}

export const queues: readonly QueueDefinition[] = [
  {
    name: 'unlinks',
    worker: 'unlink',
    access: {
      table: ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      indexes: ['byCell'],
      sends: ['unlinks'],
    },
    batchSize: 1,
    /** Work that takes longer goes on with another message: a shorter time means a sooner redelivery after a crash. */
    timeoutSeconds: 60,
    maxReceives: 5,
  },
];
