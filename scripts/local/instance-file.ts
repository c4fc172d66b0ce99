import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { type FileLock, tryLock } from '#scripts/file-lock.ts';
import { asError } from '#shared/runtime/error.ts';
import { StartError } from './errors.ts';
import { makePrivateFile, makePrivateFolder, PRIVATE_FILE_MODE, writePrivateFile } from './private-files.ts';

/** How commands find a running local cloud, and what keeps a second cloud from starting on the same data. */

const FILE_NAME = 'instance.json';

const instance = v.object({
  pid: v.number(),
  url: v.string(),
  awsEndpoint: v.string(),
  dynamoEndpoint: v.string(),
  tableName: v.string(),
  adminCredentials: v.object({ accessKeyId: v.string(), secretAccessKey: v.string() }),
  operatorEnvironment: v.record(v.string(), v.string()),
});

export type InstanceFile = v.InferOutput<typeof instance>;

/** It holds the operator's access key. */
export function writeInstanceFile(dataDir: string, content: InstanceFile): void {
  writePrivateFile(join(dataDir, FILE_NAME), content);
}

export function removeInstanceFile(dataDir: string): void {
  rmSync(join(dataDir, FILE_NAME), { force: true });
}

export function readInstanceFile(dataDir: string): InstanceFile | undefined {
  try {
    const found = v.parse(instance, JSON.parse(readFileSync(join(dataDir, FILE_NAME), 'utf8')));
    return isAlive(found.pid) ? found : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process lives, but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export function lockDataDir(dataDir: string): FileLock {
  const lock = openDataDir(dataDir);
  if (lock) return lock;
  throw new StartError(`Another local cloud runs on ${dataDir}: stop it, or set DATA_DIR to another folder.`);
}

function openDataDir(dataDir: string): FileLock | undefined {
  try {
    if (!existsSync(dataDir)) makeIgnoredFolder(resolve(dataDir));
    makePrivateFolder(resolve(dataDir));
    const path = join(dataDir, 'lock.db');
    makePrivateFile(path);
    return tryLock(path);
  } catch (error) {
    const reason = asError(error).message;
    throw new StartError(`${dataDir} cannot be the data folder (${reason}): set DATA_DIR to another.`);
  }
}

/** It may lie in a checkout, and holds keys. */
function makeIgnoredFolder(path: string): void {
  makePrivateFolder(path);
  writeFileSync(join(path, '.gitignore'), '*\n', { mode: PRIVATE_FILE_MODE });
}
