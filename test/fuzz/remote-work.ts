import type { Client, Json, Reply } from '#test/support/client.ts';
import type { RemoteAccount } from '#test/support/remote-account.ts';
import { Thing } from './thing.ts';
import { CHANGE, DAYS, TRACKER } from './workplace.ts';

/**
 * What a user does with a remote time tracker: importing, taking imports back, and the connection of an organization of
 * its own.
 */

/** The user, as far as it matters here. */
interface Importer {
  readonly by: Client;
  /** Of an organization of its own, whose remote connection nobody else changes. */
  readonly hermit: Client;
  send(operation: string, client: Client, method: string, path: string, body?: unknown): Promise<Reply>;
  blame(fault: string | undefined): void;
  pick<T>(values: readonly T[]): T;
  random(): number;
  newText(kind: string): string;
}

interface Batch {
  readonly rows: readonly Json[];
  /** Of the last confirm that succeeded. */
  jobId: string | undefined;
  /** `there` when each of its rows has one entry; a failed import leaves some. */
  readonly state: Thing;
}

export class RemoteWork {
  readonly #user: Importer;
  readonly #account: RemoteAccount;
  readonly #projectId: string | undefined;
  readonly batches: Batch[] = [];
  readonly connection = new Thing(null);

  /** @param projectId what the project that rows name stands for */
  constructor(user: Importer, account: RemoteAccount, projectId: string | undefined) {
    this.#user = user;
    this.#account = account;
    this.#projectId = projectId;
  }

  async import(): Promise<void> {
    const text = this.#user.newText('import');
    const rows = Array.from({ length: 1 + Math.floor(this.#user.random() * 60) }, (_, i) => ({
      date: this.#user.pick(DAYS),
      durationMinutes: 1 + i,
      description: `${text}${CHANGE}${i}`,
      externalId: `${text}${i}`,
      project: 'Website',
      rate: 19.99,
    }));
    const batch: Batch = { rows, jobId: undefined, state: new Thing(null) };
    this.batches.push(batch);
    await this.#confirm(batch);
  }

  async repeat(): Promise<void> {
    if (this.batches.length === 0) return this.import();
    await this.#confirm(this.#user.pick(this.batches));
  }

  async #confirm(batch: Batch): Promise<void> {
    const projectMapping = { Website: this.#projectId };
    const path = `${TRACKER}/remote/sync/confirm`;
    const reply = await this.#user.send('confirm import', this.#user.by, 'POST', path, {
      rows: batch.rows,
      projectMapping,
    });
    if (reply.status >= 400 && reply.status < 500)
      return this.#user.blame(`confirm: ${reply.status} ${reply.body.code}`);
    const isOpen = reply.status !== 200;
    this.#user.blame(batch.state.learn(isOpen ? { ...reply, status: 500 } : reply, 'there'));
    const { importedCount, importJobId } = isOpen ? {} : reply.body.data;
    // Rows of one batch that several jobs have imported are for none of them to undo.
    if (importedCount !== 0) batch.jobId = importedCount === batch.rows.length ? importJobId : undefined;
  }

  async undo(): Promise<void> {
    const undoable = this.batches.filter(({ jobId }) => jobId !== undefined);
    if (undoable.length === 0) return this.import();
    const batch = this.#user.pick(undoable);
    const reply = await this.#user.send(
      'undo import',
      this.#user.by,
      'POST',
      `${TRACKER}/remote/sync/history/${batch.jobId}/undo`,
    );
    const isUndone = reply.status === 409 && batch.state.may(null);
    this.#user.blame(batch.state.learn(isUndone ? { ...reply, status: 200 } : reply, null));
    if (reply.status < 300 || isUndone) batch.jobId = undefined;
  }

  async connect(): Promise<void> {
    const { accountId, accessToken } = this.#account;
    const reply = await this.#user.send('connect', this.#user.hermit, 'POST', `${TRACKER}/remote/connect`, {
      accountId,
      accessToken,
    });
    // A first connection has the default, a later one keeps its interval.
    const before = ['15', '30', '60'].filter(
      (interval) => this.connection.may(interval) || (interval === '60' && this.connection.may(null)),
    );
    const after = reply.status === 200 ? [String(reply.body.data.syncIntervalMinutes)] : before;
    for (const interval of after) this.#user.blame(this.connection.learn(reply, interval));
  }

  async settings(): Promise<void> {
    const syncIntervalMinutes = this.#user.pick([15, 30]);
    const body = { syncEnabled: false, syncIntervalMinutes };
    const reply = await this.#user.send('settings', this.#user.hermit, 'PATCH', `${TRACKER}/remote/settings`, body);
    this.#user.blame(this.connection.learn(reply, String(syncIntervalMinutes)));
  }

  async disconnect(): Promise<void> {
    this.#user.blame(
      this.connection.learn(
        await this.#user.send('disconnect', this.#user.hermit, 'DELETE', `${TRACKER}/remote`),
        null,
      ),
    );
  }

  async preview(): Promise<void> {
    const { status, body } = await this.#user.send(
      'preview',
      this.#user.by,
      'POST',
      `${TRACKER}/remote/sync/preview`,
      {},
    );
    if (status >= 400 && status < 500) this.#user.blame(`preview: ${status} ${body.code}`);
  }
}
