import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import type { Stage } from '#infra/config.ts';
import { type FileLock, waitForLock } from './file-lock.ts';
import { runProgram, startProgram } from './run-program.ts';

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

/** The local cloud takes bundles from where they were built. */
const LOCAL_CONTEXT = { 'aws:cdk:disable-asset-staging': true };

/** `npm run synth`, a deployment and tests ask the rules of CDK and cdk-nag, which takes longer than all else. */
const WITHOUT_RULES = { CDK_VALIDATION: 'false' };

const cdkJson = v.object({ context: v.record(v.string(), v.unknown()) });

/** @param tell hears of each step that takes a while */
export async function ensureSynthesized(tell?: Tell): Promise<string> {
  const { finish } = await beginSynthesis(tell, true);
  await finish();
  return assembly;
}

export type Step = 'functions' | 'stacks';

type Tell = (step: Step) => void;

/** The stacks are there, while functions may still be built. */
export interface Synthesis {
  readonly assembly: string;
  /** Missing if all bundles are there. Until that of the function is. @throws ProgramError */
  readonly bundled?: (functionName: string) => Promise<void>;
  /** Builds all other functions. @throws ProgramError */
  readonly finish: () => Promise<void>;
}

const NOTHING_TO_DO: Synthesis = { assembly, finish: async () => {} };

/** @param needsAll builds all functions beside the stacks, not only those that somebody waits for */
export async function beginSynthesis(tell: Tell = () => {}, needsAll = false): Promise<Synthesis> {
  if (await isFresh()) return NOTHING_TO_DO;
  await mkdir(dist, { recursive: true });
  // Two processes must not build into one folder.
  const lock = await waitForLock(lockPath, () => console.error('Waiting for another build of the stacks to end.'));
  try {
    if (!(await isFresh())) return await synthesize(tell, lock, needsAll);
  } catch (error) {
    lock.release();
    throw error;
  }
  lock.release();
  return NOTHING_TO_DO;
}

/** Another one than before if the stacks may have changed. */
const synthesizedPlan = (): Promise<string> => readFile(plannedPath, 'utf8').catch(() => '');

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
async function synthesize(tell: Tell, lock: FileLock, needsAll: boolean): Promise<Synthesis> {
  const hash = await hashSources();
  await rm(hashPath, { force: true });
  tell('functions');
  const build = new Build();
  try {
    await build.planned();
    if (needsAll) build.finish().catch(() => {});
    if (!(await isPlanned())) await runPlan(tell);
  } catch (error) {
    build.abandon();
    throw error;
  }
  const finish = async () => {
    try {
      await build.finish();
      await writeFile(`${hashPath}.new`, hash);
      await rename(`${hashPath}.new`, hashPath);
    } finally {
      lock.release();
    }
  };
  return { assembly, bundled: (functionName) => build.bundled([functionName]), finish };
}

async function runPlan(tell: Tell): Promise<void> {
  tell('stacks');
  await rm(plannedPath, { force: true });
  await rm(assembly, { recursive: true, force: true });
  await runApp(assembly, { ...(await contextOf()), ...CLI_CONTEXT, ...LOCAL_CONTEXT }, WITHOUT_RULES);
  await copyFile(planPath, plannedPath);
}

/** Few enough that a function which somebody waits for is soon built. */
const BATCH = 20;

/** A build that goes on in a process of its own. An interrupt from the keyboard is for its parent, without which it ends. */
class Build {
  readonly #program = startProgram(
    'The functions cannot be built.',
    join(root, 'scripts', 'build', 'build.ts'),
    {},
    true,
  );
  readonly #left = new Map<string, PromiseWithResolvers<void>>();
  readonly #planned = Promise.withResolvers<void>();
  #finished: Promise<void> | undefined;

  constructor() {
    const { process: child, ended } = this.#program;
    child.once('message', (names) => {
      for (const name of v.parse(functionNames, names)) this.#left.set(name, Promise.withResolvers());
      this.#planned.resolve();
      child.on('message', (built) => this.#end(v.parse(functionNames, built)));
    });
    // Whoever waits for something hears of the failure.
    ended.catch(() => {});
  }

  /** Until the stacks can be synthesized. */
  planned(): Promise<void> {
    return Promise.race([this.#planned.promise, this.#program.ended]);
  }

  async bundled(names: readonly string[]): Promise<void> {
    const awaited = names.flatMap((name) => this.#left.get(name)?.promise ?? []);
    if (awaited.length === 0) return;
    this.#send(names);
    await Promise.race([Promise.all(awaited), this.#program.ended]);
  }

  finish(): Promise<void> {
    this.#finished ??= this.#buildLeft();
    return this.#finished;
  }

  async #buildLeft(): Promise<void> {
    const { process: child, ended } = this.#program;
    while (this.#left.size > 0 && child.connected) await this.bundled([...this.#left.keys()].slice(0, BATCH));
    this.#send([]);
    await ended;
  }

  abandon(): void {
    if (this.#program.process.connected) this.#program.process.disconnect();
  }

  /** That it has ended meanwhile is told by `ended`. */
  #send(names: readonly string[]): void {
    if (this.#program.process.connected) this.#program.process.send(names, () => {});
  }

  #end(names: readonly string[]): void {
    for (const name of names) {
      this.#left.get(name)?.resolve();
      this.#left.delete(name);
    }
  }
}

const functionNames = v.array(v.string());

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
function runApp(folder: string, context: object, settings: Readonly<Record<string, string>> = {}): Promise<void> {
  const env = { ...settings, CDK_OUTDIR: folder, CDK_CONTEXT_JSON: JSON.stringify(context) };
  return runProgram('The stacks cannot be synthesized.', join(root, 'infra', 'app.ts'), env);
}
