import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copySources } from '#scripts/bench/light.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';
import { allOf, startProgram } from '#test/support/programs.ts';

const BUILD_MILLISECONDS = 90_000;

const ALL_BUILT = 'All functions are built.';

const folder = await folderOfFile();
await copySources(folder);

function start() {
  const script = join(folder, 'scripts/start/start.ts');
  const running = startProgram(process.execPath, [script], { DATA_DIR: join(folder, 'data'), PORT: '0' }, folder);
  const output = () => allOf(running);
  const told = (words: string) => expect.poll(output, { timeout: BUILD_MILLISECONDS }).toContain(words);
  const health = async () => (await fetch(`${/http:\S+:\d+/.exec(output())?.[0]}/health`)).status;
  const end = async (signal: NodeJS.Signals) => {
    running.child.kill(signal);
    await running.ended;
  };
  return { output, told, health, end };
}

describe('npm start', { timeout: 2 * BUILD_MILLISECONDS }, () => {
  it('answers while functions are still built, and goes on with a build that was killed', async () => {
    const first = start();
    await first.told('ready at');
    expect(await first.health()).toBe(200);
    expect(first.output()).not.toContain(ALL_BUILT);
    await first.end('SIGKILL');

    const second = start();
    await second.told('Building the functions.');
    await second.told(ALL_BUILT);
    expect(await second.health()).toBe(200);
    await second.end('SIGTERM');

    const third = start();
    await third.told('ready at');
    expect(third.output()).not.toContain('Building');
    await third.end('SIGTERM');
  });
});
