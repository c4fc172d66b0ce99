import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The data folder holds keys, tokens and other people's data. Only the owner may read what is made in it. */

export const PRIVATE_FILE_MODE = 0o600;
const PRIVATE_FOLDER_MODE = 0o700;

/** Also one that was there before, and open to others. */
export function makePrivateFolder(path: string): void {
  makeFolder(path);
  chmodSync(path, PRIVATE_FOLDER_MODE);
}

/** Not `recursive`: with that, Node.js never returns if the system takes no new folder, as under /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, PRIVATE_FOLDER_MODE);
}

/** Code that made the file later would make it readable by everybody. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE_MODE));
}

/** Writes the whole file or nothing. */
export function writePrivateFile(path: string, content: object): void {
  writeFileSync(`${path}.new`, JSON.stringify(content, null, 2), { mode: PRIVATE_FILE_MODE });
  renameSync(`${path}.new`, path);
}
