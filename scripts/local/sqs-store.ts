import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { makePrivateFile } from './private-files.ts';

/**
 * The messages of all queues, in one SQLite file. Every step of a message's life is one committed statement or
 * transaction. A process that dies at any moment therefore loses no message and delivers none out of order.
 */

/** How long a FIFO queue remembers what was sent, as SQS does. */
const DEDUPLICATION_MILLISECONDS = 5 * 60_000;

const SCHEMA = `
  -- The log survives a killed process as it is; only a power failure could cost the last commits.
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS messages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    attributes TEXT NOT NULL,
    groupId TEXT,
    deduplicationId TEXT,
    sourceArn TEXT,
    sentAt INTEGER NOT NULL,
    visibleAt INTEGER NOT NULL,
    firstReceivedAt INTEGER,
    receiveCount INTEGER NOT NULL DEFAULT 0,
    receipt TEXT UNIQUE
  );
  CREATE INDEX IF NOT EXISTS byVisibility ON messages (queue, visibleAt);
  CREATE INDEX IF NOT EXISTS byGroup ON messages (queue, groupId, sequence);
  CREATE TABLE IF NOT EXISTS sent (
    queue TEXT NOT NULL,
    deduplicationId TEXT NOT NULL,
    id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    sentAt INTEGER NOT NULL,
    PRIMARY KEY (queue, deduplicationId)
  );
`;

/**
 * A message waits while an earlier message of its group is delayed, or while any message of its group is in flight.
 */
const NEXT_MESSAGES = `
  SELECT * FROM messages AS candidate
  WHERE queue = :queue AND visibleAt <= :now AND NOT EXISTS (
    SELECT 1 FROM messages AS blocking
    WHERE blocking.queue = candidate.queue AND blocking.groupId = candidate.groupId AND blocking.visibleAt > :now
      AND (blocking.receipt IS NOT NULL OR blocking.sequence < candidate.sequence)
  )
  ORDER BY sequence LIMIT :limit
`;

const message = v.object({
  sequence: v.number(),
  id: v.string(),
  body: v.string(),
  /** JSON of SQS's `MessageAttributes`. */
  attributes: v.string(),
  groupId: v.nullable(v.string()),
  deduplicationId: v.nullable(v.string()),
  /** The ARN of the queue that a dead letter came from. */
  sourceArn: v.nullable(v.string()),
  sentAt: v.number(),
  firstReceivedAt: v.nullable(v.number()),
  receiveCount: v.number(),
});

export type StoredMessage = v.InferOutput<typeof message>;
export type ReceivedMessage = StoredMessage & { readonly receipt: string };

export interface NewMessage {
  readonly body: string;
  readonly attributes: string;
  /** Only in FIFO queues, where it is required. */
  readonly groupId?: string;
  readonly deduplicationId?: string;
  readonly delaySeconds: number;
}

export interface Receipt {
  readonly id: string;
  readonly sequence: number;
}

export interface Redrive {
  readonly sourceArn: string;
  readonly deadLetterQueue: string;
  readonly maximumReceives: number;
}

export interface Receive {
  readonly limit: number;
  readonly visibilitySeconds: number;
  readonly redrive?: Redrive;
}

export interface QueueCounts {
  readonly visible: number;
  readonly inFlight: number;
  readonly delayed: number;
}

