import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build as bundle } from 'esbuild';
import { CALLS_FILE } from '#infra/calls.ts';
import { type FunctionDefinition, functionsOf, tables, WARM_UP } from '#infra/functions.ts';
import { fontFiles } from '#shared/pdf/font-families.ts';
import { callsOf } from './calls.ts';
import { lateModules, nativeBrotli } from './late-modules.ts';
import { pureContracts } from './pure-contracts.ts';
import { gzipped, staticFiles } from './static-files.ts';

/**
 * `npm run build`: fills `dist/functions/<area>/<name>/` with all that a function needs, and tells the stacks in
 * `calls.json` what each calls on AWS. CommonJS loads faster: get-product in 30 ms, as an ECMAScript module in 40 ms.
 */

const root = join(import.meta.dirname, '../..');

const bundlesFolder = join(root, 'dist', 'functions');

interface Asset {
  readonly from: string;
  readonly to: string;
}

const ASSETS: Readonly<Record<string, readonly Asset[]>> = {
  'get-invoice-pdf': fontFiles.map((file) => ({ from: file, to: file })),
};

/** By the function that loads them with `import()`, when it needs them. Each becomes a bundle beside its own. */
const LATE_MODULES: Readonly<Record<string, readonly string[]>> = {
  'get-health': ['shared/data/table/probe.ts'],
  'get-invoice-pdf': ['shared/pdf/draw-invoice.ts'],
};

/**
 * The SDK imports these only if the environment holds no credentials. They were a third of a bundle, and 7 ms of its
 * loading.
 */
const NEVER_LOADED = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/credential-provider-imds',
];

/** The project's own package.json says `module`, which would apply to the bundles too. */
const COMMONJS_PACKAGE = `${JSON.stringify({ type: 'commonjs' })}\n`;

/** Lambda waits for the top level of a module while it starts a function, with a whole processor at any size of memory. */
const START = `import bundle from './index.js';
await bundle.handler.prepare?.();
export const handler = async (event, context) =>
  event === ${JSON.stringify(WARM_UP)} ? undefined : bundle.handler(event, context);
`;

const sourceOf = ({ area, name }: FunctionDefinition) => join('functions', area, `${name}.ts`);

const bundleFolderOf = ({ area, name }: FunctionDefinition) => join(bundlesFolder, area, name);

export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  external: NEVER_LOADED,
  // pdfkit finds a colour profile, which we do not use, by a URL that must be valid.
  define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '"file:///"' },
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

export async function build(): Promise<void> {
  const functions = functionsOf(tables);
  assertSources(functions);
  await rm(bundlesFolder, { recursive: true, force: true });
  const options = optionsFor(functions);
  await bundle(options);
  await writeFile(join(bundlesFolder, CALLS_FILE), JSON.stringify(await callsOf(options)));
  const files = await staticFiles();
  await Promise.all(functions.map((definition) => addFiles(definition, files[definition.name] ?? {})));
}

function assertSources(functions: readonly FunctionDefinition[]): void {
  const missing = functions.map(sourceOf).filter((source) => !existsSync(join(root, source)));
  if (missing.length > 0) throw new Error(`The tables name functions without a source: ${missing.join(', ')}`);
}

function optionsFor(functions: readonly FunctionDefinition[]): BuildOptions {
  return {
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: functions.flatMap(entryPointsOf),
    outdir: bundlesFolder,
    plugins: [pureContracts, lateModules, nativeBrotli],
  };
}

function entryPointsOf(definition: FunctionDefinition): { in: string; out: string }[] {
  const folder = join(definition.area, definition.name);
  const late = LATE_MODULES[definition.name] ?? [];
  return [
    { in: sourceOf(definition), out: join(folder, 'index') },
    ...late.map((module) => ({ in: module, out: join(folder, basename(module, '.ts')) })),
  ];
}

async function addFiles(definition: FunctionDefinition, files: Readonly<Record<string, string>>): Promise<void> {
  const folder = bundleFolderOf(definition);
  await writeFile(join(folder, 'package.json'), COMMONJS_PACKAGE);
  await writeFile(join(folder, 'start.mjs'), START);
  for (const { from, to } of ASSETS[definition.name] ?? [])
    await copyFile(join(root, 'node_modules', from), await placeOf(folder, to));
  for (const [name, content] of Object.entries(files))
    await writeFile(await placeOf(folder, `${name}.gz`), await gzipped(content));
}

async function placeOf(folder: string, asset: string): Promise<string> {
  const place = join(folder, 'assets', asset);
  await mkdir(dirname(place), { recursive: true });
  return place;
}

if (import.meta.main) await build();
