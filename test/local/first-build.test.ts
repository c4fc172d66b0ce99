import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copySources } from '#scripts/bench/light.ts';
import { temporaryFolder } from '#test/support/fixture-app/cloud.ts';

const BUILD_MILLISECONDS = 90_000;

const ALL_BUILT = 'All functions are built.';

let folder = '';

beforeAll(async () => {
  folder = await temporaryFolder();
  await copySources(folder);
});

afterAll(() => rm(folder, { recursive: true }));

function start() {
  const child = spawn(process.execPath, [join(folder, 'scripts/start/start.ts')], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said.output += chunk;
    });
  }
  const told = (words: string) => expect.poll(() => said.output, { timeout: BUILD_MILLISECONDS }).toContain(words);
  const health = async () => (await fetch(`${/http:\S+:\d+/.exec(said.output)?.[0]}/health`)).status;
  return { child, said, told, health };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

describe('npm start', { timeout: 2 * BUILD_MILLISECONDS }, () => {
  it('answers while functions are still built, and goes on with a build that was killed', async () => {
    const first = start();
    await first.told('ready at');
    expect(await first.health()).toBe(200);
    expect(first.said.output).not.toContain(ALL_BUILT);
    await end(first.child, 'SIGKILL');

    const second = start();
    await second.told('Building the functions.');
    await second.told(ALL_BUILT);
    expect(await second.health()).toBe(200);
    await end(second.child, 'SIGTERM');

    const third = start();
    await third.told('ready at');
    expect(third.said.output).not.toContain('Building');
    await end(third.child, 'SIGTERM');
  });
});
