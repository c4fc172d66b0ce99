import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

/** SQLite's own lock on an empty file. It is never stale: the system releases it however its holder ends. */
export interface FileLock {
  release(): void;
}

const POLL_MILLISECONDS = 100;

/** SQLite's primary result code: the lowest byte of `errcode`. */
const SQLITE_BUSY = 5;

/** @returns undefined while another process holds the lock */
export function tryLock(path: string): FileLock | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** Calls `onWait` once if the lock is not free at first. */
export async function waitForLock(path: string, onWait: () => void): Promise<FileLock> {
  for (let isFirst = true; ; isFirst = false) {
    const lock = tryLock(path);
    if (lock) return lock;
    if (isFirst) onWait();
    await delay(POLL_MILLISECONDS);
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_BUSY;
}
