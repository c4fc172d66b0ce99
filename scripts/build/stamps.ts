import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** What each bundle was made from, so that a build makes only those again whose sources have changed. */

export interface Stamp {
  readonly sources: readonly string[];
  readonly hash: string;
}

/** The lock file stands for every package. */
const COMMON_SOURCES = [
  'package-lock.json',
  ...['build', 'late-modules', 'pure-contracts'].map((name) => `scripts/build/${name}.ts`),
];

export class Sources {
  readonly #root: string;
  readonly #hashes = new Map<string, string>();

  /** Reads all that a bundle may be made from before it is made: what changes meanwhile is not taken for built. */
  constructor(root: string) {
    this.#root = root;
    for (const source of globSync('{functions,shared}/**/*.ts', { cwd: root })) this.#hashOf(source);
  }

  stampOf(found: readonly string[]): Stamp {
    const sources = [...new Set([...COMMON_SOURCES, ...found])].sort();
    const hash = createHash('sha256');
    for (const source of sources) hash.update(`${source} ${this.#hashOf(source)}\n`);
    return { sources, hash: hash.digest('hex') };
  }

  isFresh(stamp: Stamp | undefined): boolean {
    return stamp !== undefined && this.stampOf(stamp.sources).hash === stamp.hash;
  }

  /** A file that is gone has changed. */
  #hashOf(source: string): string {
    const known = this.#hashes.get(source);
    if (known !== undefined) return known;
    const hash = hashOfFile(join(this.#root, source));
    this.#hashes.set(source, hash);
    return hash;
  }
}

function hashOfFile(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return '';
  }
}

/** All files of ours that an entry point imports, however far. */
export function sourcesOf({ inputs }: Metafile, entryPoint: string): string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    if (found.has(path) || path.includes('node_modules/')) return;
    found.add(path);
    for (const { path: imported, external } of inputs[path]?.imports ?? []) if (!external) visit(imported);
  };
  visit(entryPoint);
  return [...found];
}
