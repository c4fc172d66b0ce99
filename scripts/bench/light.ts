import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { filledPath, parameterNames } from '#shared/contract/endpoint.ts';
import { getHealth } from '#shared/contract/meta/get-health.ts';
import { routes } from '#shared/routes.ts';
import { markdownTable } from './markdown.ts';
import { proportionalMegabytes } from './process-memory.ts';
import { medianOf } from './statistics.ts';

/** How much memory `npm start` takes, and how long a developer waits, in a copy of the repository. */

const FULL = { rounds: 5, idleSeconds: 120 };
const SAMPLE = { rounds: 1, idleSeconds: 1 };

const root = dirname(dirname(import.meta.dirname));

const COPIED = ['cdk.json', 'functions', 'infra', 'package.json', 'package-lock.json', 'scripts', 'shared'];

const EDITED_FUNCTION = 'functions/meta/get-health.ts';
/** Of the bundles of all functions. */
const EDITED_RULE = 'shared/domain/money.ts';

const UNIT_TEST = 'test/domain/money.test.ts';
const COPIED_FOR_TESTS = ['test', 'tsconfig.json', 'vitest.config.ts'];

/** @returns Markdown */
export async function measureLight(isSample: boolean): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'billwright-light-'));
  try {
    await copySources(folder);
    return await measureIn(folder, isSample ? SAMPLE : FULL);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** All that a start needs, to be edited. */
export async function copySources(folder: string): Promise<void> {
  await copy(COPIED, folder);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
}

async function copy(names: readonly string[], folder: string): Promise<void> {
  for (const name of names) await cp(join(root, name), join(folder, name), { recursive: true });
}

async function measureIn(folder: string, { rounds, idleSeconds }: typeof FULL): Promise<string> {
  const first = await start(folder);
  const afterBuild = megabytesOf(first);
  await callAll(first);
  const afterAll = megabytesOf(first);
  await sleep(idleSeconds * 1_000);
  const idle = megabytesOf(first);
  await end(first);
  const again = await start(folder);
  const atStart = megabytesOf(again);
  await end(again);
  const seconds: [what: string, seconds: number][] = [
    ['first start, with nothing built', first.seconds],
    ['restart without a change', again.seconds],
  ];
  for (const file of [EDITED_FUNCTION, EDITED_RULE])
    seconds.push([`restart after a change of \`${file}\``, await restartSeconds(folder, file, rounds)]);
  seconds.push(
    ['an edit of a function that `npm run dev` serves', await editSeconds(folder, rounds)],
    [`\`vitest run ${UNIT_TEST}\` after a change of \`${EDITED_RULE}\``, await testSeconds(folder, rounds)],
  );
  return [
    'Memory of all processes of `npm start`: proportional, so that what they share counts once.',
    markdownTable(
      ['', 'MB'],
      [
        ['at start', atStart],
        ['after the first build', afterBuild],
        [`after a call of each of the ${routes.length} endpoints`, afterAll],
        [`idle for ${idleSeconds} s`, idle],
      ],
    ),
    `Until the changed code has answered, or its test has passed, medians of ${rounds}.`,
    markdownTable(
      ['', 's'],
      seconds.map(([what, value]) => [what, value.toFixed(2)]),
    ),
  ].join('\n\n');
}

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
  readonly apiKey: string;
  /** Until it has answered. */
  readonly seconds: number;
}

async function start(folder: string, ...parameters: string[]): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(folder, 'scripts', 'start', 'start.ts'), ...parameters], {
    cwd: folder,
    env: { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const ended = endOf(child);
  while (!output.includes('access token')) await Promise.race([once(child.stdout, 'data'), ended]);
  const [url = ''] = /http:\/\/localhost:\d+/.exec(output) ?? [];
  const [apiKey = ''] = /bw_[\w-]+/.exec(output) ?? [];
  await fetch(url + getHealth.path);
  const seconds = (performance.now() - startedAt) / 1_000;
  const isBuilt = () => !output.includes('Building') || output.includes('All functions are built');
  while (!isBuilt()) await Promise.race([once(child.stdout, 'data'), ended]);
  return { child, url, apiKey, seconds };
}

async function endOf(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('The service has ended.');
}

async function end({ child }: Started): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const megabytesOf = ({ child: { pid = 0 } }: Started): string => proportionalMegabytes(pid).toFixed(0);

/** Of nothing that exists, or without what they need: a refusal has loaded a function as well. */
async function callAll({ url, apiKey }: Started): Promise<void> {
  for (const { method, path } of routes) {
    const params = Object.fromEntries(
      parameterNames(path).map((name) => [name, '00000000-0000-7000-8000-000000000000']),
    );
    const body = method === 'GET' ? undefined : '{}';
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(url + filledPath(path, params), { method, headers, body });
    if (response.status >= 500) throw new Error(`${method} ${path} answered ${response.status}.`);
    await response.text();
  }
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')));
}

const addExport = (file: string) => edit(file, (text) => `${text}\nexport const added${text.length} = 1;\n`);

function restartSeconds(folder: string, file: string, rounds: number): Promise<number> {
  return medianOf(rounds, async () => {
    await addExport(join(folder, file));
    const started = await start(folder);
    await end(started);
    return started.seconds;
  });
}

async function editSeconds(folder: string, rounds: number): Promise<number> {
  const watching = await start(folder, '--watch');
  const seconds = await medianOf(rounds, async (round) => {
    const detail = `Edit ${round}.`;
    const line = `throw new Problem('temporarily_unavailable', { detail: '${detail}' });`;
    const savedAt = performance.now();
    await edit(join(folder, EDITED_FUNCTION), (text) => text.replace(/(?<=^ {2})(if|throw) .*/m, line));
    while (!(await answerOf(watching)).includes(detail)) await sleep(10);
    return (performance.now() - savedAt) / 1_000;
  });
  await end(watching);
  return seconds;
}

async function testSeconds(folder: string, rounds: number): Promise<number> {
  await copy(COPIED_FOR_TESTS, folder);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  return medianOf(rounds, async () => {
    const savedAt = performance.now();
    await addExport(join(folder, EDITED_RULE));
    await promisify(execFile)(process.execPath, [vitest, 'run', UNIT_TEST], { cwd: folder });
    return (performance.now() - savedAt) / 1_000;
  });
}

async function answerOf({ url }: Started): Promise<string> {
  return (await fetch(url + getHealth.path)).text();
}
