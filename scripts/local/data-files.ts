import { existsSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { asError } from '#shared/runtime/error.ts';
import { StartError } from './errors.ts';
import { lockDataDir } from './instance-file.ts';

/** The files in the data folder. Nothing is ever made in the place of one that is damaged or missing. */

export const KEYS_FILE = 'kms.json';
export const ISSUER_FILE = 'issuer.json';
export const QUEUES_FILE = 'sqs.db';
export const TABLE_FILE = 'dynamodb.db';

/** Written at the end of the first start: from then on, all others must be there. */
export const DEMO_FILE = 'demo.json';

const OWN_FILES = [
  ...[QUEUES_FILE, TABLE_FILE].flatMap((name) => [name, `${name}-shm`, `${name}-wal`]),
  KEYS_FILE,
  ISSUER_FILE,
  DEMO_FILE,
  'functions.log',
  'functions.log.1',
  'instance.json',
  'code',
];

const REMEDY = 'Put a copy of the data folder back, or begin anew with: npm start -- --fresh';

function damaged(path: string, reason: string): StartError {
  return new StartError(`${path} is damaged (${reason}). ${REMEDY}`);
}

/** @throws StartError that does not quote the file, which may hold a key */
export function readDataFile<const Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
  lacks: string,
): v.InferOutput<Schema> {
  try {
    return v.parse(schema, JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw damaged(path, lacks);
  }
}

/** With less, not even a lock or a log of SQLite may fit. */
const LEAST_ROOM_BYTES = 1_048_576;

/** Asked where a start fails: on a full disk SQLite takes a sound file for a damaged one, and others give no reason. */
export function fullDiskOf(dataDir: string): StartError | undefined {
  if (!existsSync(dataDir)) return undefined;
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize > LEAST_ROOM_BYTES) return undefined;
  return new StartError(`The disk of ${dataDir} is full. Make room on it, or set DATA_DIR to another folder.`);
}

/**
 * @param ownsTable whether the table lies in the data folder
 * @throws StartError that names a file which is missing or damaged
 */
export function assertDataFiles(dataDir: string, ownsTable: boolean): void {
  const databases = ownsTable ? [QUEUES_FILE, TABLE_FILE] : [QUEUES_FILE];
  const wasStarted = existsSync(join(dataDir, DEMO_FILE));
  for (const name of [KEYS_FILE, ...databases]) {
    const path = join(dataDir, name);
    if (wasStarted && isMissing(path)) throw new StartError(`${path} is missing or empty. ${REMEDY}`);
  }
  for (const name of databases) assertDatabase(join(dataDir, name));
}

function isMissing(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
}

/** Reads the whole file: SQLite itself finds a damaged page only when it needs it. */
function assertDatabase(path: string): void {
  if (isMissing(path)) return;
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      const found = v.parse(check, database.prepare('PRAGMA quick_check(1)').get()).quick_check;
      if (found !== 'ok') throw new Error('a page of it is not right');
    } finally {
      database.close();
    }
  } catch (error) {
    throw damaged(path, asError(error).message);
  }
}

const check = v.object({ quick_check: v.string() });

interface Console {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
}

/**
 * Deletes the data of the local cloud, and leaves any other file alone.
 *
 * @param isAgreed false asks first
 * @throws StartError if there is nobody to ask, if the answer is no, or while a local cloud uses the data
 */
export async function emptyDataDir(dataDir: string, isAgreed: boolean, asked: Console = TERMINAL): Promise<void> {
  if (!isAgreed && !asked.input.isTTY) {
    throw new StartError(`--fresh deletes all data in ${dataDir}, and there is no terminal to ask: add --yes.`);
  }
  const lock = lockDataDir(dataDir);
  try {
    if (!isAgreed && !(await agrees(dataDir, asked))) throw new StartError('Nothing was deleted.');
    for (const name of OWN_FILES) rmSync(join(dataDir, name), { recursive: true, force: true });
  } finally {
    lock.release();
  }
}

const TERMINAL: Console = { input: process.stdin, output: process.stdout };

async function agrees(dataDir: string, { input, output }: Console): Promise<boolean> {
  const lines = createInterface({ input, output });
  const answer = await lines.question(`Delete all data in ${dataDir}? [y/N] `);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
