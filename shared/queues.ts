import type { Access, Area } from './contract/endpoint.ts';

/** Work that outlives its request. Each queue is FIFO with the organization as group, has a dead-letter queue, and feeds one worker. */
export interface QueueDefinition {
  readonly name: string;
  readonly area: Area;
  /** The worker's file: `functions/<area>/<worker>.ts`. */
  readonly worker: string;
  readonly access: Access;
  readonly batchSize: number;
  /** How many workers it has at once, so that what is due after an outage leaves the account's concurrency to the API; at least 2. */
  readonly maximumConcurrency: number;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes?: number;
  /** Deliveries before a message goes to the dead-letter queue. */
  readonly maxReceives: number;
  /** `functions/<area>/<deadLetterWorker>.ts` takes what the worker could not finish. */
  readonly deadLetterWorker?: { readonly name: string; readonly access: Access };
}

export const queues: readonly QueueDefinition[] = [
  {
    name: 'imports',
    area: 'remote',
    worker: 'import-chunk',
    access: {
      table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
    },
    /** A message has some thousand rows already. */
    batchSize: 1,
    maximumConcurrency: 5,
    timeoutSeconds: 60,
    memoryMegabytes: 1_024,
    maxReceives: 5,
    deadLetterWorker: { name: 'settle-import', access: { table: ['DeleteItem', 'GetItem', 'UpdateItem'] } },
  },
  {
    name: 'syncs',
    area: 'remote',
    worker: 'sync-connection',
    access: {
      table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'],
      sends: ['imports'],
      secrets: ['Decrypt'],
    },
    batchSize: 1,
    maximumConcurrency: 3,
    /** The provider's pages, and then the import's messages. */
    timeoutSeconds: 60,
    /** For 10,000 rows. */
    memoryMegabytes: 1_024,
    /** All of them within the lease of a connection (`shared/domain/remote/connection.ts`). */
    maxReceives: 3,
  },
  {
    name: 'releases',
    area: 'invoices',
    worker: 'release-entries',
    access: {
      table: ['BatchGetItem', 'DeleteItem', 'GetItem', 'UpdateItem'],
      sends: ['releases'],
    },
    batchSize: 1,
    maximumConcurrency: 2,
    timeoutSeconds: 60,
    maxReceives: 5,
  },
];
