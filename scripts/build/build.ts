import { createHash } from 'node:crypto';
import { on } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { type BuildOptions, build as bundle, type Plugin } from 'esbuild';
import { tellsWebhooks } from '#infra/access.ts';
import { CALLS_FILE } from '#infra/calls.ts';
import { type FunctionDefinition, functionsOf, tables, WARM_UP } from '#infra/functions.ts';
import { COLOUR_PROFILE } from '#shared/pdf/factur-x.ts';
import { fontFiles } from '#shared/pdf/typesetter/font-families.ts';
import { callsOf } from './calls.ts';
import { lateModules } from './late-modules.ts';
import { madePackages, makePackages } from './packages.ts';
import { Sources, type Stamp, sourcesOf } from './stamps.ts';

/**
 * `npm run build`: tells the stacks in `calls.json` what each function calls on AWS, and fills
 * `dist/functions/<area>/<name>/` with all that it needs, where its sources have changed. CommonJS loads faster:
 * get-product in 30 ms, as an ECMAScript module in 40 ms.
 *
 * A parent hears which functions are to be built when the stacks can be synthesized, and which have been built.
 */

const root = join(import.meta.dirname, '../..');

const bundlesFolder = join(root, 'dist', 'functions');

/** In a folder of this name the bundler finds fault with nothing. */
const packagesFolder = join(root, 'dist', 'packages', 'node_modules');

/** By source of a function, what its bundle was made from and what it calls. */
const builtFile = join(root, 'dist', 'built.json');

/** Holds a hash, which differs where the stacks may. */
const planFile = join(root, 'dist', 'plan');

interface Asset {
  readonly from: string;
  readonly to: string;
}

const DRAWING: readonly Asset[] = [...fontFiles, COLOUR_PROFILE].map((file) => ({ from: file, to: file }));

const ASSETS: Readonly<Record<string, readonly Asset[]>> = {
  'get-credit-note-pdf': DRAWING,
  'get-invoice-pdf': DRAWING,
};

/** By the function that loads them when it needs them, by `import()` or in a thread. Each becomes a bundle beside its own. */
const LATE_MODULES: Readonly<Record<string, readonly string[]>> = {
  'get-credit-note-pdf': ['shared/pdf/draw-invoice.ts'],
  'get-health': ['shared/data/table/probe.ts'],
  'get-invoice-pdf': ['shared/pdf/draw-invoice.ts'],
};

/**
 * Of whatever may leave events. Few organizations have webhooks, so it is no part of the bundles; and to bundle it once for
 * each function would take as long as half of them.
 */
const TELLING = { in: 'shared/queue/webhooks.ts', out: join('late', 'webhooks') };

/** They answer files that are made of all contracts (`static-files.ts`). */
const ANSWERING_FILES: ReadonlySet<string> = new Set(['get-docs', 'get-docs-asset', 'get-open-api', 'get-problem']);

const filesSources = () => globSync(['shared/{contract,domain,openapi}/**/*.*', 'shared/routes.ts'], { cwd: root });

/**
 * The SDK imports these only if the environment holds no credentials, or an answer is a stream of events. They were a
 * third of a bundle, and 7 ms of its loading.
 */
const NEVER_LOADED = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/core/event-streams',
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

const toldFile = `${join(bundlesFolder, TELLING.out)}.js`;

const sourceOf = ({ area, name }: FunctionDefinition) => join('functions', area, `${name}.ts`);

const bundleFolderOf = ({ area, name }: FunctionDefinition) => join(bundlesFolder, area, name);

export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  external: NEVER_LOADED,
  // As a module, node:http is read whole, and so loads undici, which nobody needs: 25 ms of a first call.
  supported: { 'dynamic-import': false },
  // pdfkit makes the URL of a file, which it never reads here, but which must be valid.
  define: {
    'import.meta.dirname': '__dirname',
    'import.meta.filename': '__filename',
    'import.meta.url': '"file:///"',
  },
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

