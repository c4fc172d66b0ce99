import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Cloud } from '#scripts/local/cloud.ts';
import { StartError } from '#scripts/local/errors.ts';
import { LAYOUT } from '#shared/data/dynamo/layout.ts';
import { API_KEY_RANDOM_BYTES, formatApiKey } from '#shared/domain/keys/api-key.ts';
import { Client } from '#test/support/client.ts';
import { temporaryFolder } from '#test/support/fixture-app/cloud.ts';
import { layout1Items, tableOf } from '#test/support/layout-1.ts';
import { bootQuietCloud } from '#test/support/test-cloud.ts';

const run = promisify(execFile);

let dataDir = '';
let cloud: Cloud | undefined;

async function start(): Promise<Cloud> {
  cloud = await bootQuietCloud(dataDir, inject('remoteApiUrl'));
  return cloud;
}

async function stop(): Promise<void> {
  await cloud?.stop();
  cloud = undefined;
}

beforeAll(async () => {
  dataDir = await temporaryFolder();
});

afterAll(async () => {
  await stop();
  await rm(dataDir, { recursive: true });
});

const present = { pk: 'LAYOUT', sk: 'LAYOUT', layout: LAYOUT };

describe('a new data folder', () => {
  it('has the present layout', async () => {
    expect(await tableOf(await start()).dump()).toEqual([present]);
  });
});

describe('a function', () => {
  const strangersKey = formatApiKey(new Uint8Array(API_KEY_RANDOM_BYTES));
  const ask = async (path: string) => {
    const { status, headers, body } = await new Client(strangersKey, cloud?.url).get(path);
    return { status, code: body.code, retryAfter: headers.get('retry-after') };
  };
  const refusal = { status: 503, code: 'temporarily_unavailable', retryAfter: '60' };

  it('refuses to work on a table of another layout, and says so in one line of its log', async () => {
    const { logs, ...own } = await running();
    const lines: string[] = [];
    const end = logs.subscribe(({ record }) => lines.push(String(record.message)));
    const table = tableOf(own);
    await table.fill(layout1Items());
    expect(await ask('/products')).toEqual(refusal);
    await table.sayLayout(LAYOUT + 1);
    expect(await ask('/products')).toEqual(refusal);
    end();
    const complaints = lines.filter((line) => line.includes('this version of the service needs'));
    expect(complaints).toEqual([
      expect.stringContaining('has layout 1'),
      expect.stringContaining(`layout ${LAYOUT + 1}`),
    ]);
    await table.sayLayout(LAYOUT);
    expect(await ask('/products')).toMatchObject({ status: 401 });
  });

  it('works on a table that is new', async () => {
    await tableOf(await running()).fill([]);
    expect(await ask('/clients')).toMatchObject({ status: 401 });
  });
});

describe('npm run keys', () => {
  const create = async () => {
    const args = ['create', '--organization', 'Acme', '--user', 'Ana', '--scopes', 'products:read'];
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const environment = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir };
    try {
      await run(process.execPath, [join(import.meta.dirname, '../../scripts/keys.ts'), ...args], { env: environment });
      return { code: 0, complaint: '' };
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string };
      return { code, complaint: stderr };
    }
  };

  it('gives a new table the present layout with its first organization', async () => {
    const table = tableOf(await running());
    await table.fill([]);
    expect(await create()).toEqual({ code: 0, complaint: '' });
    expect(await table.layout()).toBe(LAYOUT);
  });

  it.each([
    [LAYOUT - 1, 'run "npm run migrate -- --table '],
    [LAYOUT + 1, 'a newer version has written it'],
  ])('says of layout %i what to do about it', async (layout, remedy) => {
    const table = tableOf(await running());
    await table.sayLayout(layout);
    const before = await table.dump();
    const { code, complaint } = await create();
    expect({ code, lines: complaint.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(complaint).toContain(remedy);
    expect(await table.dump()).toEqual(before);
  });
});

describe('npm start', () => {
  it('brings older data to the present layout before anything runs', async () => {
    const table = tableOf(await running());
    await table.fill(layout1Items());
    await stop();
    const migrated = tableOf(await start());
    expect(await migrated.layout()).toBe(LAYOUT);
    expect((await migrated.dump()).filter(({ pk }) => pk === 'UNLINKING')).toEqual([]);
  });

  it('leaves newer data alone', async () => {
    await tableOf(await running()).sayLayout(LAYOUT + 1);
    await stop();
    const failure = await start().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(StartError);
    expect(String(failure)).toContain('a newer version has written it');
  });
});

async function running(): Promise<Cloud> {
  return cloud ?? start();
}
