import { cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FunctionPlan } from './plans/functions.ts';
import { makePrivateFolder } from './private-files.ts';

/** Copies the code into the data folder: the running cloud keeps it when a later build replaces the assembly. */
export function installCode(dataDir: string, functions: readonly FunctionPlan[]): FunctionPlan[] {
  const folder = join(dataDir, 'code');
  makePrivateFolder(folder);
  // On Lambda no package.json lies above a function, so `index.js` is CommonJS by default.
  writeFileSync(join(folder, 'package.json'), '{"type":"commonjs"}\n');
  const installed = functions.map((plan) => ({ ...plan, codeFolder: installFolder(folder, plan.codeFolder) }));
  const current = new Set(['package.json', ...installed.map(({ codeFolder }) => basename(codeFolder))]);
  for (const name of readdirSync(folder)) {
    if (!current.has(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  return installed;
}

/** The name holds a hash of the content. A folder that exists is therefore complete. */
function installFolder(folder: string, source: string): string {
  const target = join(folder, basename(source));
  if (existsSync(target)) return target;
  const incomplete = `${target}.new`;
  rmSync(incomplete, { recursive: true, force: true });
  cpSync(source, incomplete, { recursive: true });
  renameSync(incomplete, target);
  return target;
}
