import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { makePrivateFile } from './private-files.ts';

/**
 * The messages of all queues, in one SQLite file. Every step of a message's life is one committed statement or
 * transaction. A process that dies at any moment therefore loses no message and delivers none out of order.
 */

/** How long a queue remembers deduplication ids. */
const DEDUPLICATION_MILLISECONDS = 5 * 60_000;

const SCHEMA = `
  -- The log survives a killed process as it is; only a power failure could cost the last commits.
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS fifoMessages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    groupId TEXT NOT NULL,
    deduplicationId TEXT NOT NULL,
    sourceArn TEXT,
    sentAt INTEGER NOT NULL,
    visibleAt INTEGER NOT NULL,
    firstReceivedAt INTEGER,
    receiveCount INTEGER NOT NULL DEFAULT 0,
    receipt TEXT UNIQUE
  );
  CREATE INDEX IF NOT EXISTS byGroupOfFifo ON fifoMessages (queue, groupId, sequence);
  CREATE TABLE IF NOT EXISTS sent (
    queue TEXT NOT NULL,
    deduplicationId TEXT NOT NULL,
    id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    sentAt INTEGER NOT NULL,
    PRIMARY KEY (queue, deduplicationId)
  );
`;

/** A message waits while any message of its group is in flight. */
const NEXT_MESSAGES = `
  SELECT * FROM fifoMessages AS candidate
  WHERE queue = :queue AND visibleAt <= :now AND NOT EXISTS (
    SELECT 1 FROM fifoMessages AS blocking
    WHERE blocking.queue = candidate.queue AND blocking.groupId = candidate.groupId AND blocking.visibleAt > :now
  )
  ORDER BY sequence LIMIT :limit
`;

const message = v.object({
  sequence: v.number(),
  id: v.string(),
  body: v.string(),
  groupId: v.string(),
  deduplicationId: v.string(),
  /** The ARN of the queue that a dead letter came from. */
  sourceArn: v.nullable(v.string()),
  sentAt: v.number(),
  firstReceivedAt: v.nullable(v.number()),
  receiveCount: v.number(),
});

type StoredMessage = v.InferOutput<typeof message>;
export type ReceivedMessage = StoredMessage & { readonly receipt: string; readonly firstReceivedAt: number };

interface NewMessage {
  readonly body: string;
  readonly groupId: string;
  readonly deduplicationId: string;
}

interface Redrive {
  readonly sourceArn: string;
  readonly deadLetterQueue: string;
  readonly maximumReceives: number;
}

const sentMessage = v.object({ id: v.string(), sequence: v.number() });

type SentMessage = v.InferOutput<typeof sentMessage>;

type Values = Readonly<Record<string, string | number>>;

export class SqsStore {
  readonly #database: DatabaseSync;

  constructor(path: string) {
    // SQLite gives the files beside this file the same mode.
    makePrivateFile(path);
    this.#database = new DatabaseSync(path);
    this.#database.exec(SCHEMA);
  }

  close(): void {
    this.#database.close();
  }

