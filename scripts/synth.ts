import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Stage } from '#infra/config.ts';
import { build } from './build/build.ts';
import { waitForLock } from './file-lock.ts';

/**
 * Keeps the synthesized stacks fresh, from which `npm start` and the tests boot. If no source has changed,
 * nothing is built. The hash of the sources in `dist/synthesized` tells that. It is written last:
 * interrupted work is done again.
 */

const root = dirname(import.meta.dirname);
const assembly = join(root, 'cdk.out');
const dist = join(root, 'dist');
const hashPath = join(dist, 'synthesized');
const lockPath = join(dist, 'synthesis-lock.db');

/** All that the assembly is made from. The lock file stands for every package. */
const SOURCES = ['infra', 'functions', 'shared', 'scripts/build', 'package-lock.json', 'cdk.json'];

const MILLISECONDS_PER_DAY = 86_400_000;

/**
 * The CDK command line sets these besides what cdk.json says. The local cloud needs the first to find
 * the code of a function.
 */
const CLI_CONTEXT = { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true };

const cdkJson = v.object({ context: v.record(v.string(), v.unknown()) });

/**
 * The folder of a cloud assembly that is up to date with the sources.
 *
 * @param tell hears of each step that takes seconds
 */
export async function ensureSynthesized(tell: (step: string) => void = () => {}): Promise<string> {
  if (await isFresh()) return assembly;
  await mkdir(dist, { recursive: true });
  // Two processes must not build into one folder.
  const lock = await waitForLock(lockPath, () => console.error('Waiting for another build of the stacks to end.'));
  try {
    if (!(await isFresh())) await synthesize(tell);
  } finally {
    lock.release();
  }
  return assembly;
}

/**
 * The cloud assembly of a stage. It gets a folder of its own, because the local cloud may run from the
 * other folder meanwhile.
 */
export async function synthesizeStage(stage: Stage): Promise<string> {
  await ensureSynthesized();
  const folder = join(dist, 'stages', stage);
  await rm(folder, { recursive: true, force: true });
  await runApp(folder, { stage });
  return folder;
}

async function isFresh(): Promise<boolean> {
  if (!existsSync(hashPath) || !existsSync(join(assembly, 'manifest.json'))) return false;
  const [synthesized, current] = await Promise.all([readFile(hashPath, 'utf8'), hashSources()]);
  return synthesized === current;
}

/** Takes the hash before the build: if a source changes meanwhile, the next call builds again. */
async function synthesize(tell: (step: string) => void): Promise<void> {
  const hash = await hashSources();
  await rm(hashPath, { force: true });
  tell('Building the functions. That is done once, and again after a change of the sources ...');
  await build();
  tell('Synthesizing the stacks ...');
  await runApp(assembly);
  await removeStaleAssets();
  await writeFile(`${hashPath}.new`, hash);
  await rename(`${hashPath}.new`, hashPath);
}

async function hashSources(): Promise<string> {
  const files = (await Promise.all(SOURCES.map(filesOf))).flat().sort();
  const contents = await Promise.all(files.map((file) => readFile(join(root, file))));
  const hash = createHash('sha256');
  for (const [position, file] of files.entries()) {
    const content = contents[position] ?? '';
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

async function filesOf(source: string): Promise<string[]> {
  if (/\.\w+$/.test(source)) return [source];
  const entries = await readdir(join(root, source), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

/**
 * Does what `cdk synth` does, without loading the command line, which saves a second. Findings and errors go
 * to its standard error.
 */
async function runApp(folder: string, stageContext: Readonly<Record<string, string>> = {}): Promise<void> {
  const { context } = v.parse(cdkJson, JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')));
  const child = spawn(process.execPath, [join(root, 'infra', 'app.ts')], {
    cwd: root,
    env: {
      ...process.env,
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...CLI_CONTEXT, ...stageContext }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const output: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0) throw new Error(`The stacks cannot be synthesized.\n${Buffer.concat(output).toString()}`);
}

/**
 * CDK leaves the bundles of earlier syntheses behind. This keeps those of the last day, because a running local
 * cloud may still load them.
 */
async function removeStaleAssets(): Promise<void> {
  const entries = await readdir(assembly);
  const manifests = entries.filter((entry) => entry.endsWith('.assets.json'));
  const used = (await Promise.all(manifests.map((manifest) => readFile(join(assembly, manifest), 'utf8')))).join();
  const unused = entries.filter((entry) => entry.startsWith('asset.') && !used.includes(entry));
  for (const folder of unused.map((entry) => join(assembly, entry))) {
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > MILLISECONDS_PER_DAY) await rm(folder, { recursive: true, force: true });
  }
}
