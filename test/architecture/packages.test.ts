import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { fontFiles } from '#shared/pdf/typesetter/font-families.ts';
import { modulesIn, root, sourceOf } from './modules.ts';

const names = v.optional(v.record(v.string(), v.string()), {});

const manifest = v.object({
  scripts: names,
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  bin: v.optional(v.union([v.string(), v.record(v.string(), v.string())]), {}),
});

const manifestIn = (folder: string) =>
  v.parse(manifest, JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')));

/** Node.js and the emulator, which are found by the name of the system. */
const OF_A_PLATFORM = /^(?:node-|@dynoxide\/)\w+-\w+$/;

const { scripts, ...own } = manifestIn('.');

const words = new Set(Object.values(scripts).flatMap((script) => script.split(' ')));

/** Of a module `name/part`, or of a file of the package. */
const packageOf = (path: string) => path.split('/', path.startsWith('@') ? 2 : 1).join('/');

const imported = modulesIn(['functions', 'infra', 'scripts', 'shared', 'test']).flatMap((path) =>
  [...sourceOf(path).matchAll(/(?:from |import\()'([\w@][^']*)'/g)].map(([, name = '']) => name),
);

const used = new Set([...imported, ...fontFiles].map((path) => packageOf(path.replace(/^node:.*/, 'node'))));

function isUsed(name: string): boolean {
  if (used.has(name) || used.has(name.replace(/^@types\//, '')) || OF_A_PLATFORM.test(name)) return true;
  const { bin } = manifestIn(join('node_modules', name));
  const commands = typeof bin === 'string' ? [packageOf(name).split('/').at(-1) ?? ''] : Object.keys(bin);
  const files = [...words].filter((word) => word.startsWith(`node_modules/${name}/`));
  return files.length > 0 || commands.some((command) => words.has(command));
}

describe('packages', () => {
  it('are all imported, run by a script, or hold a font', () => {
    const installed = [own.dependencies, own.devDependencies, own.optionalDependencies].flatMap(Object.keys);
    expect(installed.length).toBeGreaterThan(50);
    expect(installed.filter((name) => !isUsed(name))).toEqual([]);
  });
});
