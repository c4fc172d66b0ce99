import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** An editor that saves some files makes many changes. */
const PAUSE_MILLISECONDS = 30;

/** Calls `follow` after changes in the folders, one call at a time. @returns what ends that */
export function onChanges(folders: readonly string[], follow: () => Promise<void>): () => void {
  let [hasChanged, isFollowing] = [false, false];
  let watchers: readonly FSWatcher[] = [];
  const notice = async (): Promise<void> => {
    hasChanged = true;
    if (isFollowing) return;
    isFollowing = true;
    while (hasChanged) {
      await sleep(PAUSE_MILLISECONDS);
      hasChanged = false;
      watchAnew();
      await follow();
    }
    isFollowing = false;
  };
  const close = () => {
    for (const watcher of watchers) watcher.close();
  };
  /** There may be other folders now. */
  const watchAnew = () => {
    const next = folders.flatMap((folder) => watchersOf(folder, () => void notice()));
    close();
    watchers = next;
  };
  watchAnew();
  return close;
}

/**
 * On Linux, `recursive` of Node.js follows files, and loses those that an editor replaces. Of a folder that is gone by
 * now there is nothing to watch: the one that it was in is about to tell.
 */
function watchersOf(folder: string, notice: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, notice);
    const subfolders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [watcher, ...subfolders.flatMap(({ name }) => watchersOf(join(folder, name), notice))];
  } catch {
    return [];
  }
}
