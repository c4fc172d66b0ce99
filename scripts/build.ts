import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type BuildOptions, build as bundle } from 'esbuild';
import { type FunctionDefinition, functionsOf, tables } from '#infra/functions.ts';
import { pureContracts } from './pure-contracts.ts';

/**
 * `npm run build`: one esbuild run over all entry points; `dist/functions/<folder>/<name>/` is then all that the function needs.
 *
 * The bundles are CommonJS. Loaded by 25 fresh processes, get-product took 26 ms at best and 30 in the middle, and 37 and 40 as an ECMAScript
 * module, which Node resolves asynchronously. The packages are taken from their ECMAScript sources all the same (`mainFields`), since only
 * those can be shaken.
 */

const root = dirname(import.meta.dirname);

const require = createRequire(import.meta.url);

export const bundlesFolder = join(root, 'dist', 'functions');

/** Files that a function reads beside its bundle, by the function's name; the module of each goes to `assets/`. */
const ASSETS: Readonly<Record<string, readonly string[]>> = {
  'get-docs-asset': ['swagger-ui-dist/swagger-ui-bundle.js', 'swagger-ui-dist/swagger-ui.css'],
};

/**
 * The SDK imports these, dynamically, only where the environment holds no credentials, and Lambda always sets them. They were a third of a
 * bundle (400 KB instead of 268) and 7 ms of its loading.
 */
const NEVER_LOADED = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/** The project's own package.json says `module`, which would hold for the bundles too. */
const COMMONJS_PACKAGE = `${JSON.stringify({ type: 'commonjs' })}\n`;

const sourceOf = ({ folder, name }: FunctionDefinition) => join('functions', folder, `${name}.ts`);

const bundleFolderOf = ({ folder, name }: FunctionDefinition) => join(bundlesFolder, folder, name);

/** How every bundle is made; the benchmark makes the one that it compares them with likewise. */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  external: NEVER_LOADED,
  define: { 'import.meta.dirname': '__dirname' },
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

export async function build(): Promise<void> {
  const functions = functionsOf(tables);
  assertSources(functions);
  await rm(bundlesFolder, { recursive: true, force: true });
  await bundleAll(functions);
  await Promise.all(functions.map(addFiles));
}

function assertSources(functions: readonly FunctionDefinition[]): void {
  const missing = functions.map(sourceOf).filter((source) => !existsSync(join(root, source)));
  if (missing.length > 0) throw new Error(`The tables name functions without a source: ${missing.join(', ')}`);
}

async function bundleAll(functions: readonly FunctionDefinition[]): Promise<void> {
  await bundle({
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: functions.map((definition) => ({
      in: sourceOf(definition),
      out: join(definition.folder, definition.name, 'index'),
    })),
    outdir: bundlesFolder,
    plugins: [pureContracts],
  });
}

async function addFiles(definition: FunctionDefinition): Promise<void> {
  const folder = bundleFolderOf(definition);
  await writeFile(join(folder, 'package.json'), COMMONJS_PACKAGE);
  const assets = ASSETS[definition.name] ?? [];
  if (assets.length === 0) return;
  await mkdir(join(folder, 'assets'));
  await Promise.all(
    assets.map((asset) =>
      copyFile(require.resolve(asset), join(folder, 'assets', asset.slice(asset.indexOf('/') + 1))),
    ),
  );
}

if (import.meta.main) await build();
