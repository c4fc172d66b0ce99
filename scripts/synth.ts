import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Stage } from '#infra/config.ts';
import { waitForLock } from './file-lock.ts';
import { runProgram } from './run-program.ts';

/**
 * Keeps the synthesized stacks fresh. `dist/synthesized` holds the hash of their sources, and is written last:
 * interrupted work is done again.
 */

const root = dirname(import.meta.dirname);
const assembly = join(root, 'cdk.out');
const dist = join(root, 'dist');
const hashPath = join(dist, 'synthesized');
/** Made by the build. `plannedPath` is what it was when the stacks were synthesized. */
const planPath = join(dist, 'plan');
const plannedPath = join(dist, 'planned');
const lockPath = join(dist, 'synthesis-lock.db');

/** All that the assembly is made from. The lock file stands for every package. */
const SOURCES = ['infra', 'functions', 'shared', 'scripts/build', 'package-lock.json', 'cdk.json'];

/** As the CDK command line. The first tells the local cloud where the code of a function lies. */
const CLI_CONTEXT = { 'aws:cdk:enable-asset-metadata': true, 'aws:cdk:enable-path-metadata': true };

/**
 * The local cloud takes bundles from where they were built, and `npm run synth` and a deployment also ask the rules of
 * CloudFormation, which takes longer than all else.
 */
const LOCAL_CONTEXT = { 'aws:cdk:disable-asset-staging': true, '@aws-cdk/core:validateAgainstDefaultRules': false };

const cdkJson = v.object({ context: v.record(v.string(), v.unknown()) });

/** @param tell hears of each step that takes seconds */
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

/** Another one than before if the stacks may have changed. */
export const synthesizedPlan = (): Promise<string> => readFile(plannedPath, 'utf8').catch(() => '');

/** In a folder of its own, because a local cloud may start from the other one. */
export async function synthesizeStage(stage: Stage): Promise<string> {
  await ensureSynthesized();
  const folder = join(dist, 'stages', stage);
  await rm(folder, { recursive: true, force: true });
  await runApp(folder, { ...(await contextOf(stage)), ...CLI_CONTEXT });
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
  await runProgram('The functions cannot be built.', join(root, 'scripts', 'build', 'build.ts'));
  if (!(await isPlanned())) {
    tell('Synthesizing the stacks ...');
    await rm(plannedPath, { force: true });
    await rm(assembly, { recursive: true, force: true });
    await runApp(assembly, { ...(await contextOf()), ...CLI_CONTEXT, ...LOCAL_CONTEXT });
    await copyFile(planPath, plannedPath);
  }
  await writeFile(`${hashPath}.new`, hash);
  await rename(`${hashPath}.new`, hashPath);
}

async function isPlanned(): Promise<boolean> {
  return (
    existsSync(join(assembly, 'manifest.json')) && (await synthesizedPlan()) === (await readFile(planPath, 'utf8'))
  );
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

export async function contextOf(stage?: Stage): Promise<Readonly<Record<string, unknown>>> {
  const { context } = v.parse(cdkJson, JSON.parse(await readFile(join(root, 'cdk.json'), 'utf8')));
  return { ...context, ...(stage && { stage }) };
}

/** Avoids the command line of CDK, which saves a second. */
function runApp(folder: string, context: object): Promise<void> {
  const env = { CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context) };
  return runProgram('The stacks cannot be synthesized.', join(root, 'infra', 'app.ts'), env);
}