async function build(): Promise<void> {
  const functions = functionsOf(tables);
  assertSources(functions);
  const sources = new Sources(root);
  const former = await readBuilt(functions);
  const changed = functions.filter((definition) => !sources.isFresh(former[sourceOf(definition)]));
  const answersHash = sources.stampOf(filesSources()).hash;
  const filesHashOf = ({ name }: FunctionDefinition) => (ANSWERING_FILES.has(name) ? answersHash : sources.commonHash);
  const built: Record<string, Built> = { ...former };
  for (const source of changed.map(sourceOf)) delete built[source];
  for (const definition of functions) await mkdir(bundleFolderOf(definition), { recursive: true });
  // What is interrupted from here on is made again by the next build.
  await writeBuilt(built);
  const [newCalls, app] = await Promise.all([callsOf(withPlugin(optionsFor(changed), sources.asRead)), codeOfStacks()]);
  const callsBy = (definition: FunctionDefinition) =>
    newCalls[definition.name] ?? built[sourceOf(definition)]?.calls ?? [];
  const allCalls = functions.map((definition) => [definition.name, callsBy(definition)]);
  await writePlan(JSON.stringify(Object.fromEntries(allCalls)), app);
  for await (const wanted of batchesOf(changed)) {
    const { metafile } = await bundleWithPackages(optionsFor(wanted), sources);
    await addFiles(wanted.filter((each) => former[sourceOf(each)]?.filesHash !== filesHashOf(each)));
    for (const definition of wanted) {
      const entries = [...entryPointsOf(definition), ...(tellsWebhooks(definition) ? [TELLING] : [])];
      const own = entries.flatMap((entry) => sourcesOf(metafile, entry.in));
      if (tellsWebhooks(definition)) await copyFile(toldFile, join(bundleFolderOf(definition), basename(toldFile)));
      const stamp = sources.stampOf([...own, ...(ANSWERING_FILES.has(definition.name) ? filesSources() : [])]);
      built[sourceOf(definition)] = { ...stamp, filesHash: filesHashOf(definition), calls: callsBy(definition) };
    }
    await writeBuilt(built);
    process.send?.(wanted.map(({ name }) => name));
  }
}

/** All at once, unless a parent names those that it wants, and at last none. */
async function* batchesOf(functions: readonly FunctionDefinition[]): AsyncGenerator<readonly FunctionDefinition[]> {
  if (!process.send) return yield functions;
  const messages = on(process, 'message');
  process.send(functions.map(({ name }) => name));
  const left = new Set(functions);
  for await (const [names] of messages) {
    if (names.length === 0) return;
    const wanted = [...left].filter(({ name }) => names.includes(name));
    for (const definition of wanted) left.delete(definition);
    if (wanted.length > 0) yield wanted;
  }
}

interface Built extends Stamp {
  /** Hash of everything that the files beside the bundle are made from. */
  readonly filesHash: string;
  readonly calls: readonly string[];
}

type AllBuilt = Readonly<Record<string, Built>>;

/** The last builds of functions that still exist and still have their bundles. */
async function readBuilt(functions: readonly FunctionDefinition[]): Promise<AllBuilt> {
  const built: AllBuilt = existsSync(builtFile) ? JSON.parse(await readFile(builtFile, 'utf8')) : {};
  const sources = new Set(functions.filter((definition) => existsSync(bundleFolderOf(definition))).map(sourceOf));
  return Object.fromEntries(Object.entries(built).filter(([source]) => sources.has(source)));
}

async function writeBuilt(built: AllBuilt): Promise<void> {
  await mkdir(dirname(builtFile), { recursive: true });
  await writeFile(`${builtFile}.new`, JSON.stringify(built));
  await rename(`${builtFile}.new`, builtFile);
}

