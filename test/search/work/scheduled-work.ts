import { setTimeout as sleep } from 'node:timers/promises';
import type { Cloud } from '#scripts/local/cloud.ts';
import { schedules } from '#shared/schedules.ts';
import { given, type User } from '#test/support/given.ts';
import type { RemoteEntry } from '#test/support/provider.ts';
import type { RemoteAccount } from '#test/support/remote-account.ts';
import { REMOTE } from './vocabulary.ts';

/**
 * Schedules that EventBridge starts while users work: all of the service, and so the sync of a connection that is
 * always due.
 */
export class ScheduledWork {
  /** The user who has connected. */
  readonly by: User;
  /** Texts of what the provider has, each in one entry. */
  readonly texts: string[] = [];
  readonly #cloud: Cloud;
  readonly #account: RemoteAccount;
  readonly #entries: RemoteEntry[] = [];
  #time = new Date(Math.floor(Date.now() / 1_000) * 1_000);

  private constructor(cloud: Cloud, by: User, account: RemoteAccount) {
    this.#cloud = cloud;
    this.by = by;
    this.#account = account;
  }

  static async begin(cloud: Cloud): Promise<ScheduledWork> {
    const by = await given.user();
    const account = await given.connection(by);
    await by.patch(`${REMOTE}/settings`, { syncEnabled: true, syncIntervalMinutes: INTERVAL_MINUTES });
    return new ScheduledWork(cloud, by, account);
  }

  /**
   * All schedules strike once, when the provider has one entry more, and time enough has gone by for the next sync to
   * be due.
   */
  async strike(): Promise<void> {
    const id = this.texts.length + 1;
    const notes = `synced-${id}`;
    this.texts.push(notes);
    const updatedAt = this.#time.toISOString();
    this.#entries.push({ id, notes, date: updatedAt.slice(0, 10), hours: 1.5, rate: 33.33, updatedAt });
    await this.#account.change({ entries: this.#entries });
    this.#goOn(INTERVAL_MINUTES);
    // Only the sync follows this clock: to the sweeps, work that has just begun would seem to be dead.
    for (const { name } of schedules) {
      await this.#cloud.fireSchedule(name, name === SYNC_SCHEDULER ? this.#time : new Date());
    }
  }

  /**
   * Once nothing fails any more: the next sync, which however often it has failed comes after a day. @returns whether
   * it succeeds
   */
  async end(): Promise<boolean> {
    this.#goOn(2 * MINUTES_PER_DAY);
    const at = this.#time.toISOString();
    const deadline = Date.now() + SYNC_MILLISECONDS;
    while (Date.now() < deadline) {
      // Again and again, since a sync that is still under way makes the connection due once more when it ends.
      await this.#cloud.fireSchedule(SYNC_SCHEDULER, this.#time);
      await sleep(PAUSE_MILLISECONDS);
      const { lastSyncAt, lastSyncStatus } = (await this.by.get(REMOTE)).body.data;
      if (lastSyncAt === at && lastSyncStatus === 'succeeded') return true;
    }
    return false;
  }

  #goOn(minutes: number): void {
    this.#time = new Date(this.#time.getTime() + minutes * 60_000);
  }
}

const SYNC_SCHEDULER = 'sync-scheduler';

/** The shortest that there is. */
const INTERVAL_MINUTES = 15;
const MINUTES_PER_DAY = 1_440;

/** Syncs that failed before are delivered again first. */
const SYNC_MILLISECONDS = 60_000;
const PAUSE_MILLISECONDS = 200;
