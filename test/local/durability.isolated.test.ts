import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { cp, glob, mkdtemp, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type BootOptions, bootCloud, type Cloud } from '#scripts/local/cloud.ts';
import { readInstanceFile } from '#scripts/local/instance-file.ts';
import { fixtureAssembly } from '#test/support/fixture-app/assembly.ts';
import { eventually, folderOfFile, operatorClients } from '#test/support/fixture-app/cloud.ts';
import { deliveriesOf, messageOf, urlOf } from '#test/support/fixture-app/deliveries.ts';

vi.mock('node:fs', { spy: true });

const folder = await folderOfFile();

const newFolder = () => mkdtemp(join(folder, 'data-'));

const boot = async (dataDir: string, options: Partial<BootOptions> = {}): Promise<Cloud> =>
  bootCloud({ assembly: await fixtureAssembly(), dataDir, port: 0, schedules: false, ...options });

/** Boots in a process of its own, which can be killed. */
async function bootElsewhere(dataDir: string): Promise<ChildProcess> {
  const script = join(import.meta.dirname, '../support/fixture-app/run.ts');
  const child = spawn(process.execPath, [script, await fixtureAssembly(), dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout?.once('data', resolve));
  return child;
}

/** The processes that have the data folder on their command line. */
function processesOn(dataDir: string): string[] {
  const all = execFileSync('ps', ['-eo', 'pid,args'], { encoding: 'utf8' });
  return all.split('\n').filter((line) => line.includes(dataDir));
}

describe('a cloud that is killed', () => {
  it('loses neither data nor messages, leaves no process behind, and starts again at once', async () => {
    const dataDir = await newFolder();
    const child = await bootElsewhere(dataDir);
    const instance = readInstanceFile(dataDir);
    if (!instance) throw new Error('The cloud has written no instance file.');
    const first = operatorClients(instance);
    const QueueUrl = 'FixtureData-Ordered2860FFBE.fifo';
    const send = (task: { name: string; sleepMilliseconds?: number }) =>
      first.queues.sendMessage({ QueueUrl, ...messageOf(task, 'group') });
    await send({ name: 'kill-1', sleepMilliseconds: 700 });
    for (const number of [2, 3, 4, 5]) await send({ name: `kill-${number}` });
    await first.database.putItem({
      TableName: instance.tableName,
      Item: { pk: { S: 'KEPT' }, sk: { S: '1' } },
    });
    const before = { cloud: instance, database: first.database };
    await eventually(async () => (await deliveriesOf(before, 'kill-'))[0]);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;

    const cloud = await boot(dataDir);
    const { database } = operatorClients(cloud);
    const kept = await database.getItem({ TableName: cloud.tableName, Key: { pk: { S: 'KEPT' }, sk: { S: '1' } } });
    expect(kept.Item).toBeDefined();
    const names = await eventually(async () => {
      const found = await deliveriesOf({ cloud, database }, 'kill-');
      return found.length >= 6 ? found.map(({ name }) => name) : undefined;
    });
    expect(names).toEqual(['kill-1', 'kill-1', 'kill-2', 'kill-3', 'kill-4', 'kill-5']);
    await cloud.stop();
    await eventually(async () => (processesOn(dataDir).length === 0 ? true : undefined));
  });
});

describe('a cloud that is stopped', () => {
  it('does not wait for its workers', async () => {
    const cloud = await boot(await newFolder());
    const { queues, database } = operatorClients(cloud);
    const task = { name: 'long', sleepMilliseconds: 10_000 };
    await queues.sendMessage({ QueueUrl: urlOf(cloud, 'Batched'), ...messageOf(task, 'group') });
    await eventually(async () => (await deliveriesOf({ cloud, database }, 'long'))[0]);
    const startedAt = performance.now();
    await cloud.stop();
    expect(performance.now() - startedAt).toBeLessThan(task.sleepMilliseconds);
  });
});

describe('a running cloud', () => {
  it('replaces its emulator when that dies, and says so in one line', async () => {
    const told = vi.spyOn(console, 'error').mockReturnValue();
    const dataDir = await newFolder();
    const cloud = await boot(dataDir);
    const { database } = operatorClients(cloud);
    const Item = { pk: { S: 'SURVIVES' }, sk: { S: '1' } };
    await database.putItem({ TableName: cloud.tableName, Item });
    const emulator = processesOn(dataDir).find((line) => /^\s*\d+ \S*dynoxide /.test(line));
    process.kill(Number(emulator?.trim().split(' ')[0]), 'SIGKILL');
    const found = await eventually(() =>
      database.getItem({ TableName: cloud.tableName, Key: Item }).catch(() => undefined),
    );
    expect(found.Item).toEqual(Item);
    expect(told.mock.calls).toEqual([[expect.stringMatching(/^The DynamoDB emulator has ended, .*\.$/)]]);
    await cloud.stop();
  });

  it.each(['/proc/nowhere', '/dev/null', '/dev/null/below'])(
    'says in one line that %s is no data folder',
    async (dataDir) => {
      await expect(boot(dataDir)).rejects.toThrow(/cannot be the data folder \(.*\): set DATA_DIR to another\.$/);
    },
  );

  it('says in one line that its disk is full, and takes no file for damaged', async () => {
    const dataDir = await newFolder();
    await (await boot(dataDir)).stop();
    await truncate(join(dataDir, 'sqs.db'), 100);
    const full = { ...statfsSync(dataDir), bavail: 2 };
    vi.mocked(statfsSync).mockReturnValueOnce(full);
    await expect(boot(dataDir)).rejects.toThrow(/^The disk of \S+ is full\. Make room on it, .*\.$/);
    await expect(boot(dataDir)).rejects.toThrow(/sqs\.db is damaged/);
  });

  it('has its data folder and its port to itself, and says so in one line', async () => {
    const dataDir = await newFolder();
    const cloud = await boot(dataDir);
    await expect(boot(dataDir)).rejects.toThrow(/^Another local cloud runs on .*: stop it, or set DATA_DIR/);
    const port = Number(new URL(cloud.url).port);
    await expect(boot(await newFolder(), { port })).rejects.toThrow(`Port ${port} is taken: set PORT to another.`);
    await cloud.stop();
  });

  it.each([
    [false, [200, 200, 429, 429]],
    [true, [200, 200, 200, 200]],
  ])('takes what its stage takes at once, and more where it is kind: %s', async (isKind, statuses) => {
    const assembly = join(await newFolder(), 'assembly');
    await cp(await fixtureAssembly(), assembly, { recursive: true });
    for await (const file of glob(join(assembly, '*.template.json'))) {
      const throttle = '"DefaultRouteSettings": { "ThrottlingRateLimit": 0.001, "ThrottlingBurstLimit": 2 }';
      const template = await readFile(file, 'utf8');
      await writeFile(file, template.replace('"StageName":', `${throttle}, "StageName":`));
    }
    const cloud = await boot(await newFolder(), { assembly, isKind });
    const answered: number[] = [];
    for (const _ of statuses) answered.push((await fetch(`${cloud.url}/echo`)).status);
    expect(answered).toEqual(statuses);
    await cloud.stop();
  });

  it('adds to an existing table the index that its template has gained', async () => {
    const dataDir = await newFolder();
    const cloud = await boot(dataDir);
    const { database } = operatorClients(cloud);
    await database.updateTable({
      TableName: cloud.tableName,
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'byHolder' } }],
    });
    await cloud.stop();
    const again = await boot(dataDir);
    const { Table } = await operatorClients(again).database.describeTable({ TableName: again.tableName });
    expect(Table?.GlobalSecondaryIndexes?.map(({ IndexName }) => IndexName)).toEqual(['byHolder']);
    await again.stop();
  });

  it('uses another DynamoDB where it is told to', async () => {
    const other = await boot(await newFolder());
    vi.stubEnv('DYNAMODB_ENDPOINT', other.dynamoEndpoint);
    const dataDir = await newFolder();
    const cloud = await boot(dataDir);
    vi.unstubAllEnvs();
    const Item = { pk: { S: 'ELSEWHERE' }, sk: { S: '1' } };
    await operatorClients(cloud).database.putItem({ TableName: cloud.tableName, Item });
    const found = await operatorClients(other).database.getItem({ TableName: other.tableName, Key: Item });
    expect(found.Item).toEqual(Item);
    expect(processesOn(dataDir)).toEqual([]);
    await cloud.stop();
    await other.stop();
  });

  it('takes the parameters of its stacks, and no others', async () => {
    const cloud = await boot(await newFolder(), { parameters: { Greeting: 'HELLO' } });
    const { payload } = await cloud.invoke('echo', {});
    expect(JSON.parse(payload).environment).toMatchObject({ GREETING: 'HELLO' });
    await cloud.stop();
    await expect(boot(await newFolder(), { parameters: { Nothing: '1' } })).rejects.toThrow(
      'No stack has a parameter Nothing.',
    );
  });
});
