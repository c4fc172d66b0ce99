import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { BatchWriteCommand, DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest';
import type { Cloud } from '#scripts/local/cloud.ts';
import { emulatorClient } from '#scripts/local/dynamodb.ts';
import { StartError } from '#scripts/local/errors.ts';
import { LAYOUT } from '#shared/data/layout/keys.ts';
import { API_KEY_RANDOM_BYTES, formatApiKey } from '#shared/domain/keys/api-key.ts';
import { Client, type Json } from '#test/support/client.ts';
import { temporaryFolder } from '#test/support/fixture-app/cloud.ts';
import { runScript } from '#test/support/programs.ts';
import { bootQuietCloud } from '#test/support/test-cloud.ts';

let dataDir = await temporaryFolder();
let cloud: Cloud | undefined;

async function start(): Promise<Cloud> {
  cloud = await bootQuietCloud(dataDir, inject('remoteApiUrl'));
  return cloud;
}

async function stop(): Promise<void> {
  await cloud?.stop();
  cloud = undefined;
}

afterAll(async () => {
  await stop();
  await rm(dataDir, { recursive: true });
});

/** A table that the data modules do not know of. */
function tableOf({ dynamoEndpoint, tableName: TableName }: Pick<Cloud, 'dynamoEndpoint' | 'tableName'>) {
  const raw = DynamoDBDocumentClient.from(emulatorClient(dynamoEndpoint));
  const dump = async (): Promise<Json[]> =>
    (await raw.send(new ScanCommand({ TableName, ConsistentRead: true }))).Items ?? [];
  return {
    dump,
    /** As a table that was just made. */
    empty: async () => {
      const requests = (await dump()).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
      if (requests.length > 0) await raw.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }));
    },
    sayLayout: (layout: number) => raw.send(new PutCommand({ TableName, Item: { ...present, layout } })),
  };
}

const present = { pk: 'LAYOUT', sk: 'LAYOUT', layout: LAYOUT };

const OTHERS = [LAYOUT - 1, LAYOUT + 1];

const REMEDY = 'start with --fresh or another DATA_DIR, in the cloud deploy the version that wrote the table.';

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
    for (const layout of OTHERS) {
      await table.sayLayout(layout);
      expect(await ask('/products')).toEqual(refusal);
    }
    end();
    const complaints = lines.filter((line) => line.includes('this version of the service needs'));
    // A function says it as it starts, and again when it is asked.
    expect([...new Set(complaints)]).toEqual(OTHERS.map((layout) => expect.stringContaining(`has layout ${layout}`)));
    await table.sayLayout(LAYOUT);
    expect(await ask('/products')).toMatchObject({ status: 401 });
  });

  it('works on a table that is new', async () => {
    await tableOf(await running()).empty();
    expect(await ask('/clients')).toMatchObject({ status: 401 });
  });
});

describe('npm run keys', () => {
  const create = async () => {
    const args = ['create', '--organization', 'Acme', '--user', 'Ana', '--scopes', 'products:read'];
    return runScript(join(import.meta.dirname, '../../scripts/keys.ts'), args, { DATA_DIR: dataDir });
  };

  it('gives a new table the present layout with its first organization', async () => {
    const table = tableOf(await running());
    await table.empty();
    expect(await create()).toMatchObject({ code: 0, complaint: '' });
    expect(await table.dump()).toContainEqual(present);
  });

  it.each(OTHERS)('says of layout %i what to do about it', async (layout) => {
    const table = tableOf(await running());
    await table.sayLayout(layout);
    const before = await table.dump();
    const { code, complaint } = await create();
    expect({ code, lines: complaint.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(complaint).toContain(REMEDY);
    expect(await table.dump()).toEqual(before);
  });
});

describe('npm start', () => {
  afterEach(async () => {
    await rm(dataDir, { recursive: true });
    dataDir = await temporaryFolder();
  });

  it.each(OTHERS)('says in one line, and each time, that it cannot use data of layout %i', async (layout) => {
    await tableOf(await running()).sayLayout(layout);
    await stop();
    for (let i = 0; i < 2; i++) {
      const failure = await start().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(StartError);
      expect(String(failure)).toMatch(/^.+$/);
      expect(String(failure)).toContain(`has layout ${layout}, and this version of the service needs layout ${LAYOUT}`);
      expect(String(failure)).toContain(REMEDY);
    }
  });
});

async function running(): Promise<Cloud> {
  return cloud ?? start();
}
