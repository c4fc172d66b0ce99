import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, vi } from 'vitest';
import type { Reply } from './client.ts';

/** What the local cloud of all tests has written down. Tests search it for what must not be there. */

/**
 * The log of the functions, once it has a line of each of these requests. What functions write takes
 * a moment to arrive.
 */
export function logWith(replies: readonly Reply[]): Promise<string> {
  return vi.waitUntil(
    async () => {
      const log = await readFile(inject('functionLog'), 'utf8');
      const requestIds = replies.map(({ headers }) => headers.get('x-request-id') ?? 'no request id');
      return requestIds.every((id) => log.includes(id)) && log;
    },
    { timeout: 10_000, interval: 100 },
  );
}

/** What the emulator keeps of the whole table, byte for byte: it stores text as it is. */
export async function databaseFiles(): Promise<Buffer[]> {
  const dataDir = inject('dataDir');
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('dynamodb.db'));
  return Promise.all(names.map((name) => readFile(join(dataDir, name))));
}
