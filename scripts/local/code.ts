import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FunctionPlan } from './plans/functions.ts';
import { makePrivateFolder } from './private-files.ts';

/**
 * Copies the code of the functions into the data folder, as a deployment would upload it. A later build may replace
 * the assembly: the running cloud keeps its code.
 */
export function installCode(dataDir: string, functions: readonly FunctionPlan[]): FunctionPlan[] {
  const folder = join(dataDir, 'code');
  makePrivateFolder(folder);
  // On Lambda no package.json lies above a function's code. `index.js` is therefore CommonJS, unless its own
  // folder says otherwise.
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  const installed = functions.map((plan) => ({ ...plan, codeFolder: installFolder(folder, plan.codeFolder) }));
  const current = new Set(['package.json', ...installed.map(({ codeFolder }) => basename(codeFolder))]);
  for (const name of readdirSync(folder)) {
    if (!current.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return installed;
}

/**
 * The name of an asset's folder holds a hash of its content. A folder that exists is therefore complete and right.
 */
function installFolder(folder: string, source: string): string {
  const target = join(folder, basename(source));
  if (existsSync(target)) return target;
  const incomplete = `${target}.new`;
  rmSync(incomplete, { recursive: true, force: true });
  cpSync(source, incomplete, { recursive: true });
  renameSync(incomplete, target);
  return target;
}
