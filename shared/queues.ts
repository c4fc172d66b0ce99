import type { Area } from './contract/endpoint.ts';

/**
 * Work that outlives its request. Each queue is FIFO per organization, or per webhook where it delivers events, has
 * a dead-letter queue, and feeds one worker.
 */
export interface QueueDefinition {
  readonly name: string;
  readonly area: Area;
  /** The worker's file: `functions/<area>/<worker>.ts`. */
  readonly worker: string;
  readonly batchSize: number;
  /**
   * How many workers the queue runs at once; at least 2. The limit leaves the account's concurrency to the API when
   * much is due after an outage. A stage may have another (`workers` in `infra/config.ts`).
   */
  readonly maximumConcurrency: number;
  readonly timeoutSeconds: number;
  /** `functions/<area>/<deadLetterWorker>.ts` takes what the worker could not finish. */
  readonly deadLetterWorker?: string;
  /** Its workers record events, and tell webhooks of them (`shared/work/events/telling.ts`). */
  readonly leavesEvents?: true;
}

/**
 * Deliveries before a message goes to the dead-letter queue. AWS advises at least five, since a throttled worker uses them
 * up too. All of them must fit into the timeout of a sync (`shared/domain/remote/connection.ts`) and into the lease of a
 * deletion (`shared/domain/organization/deletion.ts`).
 */
export const MAX_RECEIVES = 5;

/** SQS's own limit. A queue that does not say so may have a lower one. */
export const MAX_MESSAGE_BYTES = 1_048_576;

export const queues: readonly QueueDefinition[] = [
  {
    name: 'imports',
    area: 'remote',
    worker: 'import-chunk',
    /** One message holds some thousand rows already. */
    batchSize: 1,
    maximumConcurrency: 5,
    timeoutSeconds: 60,
    deadLetterWorker: 'close-import',
    leavesEvents: true,
  },
  {
    name: 'syncs',
    area: 'remote',
    worker: 'sync-connection',
    batchSize: 1,
    /** For 10,000 hourly syncs, a tenth of which take all of their time (`test/domain/remote/many-syncs.test.ts`). */
    maximumConcurrency: 20,
    /** For the provider's pages, and then the import's messages. */
    timeoutSeconds: 60,
    leavesEvents: true,
  },
  {
    name: 'webhooks',
    area: 'events',
    worker: 'deliver-events',
    batchSize: 1,
    /** For several organizations whose ten receivers all hang. */
    maximumConcurrency: 50,
    /** For the end of a slot, and then for deliveries as long as one that hangs fits in. */
    timeoutSeconds: 60,
  },
  {
    name: 'deletions',
    area: 'organization',
    worker: 'erase-organization',
    batchSize: 1,
    maximumConcurrency: 2,
    /** Some hundred thousand items. The rest is due again within a minute. */
    timeoutSeconds: 300,
  },
];
