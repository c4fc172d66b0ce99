import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** An editor that saves some files makes many changes. */
const PAUSE_MILLISECONDS = 30;

/** Calls `follow` after changes in the folders, one call at a time. @returns what ends that */
export function onChanges(folders: readonly string[], follow: () => Promise<void>): () => void {
  let [hasChanged, isFollowing] = [false, false];
  const notice = async (): Promise<void> => {
    hasChanged = true;
    if (isFollowing) return;
    isFollowing = true;
    while (hasChanged) {
      await sleep(PAUSE_MILLISECONDS);
      hasChanged = false;
      await follow();
    }
    isFollowing = false;
  };
  const watchers = folders.map((folder) => watch(folder, { recursive: true }, () => void notice()));
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}