  /** @returns the first message with this deduplication id within five minutes; later ones are not stored */
  send(queue: string, sent: NewMessage): SentMessage {
    return this.#transaction(() => {
      const now = Date.now();
      const { deduplicationId } = sent;
      this.#run('DELETE FROM sent WHERE sentAt < :oldest', { oldest: now - DEDUPLICATION_MILLISECONDS });
      const earlier = 'SELECT * FROM sent WHERE queue = :queue AND deduplicationId = :deduplicationId';
      const [first] = this.#rows(sentMessage, earlier, { queue, deduplicationId });
      if (first) return first;
      const id = randomUUID();
      const { lastInsertRowid } = this.#run(
        `INSERT INTO fifoMessages (queue, id, body, groupId, deduplicationId, sentAt, visibleAt)
         VALUES (:queue, :id, :body, :groupId, :deduplicationId, :now, :now)`,
        { queue, id, ...sent, now },
      );
      const sequence = Number(lastInsertRowid);
      const remembered = { queue, deduplicationId, id, sequence, now };
      this.#run('INSERT INTO sent VALUES (:queue, :deduplicationId, :id, :sequence, :now)', remembered);
      return { id, sequence };
    });
  }

  /** Takes the next messages. Messages that were received too often go to the dead-letter queue instead. */
  receive(queue: string, limit: number, visibilitySeconds: number, redrive: Redrive | undefined): ReceivedMessage[] {
    return this.#transaction(() => {
      const now = Date.now();
      for (;;) {
        const found = this.#rows(message, NEXT_MESSAGES, { queue, now, limit });
        const exhausted = redrive ? found.filter(({ receiveCount }) => receiveCount >= redrive.maximumReceives) : [];
        if (!redrive || exhausted.length === 0) {
          return found.map((each) => this.#markReceived(each, now, now + visibilitySeconds * 1_000));
        }
        for (const { sequence } of exhausted) this.#moveToDeadLetters(sequence, redrive);
      }
    });
  }

  #markReceived(each: StoredMessage, now: number, visibleAt: number): ReceivedMessage {
    const { sequence, firstReceivedAt: earlier, receiveCount } = each;
    const received = { receipt: randomUUID(), firstReceivedAt: earlier ?? now, receiveCount: receiveCount + 1 };
    this.#run(
      `UPDATE fifoMessages SET receipt = :receipt, visibleAt = :visibleAt, firstReceivedAt = :firstReceivedAt,
       receiveCount = :receiveCount WHERE sequence = :sequence`,
      { ...received, visibleAt, sequence },
    );
    return { ...each, ...received };
  }

  #moveToDeadLetters(sequence: number, { deadLetterQueue, sourceArn }: Redrive): void {
    this.#run(
      `UPDATE fifoMessages SET queue = :deadLetterQueue, sourceArn = :sourceArn, receipt = NULL, receiveCount = 0,
       firstReceivedAt = NULL WHERE sequence = :sequence`,
      { deadLetterQueue, sourceArn, sequence },
    );
  }

  delete(queue: string, receipt: string): void {
    this.#run('DELETE FROM fifoMessages WHERE queue = :queue AND receipt = :receipt', { queue, receipt });
  }

  changeVisibility(queue: string, receipt: string, seconds: number): void {
    const now = Date.now();
    this.#run(
      'UPDATE fifoMessages SET visibleAt = :visibleAt WHERE queue = :queue AND receipt = :receipt AND visibleAt > :now',
      { queue, receipt, now, visibleAt: now + seconds * 1_000 },
    );
  }

  releaseInFlight(): void {
    this.#run('UPDATE fifoMessages SET visibleAt = :now WHERE receipt IS NOT NULL', { now: Date.now() });
  }

  dropOlderThan(queue: string, seconds: number): void {
    this.#run('DELETE FROM fifoMessages WHERE queue = :queue AND sentAt < :oldest', {
      queue,
      oldest: Date.now() - seconds * 1_000,
    });
  }

  /** When a message that was hidden at a time becomes visible. Both in milliseconds since the epoch. */
  nextVisibleAt(queue: string, time: number): number | undefined {
    const schema = v.object({ next: v.nullable(v.number()) });
    const query = 'SELECT min(visibleAt) AS next FROM fifoMessages WHERE queue = :queue AND visibleAt > :time';
    return this.#rows(schema, query, { queue, time })[0]?.next ?? undefined;
  }

  #run(sql: string, values: Values) {
    return this.#database.prepare(sql).run(values);
  }

  #rows<const Schema extends v.GenericSchema>(schema: Schema, sql: string, values: Values): v.InferOutput<Schema>[] {
    return this.#database
      .prepare(sql)
      .all(values)
      .map((row) => v.parse(schema, row));
  }

  #transaction<Result>(work: () => Result): Result {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}
