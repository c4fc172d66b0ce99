import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { copySources } from '#scripts/bench/light.ts';
import { Client } from '#test/support/client.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';
import { allOf, startProgram } from '#test/support/programs.ts';

/** On a busy machine. */
const BUILD_MILLISECONDS = 60_000;

const folder = await folderOfFile();
await copySources(folder);
const start = [join(folder, 'scripts/start/start.ts'), '--watch'];
const environment = { DATA_DIR: join(folder, 'data'), PORT: '0' };
const dev = startProgram(process.execPath, start, environment, folder);

afterAll(async () => {
  dev.child.kill('SIGTERM');
  await dev.ended;
});

/** As an editor that replaces the file. */
async function edit(file: string, from: string, to: string): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  expect(text).toContain(from);
  await writeFile(join(folder, 'edited'), text.replace(from, to));
  await rename(join(folder, 'edited'), path);
}

const told = (words: string | RegExp) => expect.poll(() => allOf(dev), { timeout: BUILD_MILLISECONDS }).toMatch(words);

describe('npm run dev', { timeout: 3 * BUILD_MILLISECONDS }, () => {
  const HANDLER = 'functions/meta/get-health.ts';
  const RIGHT = "return { status: 'ok' as const };";
  const WRONG = "throw new RangeError('Broken on purpose.');";

  const urlOf = () => /ready at (http:\S+)/.exec(allOf(dev))?.[1] ?? '';

  it('answers with new code and new routes, on the same data', async () => {
    await told('with the access token');
    const url = urlOf();
    const [apiKey = ''] = /bw_[\w-]+/.exec(allOf(dev)) ?? [];
    const answers = (path: string, status: number) =>
      expect
        .poll(async () => (await fetch(url + path).catch(() => undefined))?.status, { timeout: BUILD_MILLISECONDS })
        .toBe(status);

    await edit(HANDLER, RIGHT, WRONG);
    await answers('/health', 500);
    await told(/^billwright-get-health: RangeError: Broken on purpose\.\n +at /m);
    await edit(HANDLER, WRONG, 'return ((');
    await told(/^The functions cannot be built\. .*Unexpected/m);
    await told('What was live before goes on.');
    await answers('/health', 500);
    await edit(HANDLER, 'return ((', RIGHT);
    await answers('/health', 200);

    await edit('shared/contract/meta/service.ts', "'/health'", "'/well'");
    await answers('/well', 200);
    await told(/^Building after a change of shared\/contract\/meta\/service\.ts \.\.\.$/m);
    await answers('/health', 404);
    expect((await new Client(apiKey, url).get('/v1/me')).status).toBe(200);
  });

  const service = v.object({ data: v.object({ version: v.string() }) });
  const GETS_SERVICE = 'functions/meta/get-service.ts';
  const SERVICE_ITSELF = 'async () => SERVICE);';
  const readingProducts = (version: string) =>
    `async () => ({ ...SERVICE, version: String((await findProducts('none', ['none'])).size + ${version}) }));`;

  it('changes code and roles together, in spite of quick edits with a fault, while all goes on', async () => {
    const statuses = new Set<number>();
    const version = async () => {
      const response = await fetch(`${urlOf()}/`);
      statuses.add(response.status);
      return v.parse(service, await response.json()).data.version;
    };
    await version();
    await edit(GETS_SERVICE, 'import', "import { findProducts } from '#shared/data/products/products.ts';\nimport");
    await edit(GETS_SERVICE, SERVICE_ITSELF, readingProducts('1'));
    await sleep(500);
    await edit(GETS_SERVICE, readingProducts('1'), 'async () => ((');
    await sleep(500);
    await edit(GETS_SERVICE, 'async () => ((', readingProducts('2'));
    await expect.poll(version, { timeout: BUILD_MILLISECONDS }).toBe('2');
    await told(/^Live after [\d.]+ s: billwright-get-service$/m);
    expect([...statuses]).toEqual([200]);
  });
});
