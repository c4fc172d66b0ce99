import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');

/** The modules in folders of the project, as paths from the root. */
export function modulesIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  );
}

/** What a module imports by a specifier, as a path from the root; undefined for a package. */
export function importedModule(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? relative(root, resolve(root, dirname(importer), specifier)) : undefined;
}

/** @param path from the root */
export const sourceOf = (path: string): string => readFileSync(join(root, path), 'utf8');
