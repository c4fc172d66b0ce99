import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Locks between processes. Each is SQLite's own on an otherwise empty file: unlike a file with a process id in it, it cannot be stale, since
 * the system lets go of it however its holder ends.
 */
export interface FileLock {
  release(): void;
}

const POLL_MILLISECONDS = 100;

/** SQLite's primary result code: the lowest byte of `errcode`. */
const SQLITE_BUSY = 5;

/** Takes the lock; undefined while another holds it. The file is made where it is missing, its folder is not. */
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

/** Takes the lock as soon as it is free. `onWait` is called once, where it is not free at first. */
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