const identified = v.object({ id: v.string(), sequence: v.number() });

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

  /**
   * Stores a message. If a FIFO queue got the same deduplication id within five minutes, nothing is stored, and the
   * result is the receipt of the first message.
   */
  send(queue: string, sent: NewMessage): Receipt {
    return this.#transaction(() => {
      const now = Date.now();
      const { deduplicationId } = sent;
      if (deduplicationId !== undefined) {
        this.#run('DELETE FROM sent WHERE queue = ? AND sentAt < ?', queue, now - DEDUPLICATION_MILLISECONDS);
        const [earlier] = this.#rows(
          identified,
          'SELECT * FROM sent WHERE queue = ? AND deduplicationId = ?',
          queue,
          deduplicationId,
        );
        if (earlier) return earlier;
      }
      const receipt = this.#insert(queue, sent, now);
      if (deduplicationId !== undefined) {
        this.#run('INSERT INTO sent VALUES (?, ?, ?, ?, ?)', queue, deduplicationId, receipt.id, receipt.sequence, now);
      }
      return receipt;
    });
  }

  #insert(
    queue: string,
    { body, attributes, groupId, deduplicationId, delaySeconds }: NewMessage,
    now: number,
  ): Receipt {
    const id = randomUUID();
    const { lastInsertRowid } = this.#run(
      `INSERT INTO messages (queue, id, body, attributes, groupId, deduplicationId, sentAt, visibleAt)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      queue,
      id,
      body,
      attributes,
      groupId ?? null,
      deduplicationId ?? null,
      now,
      now + delaySeconds * 1_000,
    );
    return { id, sequence: Number(lastInsertRowid) };
  }

  /** Takes the next messages. Messages that were received too often go to the dead-letter queue instead. */
  receive(queue: string, { limit, visibilitySeconds, redrive }: Receive): ReceivedMessage[] {
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
    const receipt = randomUUID();
    const firstReceivedAt = each.firstReceivedAt ?? now;
    this.#run(
      'UPDATE messages SET receipt = ?, visibleAt = ?, firstReceivedAt = ?, receiveCount = receiveCount + 1 WHERE sequence = ?',
      receipt,
      visibleAt,
      firstReceivedAt,
      each.sequence,
    );
    return { ...each, receipt, firstReceivedAt, receiveCount: each.receiveCount + 1 };
  }

  #moveToDeadLetters(sequence: number, { deadLetterQueue, sourceArn }: Redrive): void {
    this.#run(
      'UPDATE messages SET queue = ?, sourceArn = ?, receipt = NULL, receiveCount = 0, firstReceivedAt = NULL WHERE sequence = ?',
      deadLetterQueue,
      sourceArn,
      sequence,
    );
  }

  /** Deletes by receipt. A receipt that is no longer valid deletes nothing, which is not an error. */
  delete(queue: string, receipt: string): void {
    this.#run('DELETE FROM messages WHERE queue = ? AND receipt = ?', queue, receipt);
  }

  /** @returns whether the receipt is that of a message in flight */
  changeVisibility(queue: string, receipt: string, seconds: number): boolean {
    const now = Date.now();
    const { changes } = this.#run(
      'UPDATE messages SET visibleAt = ? WHERE queue = ? AND receipt = ? AND visibleAt > ?',
      now + seconds * 1_000,
      queue,
      receipt,
      now,
    );
    return changes > 0;
  }

  /** Makes all messages in flight visible. */
  releaseInFlight(): void {
    this.#run('UPDATE messages SET visibleAt = ? WHERE receipt IS NOT NULL', Date.now());
  }

  purge(queue: string): void {
    this.#run('DELETE FROM messages WHERE queue = ?', queue);
  }

  dropOlderThan(queue: string, seconds: number): void {
    this.#run('DELETE FROM messages WHERE queue = ? AND sentAt < ?', queue, Date.now() - seconds * 1_000);
  }

  /** When the next hidden message becomes visible, in milliseconds since the epoch. */
  nextVisibleAt(queue: string): number | undefined {
    const schema = v.object({ next: v.nullable(v.number()) });
    const query = 'SELECT min(visibleAt) AS next FROM messages WHERE queue = ? AND visibleAt > ?';
    return this.#rows(schema, query, queue, Date.now())[0]?.next ?? undefined;
  }

  count(queue: string): QueueCounts {
    const query = `SELECT count(*) FILTER (WHERE visibleAt <= :now) AS visible,
        count(*) FILTER (WHERE visibleAt > :now AND receipt IS NOT NULL) AS inFlight,
        count(*) FILTER (WHERE visibleAt > :now AND receipt IS NULL) AS delayed
      FROM messages WHERE queue = :queue`;
    const schema = v.object({ visible: v.number(), inFlight: v.number(), delayed: v.number() });
    return this.#rows(schema, query, { queue, now: Date.now() })[0] ?? { visible: 0, inFlight: 0, delayed: 0 };
  }

  readonly #statements = new Map<string, ReturnType<DatabaseSync['prepare']>>();

  #statement(sql: string): ReturnType<DatabaseSync['prepare']> {
    const prepared = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, prepared);
    return prepared;
  }

  #run(sql: string, ...values: (string | number | null)[]) {
    return this.#statement(sql).run(...values);
  }

  #rows<const Schema extends v.GenericSchema>(
    schema: Schema,
    sql: string,
    ...values: (string | number)[] | [Record<string, string | number>]
  ): v.InferOutput<Schema>[] {
    const [first, ...rest] = values;
    const statement = this.#statement(sql);
    const rows =
      typeof first === 'object'
        ? statement.all(first)
        : statement.all(...(first === undefined ? [] : [first]), ...rest.filter(isValue));
    return rows.map((row) => v.parse(schema, row));
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

function isValue(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
