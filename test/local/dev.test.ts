import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copySources } from '#scripts/bench/light.ts';
import { Client } from '#test/support/client.ts';
import { temporaryFolder } from '#test/support/fixture-app/cloud.ts';

/** On a busy machine. */
const BUILD_MILLISECONDS = 60_000;

let folder = '';
let output = '';
let end = async () => {};

/** As an editor that replaces the file. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(join(folder, 'edited'), text.replace(from, to));
  await rename(join(folder, 'edited'), path);
}

const told = (words: string | RegExp) => expect.poll(() => output, { timeout: BUILD_MILLISECONDS }).toMatch(words);

beforeAll(async () => {
  folder = await temporaryFolder();
  await copySources(folder);
  const child = spawn(process.execPath, [join(folder, 'scripts/start/start.ts'), '--watch'], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  end = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
});

afterAll(async () => {
  await end();
  await rm(folder, { recursive: true });
});

describe('npm run dev', () => {
  const HANDLER = 'functions/meta/get-health.ts';
  const RIGHT = "return { status: 'ok' as const };";
  const WRONG = "throw new RangeError('Broken on purpose.');";

  it('answers with new code and new stacks, on the same data', { timeout: 3 * BUILD_MILLISECONDS }, async () => {
    await told('with the access token');
    const [, url = ''] = /ready at (http:\S+)/.exec(output) ?? [];
    const [apiKey = ''] = /bw_[\w-]+/.exec(output) ?? [];
    const answers = (path: string, status: number) =>
      expect
        .poll(async () => (await fetch(url + path).catch(() => undefined))?.status, { timeout: BUILD_MILLISECONDS })
        .toBe(status);

    await edit(HANDLER, RIGHT, WRONG);
    await answers('/health', 500);
    await told(/^billwright-get-health: RangeError: Broken on purpose\.\n +at /m);
    await edit(HANDLER, WRONG, 'return ((');
    await told(/^The functions cannot be built\. .*Unexpected/m);
    await answers('/health', 500);
    await edit(HANDLER, 'return ((', RIGHT);
    await answers('/health', 200);

    await edit('shared/contract/meta/service.ts', "'/health'", "'/well'");
    await answers('/well', 200);
    await told('The stacks are synthesized again.');
    await answers('/health', 404);
    expect((await new Client(apiKey, url).get('/v1/me')).status).toBe(200);
  });
});
