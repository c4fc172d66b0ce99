import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawAnswer } from '#shared/contract/endpoint.ts';
import { notFound } from '#shared/domain/problems.ts';

/** The build has put the files beside the bundle, each gzipped once (`scripts/build/static-files.ts`). */

const folder = join(import.meta.dirname, 'assets');

interface StaticFile {
  readonly gzipped: Uint8Array;
  /** Weak, because the file is the same whether it arrives gzipped or not. */
  readonly etag: string;
}

const files = new Map<string, StaticFile>();

/** @param name holds no separator of paths @throws Problem `not_found` if the build has made no such file */
export async function staticFile(
  name: string,
  { contentType, headers }: Pick<RawAnswer, 'contentType' | 'headers'>,
): Promise<RawAnswer> {
  const { gzipped, etag } = files.get(name) ?? (await readStaticFile(name));
  return {
    contentType,
    body: gzipped,
    headers: { ...headers, etag, 'content-encoding': 'gzip' },
  };
}

async function readStaticFile(name: string): Promise<StaticFile> {
  const gzipped = await readFile(join(folder, `${name}.gz`)).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? notFound() : error;
  });
  const file = { gzipped, etag: `W/"${createHash('sha256').update(gzipped).digest('base64url')}"` };
  files.set(name, file);
  return file;
}