/** Tells the stacks what the functions call, and whether anything that they are made of has changed. */
async function writePlan(calls: string, app: string): Promise<void> {
  await writeFile(join(bundlesFolder, CALLS_FILE), calls);
  const hash = createHash('sha256').update(calls).update(app);
  for (const file of ['cdk.json', 'package-lock.json']) hash.update(await readFile(join(root, file)));
  await writeFile(planFile, hash.digest('hex'));
}

function withPlugin(options: BuildOptions, plugin: Plugin): BuildOptions {
  return { ...options, plugins: [plugin, ...(options.plugins ?? [])] };
}

async function bundleWithPackages(options: BuildOptions, { imports, commonHash, asRead }: Sources) {
  await makePackages(packagesFolder, imports, commonHash, { ...bundleOptions, absWorkingDir: root });
  const bundled = withPlugin(withPlugin(options, madePackages(packagesFolder, imports)), asRead);
  return bundle({ ...bundled, metafile: true });
}

/** The bundles of a function once more, with their maps. */
export async function bundlesWithMaps(functionName: string) {
  const functions = functionsOf(tables).filter(({ name }) => functionName.endsWith(`-${name}`));
  const options = { ...optionsFor(functions), sourcemap: 'external', write: false } as const;
  const { outputFiles = [] } = await bundleWithPackages(options, new Sources(root));
  return outputFiles;
}

async function codeOfStacks(): Promise<string> {
  const entryPoints = [join(root, 'infra', 'app.ts')];
  const { outputFiles } = await bundle({
    ...bundleOptions,
    format: 'esm',
    entryPoints,
    packages: 'external',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join();
}

function assertSources(functions: readonly FunctionDefinition[]): void {
  const missing = functions.map(sourceOf).filter((source) => !existsSync(join(root, source)));
  if (missing.length > 0) throw new Error(`The tables name functions without a source: ${missing.join(', ')}`);
}

function optionsFor(functions: readonly FunctionDefinition[]): BuildOptions {
  return {
    ...bundleOptions,
    absWorkingDir: root,
    entryPoints: [...functions.flatMap(entryPointsOf), ...(functions.some(tellsWebhooks) ? [TELLING] : [])],
    outdir: bundlesFolder,
    plugins: [lateModules],
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

async function addFiles(functions: readonly FunctionDefinition[]): Promise<void> {
  const files = functions.some(({ name }) => ANSWERING_FILES.has(name)) ? await makeStaticFiles() : {};
  for (const definition of functions) {
    const folder = bundleFolderOf(definition);
    await rm(join(folder, 'assets'), { recursive: true, force: true });
    await writeFile(join(folder, 'package.json'), COMMONJS_PACKAGE);
    await writeFile(join(folder, 'start.mjs'), START);
    for (const { from, to } of ASSETS[definition.name] ?? [])
      await copyFile(join(root, 'node_modules', from), await placeOf(folder, to));
    for (const [name, content] of Object.entries(files[definition.name] ?? {}))
      await writeFile(await placeOf(folder, `${name}.gz`), await gzipped(content));
  }
}

/** Loads all contracts, which most builds can do without. */
async function makeStaticFiles() {
  return (await import('./static-files.ts')).staticFiles();
}

async function placeOf(folder: string, asset: string): Promise<string> {
  const place = join(folder, 'assets', asset);
  await mkdir(dirname(place), { recursive: true });
  return place;
}

const compress = promisify(gzip);

async function gzipped(content: string): Promise<Buffer> {
  return compress(content, { level: constants.Z_BEST_COMPRESSION });
}

if (import.meta.main) {
  // Without its parent, nobody holds the lock of the folder.
  process.once('disconnect', () => process.exit());
  // For the bundler, which ends with the build: to collect its garbage was a quarter of its work.
  process.env.GOGC = 'off';
  // The bundler has already shown where it failed.
  await build().catch((error: Error) => {
    if (!('errors' in error)) console.error(error.message);
    process.exitCode = 1;
  });
  if (process.connected) process.disconnect();
}
