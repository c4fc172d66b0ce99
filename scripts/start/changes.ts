import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** An editor that saves some files makes many changes. */
const PAUSE_MILLISECONDS = 30;

/**
 * Calls `follow` after changes in the folders, one call at a time.
 *
 * @param follow takes the paths of what has changed, and can ask whether anything has changed since
 * @returns what ends that
 */
export function onChanges(
  folders: readonly string[],
  follow: (paths: readonly string[], isOutdated: () => boolean) => Promise<void>,
): () => void {
  const changed = new Set<string>();
  let isFollowing = false;
  let watchers: readonly FSWatcher[] = [];
  const notice = async (path: string): Promise<void> => {
    changed.add(path);
    if (isFollowing) return;
    isFollowing = true;
    while (changed.size > 0) {
      await sleep(PAUSE_MILLISECONDS);
      const paths = [...changed].sort();
      changed.clear();
      watchAnew();
      await follow(paths, () => changed.size > 0);
    }
    isFollowing = false;
  };
  const close = () => {
    for (const watcher of watchers) watcher.close();
  };
  /** There may be other folders now. */
  const watchAnew = () => {
    const next = folders.flatMap((folder) => watchersOf(folder, (path) => void notice(path)));
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
function watchersOf(folder: string, notice: (path: string) => void): FSWatcher[] {
  try {
    const watcher = watch(folder, (_, name) => notice(join(folder, name ?? '')));
    const subfolders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [watcher, ...subfolders.flatMap(({ name }) => watchersOf(join(folder, name), notice))];
  } catch {
    return [];
  }
}
