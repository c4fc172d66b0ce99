import { expect, it } from 'vitest';
import { importedModule, modulesIn, sourceOf } from './modules.ts';

/** The formatter leaves one way to write each of these. */

/** Lambda and Vitest call by their names what these export, and the last is in a file that the build writes. */
const CALLED_BY_NAME =
  /^(?:functions|test\/support\/fixture-app\/handlers)\/|^test\/support\/global-setup\.ts |^scripts\/build\/build\.ts handler$/;

/** `export const a`, and of a face, `export { a, type B } from '...'`. */
const EXPORTED = /^export (?:async )?(?:(const|function\*?|class|interface|type) (?:\{ )?(\w+)|\{([^}]*)\} from)/gm;

/** `import { a, type B as C } from '...'`, `export { a } from '...'` and `const { a } = await import('...')`. */
const IMPORTED_BY_NAME = /\{([^{}]*)\} (?:from |= await import\()'([^']+)'/g;

/** `import * as a from '...'`, `import a from '...'`, `import '...'`, and `import('...')` as a value or a type. */
const IMPORTED_AS_A_WHOLE = /(?:^import (?:(?:\* as )?\w+ from )?|(?<!\} = await )import\()'([^']+)'/gm;

/** The names that `a, type B, c as d` has in the other module. */
const namesIn = (list: string): string[] =>
  list.split(',').flatMap((name) => /^\s*(?:type )?(\w+)/.exec(name)?.[1] ?? []);

/** The names that a module exports, but for types that it uses itself: these describe what else it exports. */
function exportsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*\*.*?\*\//gs, '');
  return [...source.matchAll(EXPORTED)].flatMap(([, kind = '', name = '', passedOn]) => {
    if (passedOn !== undefined) return namesIn(passedOn);
    const isType = kind === 'interface' || kind === 'type';
    return isType && code.split(new RegExp(`\\b${name}\\b`)).length > 2 ? [] : [name];
  });
}

it('exports are all imported by another module', () => {
  const sources = modulesIn(['shared', 'functions', 'infra', 'scripts', 'test']).map(
    (file) => [file, sourceOf(file)] as const,
  );
  const imported = new Set(
    sources.flatMap(([file, source]) => [
      ...[...source.matchAll(IMPORTED_BY_NAME)].flatMap(([, list = '', from = '']) =>
        namesIn(list).map((name) => `${importedModule(file, from)} ${name}`),
      ),
      ...[...source.matchAll(IMPORTED_AS_A_WHOLE)].map(([, from = '']) => importedModule(file, from)),
    ]),
  );
  const unused = sources
    .filter(([file]) => !imported.has(file))
    .flatMap(([file, source]) => exportsOf(source).map((name) => `${file} ${name}`))
    .filter((each) => !imported.has(each) && !CALLED_BY_NAME.test(each));
  expect(unused).toEqual([]);
});
