import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { type PackageImports, packageImportsIn } from './packages.ts';

/** What each bundle was made from, so that a build makes only those again whose sources have changed. */

export interface Stamp {
  readonly sources: readonly string[];
  readonly hash: string;
}

/** The lock file stands for every package. */
const COMMON = ['package-lock.json', 'scripts/build/*.ts'];

/** Stands for all imports of packages, as if it were a source. */
const IMPORTS = 'imports';

/** Read before anything is built: what changes meanwhile is not taken for built. */
export class Sources {
  readonly imports: PackageImports;
  /** Has the bundler take what was read: the calls of a function are those of its bundle. */
  readonly asRead: Plugin;
  readonly #hashes: ReadonlyMap<string, string>;
  readonly #common: readonly string[];

  constructor(root: string) {
    const common = globSync(COMMON, { cwd: root });
    const contents = new Map<string, Buffer>();
    for (const file of [...common, ...globSync('{functions,shared}/**/*.*', { cwd: root })])
      contents.set(file, readFileSync(join(root, file)));
    const modules = [...contents].filter(([file]) => /^(?:functions|shared)\b.*\.ts$/.test(file)).sort();
    this.imports = packageImportsIn(modules.map(([, content]) => content.toString()));
    this.asRead = {
      name: 'as-read',
      setup({ onLoad }) {
        onLoad({ filter: /\.ts$/ }, ({ path }) => {
          const text = contents.get(relative(root, path));
          return text && { contents: text, loader: 'ts' };
        });
      },
    };
    const imports = [...this.imports].map(([name, names]) => [name, ...[...names].sort()].join(' ')).sort();
    this.#common = [...common, IMPORTS];
    this.#hashes = new Map([...contents].map(([file, content]) => [file, hashOf(content)])).set(
      IMPORTS,
      hashOf(imports.join('\n')),
    );
  }

  /** Hash of what all functions have in common. */
  get commonHash(): string {
    return this.stampOf([]).hash;
  }

  stampOf(found: readonly string[]): Stamp {
    const sources = [...new Set([...this.#common, ...found])].sort();
    return { sources, hash: hashOf(sources.map((source) => `${source} ${this.#hashes.get(source)}`).join('\n')) };
  }

  isFresh(stamp: Stamp | undefined): boolean {
    return stamp !== undefined && this.stampOf(stamp.sources).hash === stamp.hash;
  }
}

function hashOf(content: Buffer | string): string {
  return createHash('sha256').update(content).digest('hex');
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
