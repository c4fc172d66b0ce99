import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Imports point downward only. Two steps differ from the first sketch of the design: the contract may use the pure rules of the domain (which
 * currencies exist, which problems there are), and the data layer parses what it reads with the contract's schemas, so that the
 * shape of a resource is stated once.
 */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  'shared/domain': [],
  'shared/runtime': [],
  'shared/contract': ['shared/domain'],
  'shared/tables': ['shared/contract'],
  'shared/data': ['shared/contract', 'shared/domain', 'shared/runtime'],
  'shared/remote': ['shared/domain', 'shared/runtime'],
  'shared/pdf': ['shared/domain'],
  'shared/queue': ['shared/contract', 'shared/data', 'shared/domain', 'shared/runtime', 'shared/tables'],
  'shared/openapi': ['shared/contract', 'shared/domain'],
  'shared/http': ['shared/contract', 'shared/data', 'shared/domain', 'shared/runtime'],
  functions: ['shared/*'],
  infra: [
    'shared/contract',
    'shared/tables',
    'shared/data/table.ts',
    'shared/data/table-definition.ts',
    'shared/runtime/metric-names.ts',
  ],
};

const FREE_LAYERS = ['scripts', 'test'];

const root = resolve(import.meta.dirname, '../..');

const files = ['shared', 'functions', 'infra'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path)),
);

/** The modules of this project that a file imports, types too, as paths from the root. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)]
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => specifier.startsWith('.') || specifier.startsWith('#'))
    .map((specifier) =>
      specifier.startsWith('#') ? specifier.slice(1) : relative(root, resolve(root, dirname(file), specifier)),
    );
}

/** `shared/routes.ts`, `queues.ts` and `schedules.ts` lie beside the layers: they are tables of contract values. */
function layerOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  if (top !== 'shared') return top;
  return second.endsWith('.ts') ? 'shared/tables' : `${top}/${second}`;
}

describe('layers', () => {
  it.each(files)('%s imports from its own layer and those below only', (file) => {
    const layer = layerOf(file);
    const allowed = LAYERS[layer];
    expect(allowed, `${layer} is not a layer`).toBeDefined();
    for (const imported of importsOf(file)) {
      const target = layerOf(imported);
      const isAllowed =
        target === layer ||
        allowed?.includes(target) ||
        allowed?.includes(imported) ||
        (allowed?.includes('shared/*') && target.startsWith('shared/'));
      expect(isAllowed, `${file} imports ${imported}`).toBe(true);
      expect(FREE_LAYERS).not.toContain(target);
    }
  });

  it('has no cycle of imports', () => {
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      if (done.has(file)) return;
      expect(path, [...path, file].join(' -> ')).not.toContain(file);
      for (const imported of importsOf(file)) visit(imported, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
  });

  it('keeps the domain free of clocks, environment and I/O', () => {
    for (const file of files.filter((path) => path.startsWith('shared/domain/'))) {
      const source = readFileSync(join(root, file), 'utf8');
      expect(source, file).not.toMatch(
        /Date\.now|new Date\(\)|process\.|Math\.random|randomUUID|randomBytes|fetch\(|node:(?:fs|net|http|os)/,
      );
    }
  });

  it('spells keys of the table in one module only', () => {
    const keyLiteral = /[`'"](?:ORG|KEY|KEYID|DUE)#|[`'"](?:ORGANIZATIONS|CLAIMING|RELEASING|IMPORTING)[`'"]/;
    for (const file of files.filter((path) => path !== 'shared/data/table.ts' && !path.startsWith('infra/'))) {
      expect(readFileSync(join(root, file), 'utf8'), file).not.toMatch(keyLiteral);
    }
  });
});
