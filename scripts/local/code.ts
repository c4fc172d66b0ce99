import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FunctionPlan } from './plans/functions.ts';
import { makePrivateFolder } from './private-files.ts';

/** Copies the code into the data folder: the running cloud keeps it when a later build replaces the bundles. */
export function codeInstaller(dataDir: string): (plan: FunctionPlan) => FunctionPlan {
  const folder = join(dataDir, 'code');
  makePrivateFolder(folder);
  makeCommonJs(join(folder, 'package.json'));
  return (plan) => ({ ...plan, codeFolder: installFolder(folder, plan.codeFolder) });
}

/** On Lambda no package.json lies above a function, so `index.js` is CommonJS by default. An instance may be reading it. */
function makeCommonJs(packageFile: string): void {
  if (existsSync(packageFile)) return;
  writeFileSync(`${packageFile}.new`, '{"type":"commonjs"}\n');
  renameSync(`${packageFile}.new`, packageFile);
}

/** While functions run, that of others may be in use. */
export function removeOtherCode(dataDir: string, installed: readonly FunctionPlan[]): void {
  const folder = join(dataDir, 'code');
  const current = new Set(['package.json', ...installed.map(({ codeFolder }) => basename(codeFolder))]);
  for (const name of readdirSync(folder)) {
    if (!current.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** The name holds a hash of the content. A folder that exists is therefore complete. */
function installFolder(folder: string, source: string): string {
  const target = join(folder, `${basename(source)}-${hashOf(source)}`);
  if (existsSync(target)) return target;
  const incomplete = `${target}.new`;
  rmSync(incomplete, { recursive: true, force: true });
  cpSync(source, incomplete, { recursive: true });
  renameSync(incomplete, target);
  return target;
}

const HASH_DIGITS = 16;

function hashOf(source: string): string {
  const hash = createHash('sha256');
  const files = readdirSync(source, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const path of files.map((file) => join(file.parentPath, file.name)).sort()) {
    const content = readFileSync(path);
    hash.update(`${path.slice(source.length)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, HASH_DIGITS);
}
