import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build as bundle, type Plugin } from 'esbuild';
import { nativeBrotli } from './late-modules.ts';

/**
 * Makes modules of what our code imports from packages, and keeps them until the lock file or an import changes. Most of
 * the SDK is dropped here once, and not for each of the functions: that took two thirds of a build.
 */

/** Names by package, or by module of one. */
export type PackageImports = ReadonlyMap<string, ReadonlySet<string>>;

/** Stands for all names, where a namespace is used as a whole. */
const ALL = '*';

/** @param modules in TypeScript */
export function packageImportsIn(modules: readonly string[]): PackageImports {
  const found = new Map<string, Set<string>>();
  for (const module of modules) {
    for (const statement of module.split(/^import /m).slice(1)) {
      const [clause = '', from = ''] = statement.split(/['"]/, 2);
      if (!clause.trimEnd().endsWith(' from') || clause.startsWith('type ') || !isPackage(from)) continue;
      const names = namesIn(clause, module);
      if (names.length > 0) found.set(from, new Set([...(found.get(from) ?? []), ...names]));
    }
  }
  return found;
}

/** And not a module of our own, or of Node.js. */
const isPackage = (name: string) => !/^(?:#|\.|node:)/.test(name);

/** @param clause such as `middy, { type Request, named as other } from`, or `* as v from` */
function namesIn(clause: string, module: string): string[] {
  const [outside = '', inside = ''] = clause.split(/[{}]/);
  const [first] = outside.split(/[\s,]+/);
  if (first === '*') return membersIn(module, clause.split(/\s+/)[2] ?? '');
  const named = inside.split(',').map((name) => name.trim());
  return [
    ...(first ? ['default'] : []),
    ...named.filter((name) => name && !name.startsWith('type ')).map((name) => name.split(/\s/)[0] ?? ''),
  ];
}

function membersIn(module: string, namespace: string): string[] {
  const uses = [...module.matchAll(/\b(\w+)(?:\s*\.\s*(\w+))?/g)].filter(([, word]) => word === namespace);
  const members = uses.flatMap(([, , member]) => member ?? []);
  // The import itself names it once.
  return uses.length - members.length > 1 ? [...members, ALL] : members;
}

/** @param hash differs where other modules have to be made */
export async function makePackages(
  folder: string,
  imports: PackageImports,
  hash: string,
  options: BuildOptions,
): Promise<void> {
  const hashFile = join(folder, 'hash');
  if (existsSync(hashFile) && (await readFile(hashFile, 'utf8')) === hash) return;
  await rm(folder, { recursive: true, force: true });
  await bundle({
    ...options,
    entryPoints: [...imports.keys()].map((name) => ({ in: `${EXPORTS}:${name}`, out: name })),
    outdir: folder,
    plugins: [exportsOf(imports), nativeBrotli],
    format: 'esm',
    minify: false,
    splitting: true,
  });
  // The project's own package.json says that no module has side effects.
  await writeFile(join(folder, 'package.json'), '{"type":"module"}\n');
  await writeFile(hashFile, hash);
}

const EXPORTS = 'exports';

function exportsOf(imports: PackageImports): Plugin {
  return {
    name: EXPORTS,
    setup({ initialOptions, onResolve, onLoad }) {
      onResolve({ filter: /^exports:/ }, ({ path }) => ({
        path: path.slice(EXPORTS.length + 1),
        namespace: EXPORTS,
      }));
      onLoad({ filter: /./, namespace: EXPORTS }, async ({ path }) => {
        // A member of a namespace may be a type.
        const existing = await import(path);
        const names = imports.get(path) ?? new Set();
        const contents = `export { ${[...names].filter((name) => name in existing)} } from '${path}';`;
        const rest = names.has(ALL) ? `export * from '${path}';` : '';
        return { contents: contents + rest, resolveDir: initialOptions.absWorkingDir };
      });
    },
  };
}

/** Takes the modules that were made, in place of packages. */
export function madePackages(folder: string, imports: PackageImports): Plugin {
  return {
    name: 'made-packages',
    setup({ onResolve }) {
      onResolve({ filter: /^[@\w]/ }, ({ path }) =>
        imports.has(path) ? { path: join(folder, `${path}.js`) } : undefined,
      );
    },
  };
}
