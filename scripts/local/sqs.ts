import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type BuildAppOptions, buildApp } from 'fauxqs';
import type { QueuePlan } from './blueprint.ts';
import { REGION } from './names.ts';
import { ServiceError } from './service-error.ts';

/**
 * SQS is fauxqs, inside our process and on a file of the data folder. It commits each message before it answers for it, so that a
 * `kill -9` loses none.
 *
 * Its public `startFauxqs` would listen on all network interfaces, where anyone near could read the queues; so the parts that it is made of
 * are put together here, and called without any network.
 */

type Stores = NonNullable<BuildAppOptions['stores']>;
type SqsStore = Stores['sqsStore'];
type Queue = NonNullable<ReturnType<SqsStore['getQueueByName']>>;

/** The store's journal, an SQLite file. */
type Journal = NonNullable<Queue['persistence']>;

interface Transactions {
  transaction(work: () => void): void;
}

interface Internals {
  readonly 'persistence.js': { readonly PersistenceManager: new (dataDir: string) => Journal };
  readonly 'sqs/sqsStore.js': { readonly SqsStore: new () => SqsStore };
  readonly 'sns/snsStore.js': { readonly SnsStore: new () => Stores['snsStore'] };
  readonly 's3/s3Store.js': { readonly S3Store: new () => Stores['s3Store'] };
}

async function internal<Path extends keyof Internals>(path: Path): Promise<Internals[Path]> {
  const manifest = findPackageJSON('fauxqs', import.meta.url);
  return import(new URL(`dist/${path}`, pathToFileURL(manifest ?? '')).href);
}

export interface SqsAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

export class Sqs {
  readonly #app: ReturnType<typeof buildApp>;
  readonly #store: SqsStore;
  readonly #journal: Journal;

  private constructor(app: ReturnType<typeof buildApp>, store: SqsStore, journal: Journal) {
    this.#app = app;
    this.#store = store;
    this.#journal = journal;
  }

  static async start(dataDir: string, queues: readonly QueuePlan[]): Promise<Sqs> {
    const [{ PersistenceManager }, { SqsStore }, { SnsStore }, { S3Store }] = await Promise.all([
      internal('persistence.js'),
      internal('sqs/sqsStore.js'),
      internal('sns/snsStore.js'),
      internal('s3/s3Store.js'),
    ]);
    const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
    const journal = new PersistenceManager(dataDir);
    // It must not write while it loads: to replace a queue's row is to delete its messages.
    journal.load(stores.sqsStore, stores.snsStore, stores.s3Store);
    stores.sqsStore.persistence = journal;
    for (const queue of stores.sqsStore.allQueues()) queue.persistence = journal;
    const app = buildApp({ logger: false, defaultRegion: REGION, stores });
    await app.ready();
    const sqs = new Sqs(app, stores.sqsStore, journal);
    for (const plan of queues) sqs.#ensureQueue(plan);
    return sqs;
  }

  /** One call of the JSON protocol. */
  async call(operation: string, body: string | Buffer): Promise<SqsAnswer> {
    const answer = await this.#app.inject({
      method: 'POST',
      url: '/',
      headers: {
        host: '127.0.0.1',
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `AmazonSQS.${operation}`,
      },
      payload: body,
    });
    return {
      status: answer.statusCode,
      contentType: String(answer.headers['content-type'] ?? 'application/x-amz-json-1.0'),
      body: answer.body,
    };
  }

  /** As `call`, for our own use: the answer as an object, a failure as an exception. */
  async request(operation: string, body: object): Promise<unknown> {
    const answer = await this.call(operation, JSON.stringify(body));
    if (answer.status === 200) return JSON.parse(answer.body);
    throw new ServiceError('SqsFailure', `${operation} answered ${answer.status}: ${answer.body}`, answer.status);
  }

  /** The ARN of the queue that a request is about. */
  arnOf(body: { QueueUrl?: unknown; QueueName?: unknown }): string {
    const name = String(body.QueueName ?? String(body.QueueUrl).split('/').at(-1));
    return this.#store.getQueueByName(name)?.arn ?? `arn:aws:sqs:${REGION}::${name}`;
  }

  /**
   * Makes visible what was in flight when the last process died: its receivers died with it. In the cloud the visibility timeout would do so,
   * minutes later.
   */
  releaseInFlight(): void {
    for (const queue of this.#store.allQueues()) {
      for (const { receiptHandle } of queue.inspectMessages().inflight) queue.changeVisibility(receiptHandle, 0);
    }
  }

  async stop(): Promise<void> {
    await this.#app.close();
    this.#journal.close();
  }

  #ensureQueue({ name, url, arn, attributes }: QueuePlan): void {
    const existing = this.#store.getQueueByName(name);
    if (existing) existing.setAttributes({ RedrivePolicy: '', ...attributes });
    const queue = existing ?? this.#store.createQueue(name, url, arn, { ...attributes });
    this.#receiveAtomically(queue);
  }

  /** A receive may move a message to the dead-letter queue, out of one and into another: both or none, should we die between. */
  #receiveAtomically(queue: Queue): void {
    const dequeue = queue.dequeue.bind(queue);
    const transaction: Transactions['transaction'] = Reflect.get(this.#journal, 'transaction');
    queue.dequeue = (...parameters) => {
      let received: ReturnType<Queue['dequeue']> = [];
      transaction.call(this.#journal, () => {
        received = dequeue(...parameters);
      });
      return received;
    };
  }
}
