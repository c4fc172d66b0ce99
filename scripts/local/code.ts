import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FunctionPlan } from './blueprint.ts';
import { makePrivateFolder } from './private-files.ts';

/**
 * Puts the code of the functions into the data folder, as a deployment would upload it: a build that replaces the assembly later does not pull
 * the code from under a running cloud.
 */
export function installCode(dataDir: string, functions: readonly FunctionPlan[]): FunctionPlan[] {
  const folder = join(dataDir, 'code');
  makePrivateFolder(folder);
  // On Lambda no package.json lies above a function's code, so that `index.js` is CommonJS unless its own folder says otherwise.
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  const installed = functions.map((plan) => ({ ...plan, codeFolder: installFolder(folder, plan.codeFolder) }));
  const current = new Set(['package.json', ...installed.map(({ codeFolder }) => basename(codeFolder))]);
  for (const name of readdirSync(folder)) {
    if (!current.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return installed;
}

/** The name of an asset's folder holds a hash of its content: one that is there is complete and right. */
function installFolder(folder: string, source: string): string {
  const target = join(folder, basename(source));
  if (existsSync(target)) return target;
  const incomplete = `${target}.new`;
  rmSync(incomplete, { recursive: true, force: true });
  cpSync(source, incomplete, { recursive: true });
  renameSync(incomplete, target);
  return target;
}
