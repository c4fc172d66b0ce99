import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readInstanceFile } from '#scripts/local/instance-file.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { Client, type Json } from '#test/support/client.ts';
import { conflictsOfTen } from '#test/support/conflicts.ts';
import { folderOfFile, operatorClients } from '#test/support/fixture-app/cloud.ts';
import { expectOnlyOnLoopback } from '#test/support/loopback.ts';
import { allOf, type Running, startProgram } from '#test/support/programs.ts';

const root = join(import.meta.dirname, '../..');
const folder = await folderOfFile();
/** Not there before the first start. */
const dataDir = join(folder, 'data');
const runs: Running[] = [];

function run(script: string, parameters: string[], environment: Record<string, string> = {}) {
  // By itself, everything that is made would be for everybody to read.
  const command = ['-c', 'umask 000 && exec "$0" "$@"', process.execPath, join(root, 'scripts', script)];
  const started = startProgram('sh', [...command, ...parameters], { DATA_DIR: dataDir, PORT: '0', ...environment });
  runs.push(started);
  return { child: started.child, output: () => allOf(started), exitCode: started.ended };
}

type Run = ReturnType<typeof run>;

async function ready(started: Run): Promise<string> {
  await expect.poll(started.output, { timeout: 25_000 }).toMatch(/Billwright is ready at/);
  return /ready at (http:\/\/localhost:\d+)/.exec(started.output())?.[1] ?? '';
}

async function stop(started: Run, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  started.child.kill(signal);
  expect(await started.exitCode).toBe(0);
}

const readme = () => readFile(join(root, 'README.md'), 'utf8');

/** Those that a failed test has left behind. */
afterAll(async () => {
  for (const { child, ended } of runs) {
    child.kill('SIGKILL');
    await ended;
  }
});

describe('npm start', () => {
  it('serves without conflicts, shows the key of the demo organization once, and ends cleanly', {
    timeout: 60_000,
  }, async () => {
    const first = run('start/start.ts', []);
    const url = await ready(first);
    await expect.poll(first.output).toContain('Try: curl ');
    const apiKey = /bw_[\w-]+/.exec(first.output())?.[0] ?? '';
    const newcomer = new Client(apiKey, url);
    expect((await newcomer.get('/products')).status).toBe(200);
    await expect.poll(first.output).toContain('with the access token');
    const [, accountId, accessToken] = /connect account (\S+) with the access token (\S+)/.exec(first.output()) ?? [];
    const connected = await newcomer.post('/v1/work/tracker/remote/connect', { accountId, accessToken });
    expect(connected.status).toBe(200);
    expect(await readme()).toContain(`'{"accountId": "${accountId}", "accessToken": "${accessToken}"}'`);
    await expect.poll(first.output).toMatch(/^GET \/products 200 \d+ ms$/m);
    await expect.poll(() => readFile(join(dataDir, 'functions.log'), 'utf8')).toContain('billwright-list-products');
    expect(await readFile(join(dataDir, 'functions.log'), 'utf8')).not.toContain(apiKey);

    const instance = readInstanceFile(dataDir);
    if (!instance) throw new Error('The cloud has written no instance file.');
    for (const place of [url, instance.awsEndpoint]) await expectOnlyOnLoopback(place);
    expect(await conflictsOfTen({ ...instance, ...operatorClients(instance) })).toBe(0);

    for (const name of ['.', ...(await readdir(dataDir))]) {
      expect((await stat(join(dataDir, name))).mode & 0o077, name).toBe(0);
    }

    const [, functionName = '', event = ''] = /^npm run invoke -- (\S+) '(.*)'$/m.exec(await readme()) ?? [];
    const shown = run('invoke.ts', [functionName, event]);
    expect(await shown.exitCode, shown.output()).toBe(0);
    const answer = JSON.parse(shown.output());
    expect(answer).toMatchObject({ statusCode: 200, body: '{"status":"ok"}' });
    const invoked = run('invoke.ts', ['list-products', 'null']);
    expect(await invoked.exitCode).toBe(1);
    expect(JSON.parse(invoked.output())).toHaveProperty('errorType');
    await expect
      .poll(first.output)
      .toMatch(/^billwright-list-products: \w*Error: .*\n +at .*(?:shared|packages)\/.*:\d+:\d+/m);
    const unknown = run('invoke.ts', ['nobody']);
    expect(await unknown.exitCode).toBe(1);
    expect(unknown.output()).toMatch(/^There is no function nobody\. There are: .*billwright-list-products.*\n$/);

    const named = { body: { name: 'Northwind' }, headers: { 'idempotency-key': 'across-a-restart' } };
    const created = await newcomer.send('POST', '/clients', named);
    await stop(first);
    const without = run('invoke.ts', ['list-products']);
    expect(await without.exitCode).toBe(1);
    expect(without.output()).toMatch(/^No local cloud runs on .*\n$/);

    const second = run('start/start.ts', []);
    const replayed = await new Client(apiKey, await ready(second)).send('POST', '/clients', named);
    expect([replayed.status, replayed.body]).toEqual([201, created.body]);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(second.output()).not.toMatch(/bw_/);
    await expect.poll(second.output).toContain(`Reference: ${new URL('/docs', await ready(second)).href}\n`);
    const [, owned, command = ''] = /^ {2}DATA_DIR=(\S+) npm run keys -- (.+)$/m.exec(second.output()) ?? [];
    expect(owned).toBe(dataDir);
    const another = run('keys.ts', command.split(' '));
    expect(await another.exitCode, another.output()).toBe(0);
    const me = await new Client(JSON.parse(another.output()).apiKey, await ready(second)).get('/v1/me');
    expect(me.body.data).toMatchObject({ organizationName: 'Demo', scopes: SCOPES });
    await stop(second, 'SIGINT');
  });

  it('lets transactions conflict where it is asked to be unkind', async () => {
    const unkindDir = join(folder, 'unkind');
    const started = run('start/start.ts', ['--unkind'], { DATA_DIR: unkindDir });
    await ready(started);
    const instance = readInstanceFile(unkindDir);
    if (!instance) throw new Error('The cloud has written no instance file.');
    expect(await conflictsOfTen({ ...instance, ...operatorClients(instance) })).toBeGreaterThan(0);
    await stop(started);
  });

  it('adds demo data once, and deletes everything of its own where it is asked to', { timeout: 60_000 }, async () => {
    const filledDir = join(folder, 'filled');
    const start = (...parameters: string[]) => run('start/start.ts', parameters, { DATA_DIR: filledDir });
    const keyOf = (started: Run) => /bw_[\w-]+/.exec(started.output())?.[0] ?? '';

    const first = start('--demo-data');
    await ready(first);
    expect(first.output()).toContain('Added a month of demo data to the organization Demo.\n');
    await expect.poll(() => keyOf(first)).not.toBe('');
    await stop(first);

    const refused = start('--fresh');
    expect(await refused.exitCode).toBe(1);
    expect(refused.output()).toBe(
      `--fresh deletes all data in ${filledDir}, and there is no terminal to ask: add --yes.\n`,
    );

    const second = start('--demo-data');
    const url = await ready(second);
    expect(second.output()).toContain('The demo data are there already.\n');
    const owner = new Client(keyOf(first), url);
    expect((await owner.get('/clients')).body.meta.total).toBe(3);
    expect((await owner.get('/v1/work/tracker/entries')).body.meta.total).toBeGreaterThan(100);
    const { data: invoices } = (await owner.get('/invoices')).body;
    expect(invoices.map(({ status }: Json) => status)).toEqual(['draft', 'sent', 'paid']);
    await stop(second);

    const fresh = start('--fresh', '--yes');
    const anew = await ready(fresh);
    await expect.poll(() => keyOf(fresh)).not.toBe('');
    expect((await new Client(keyOf(fresh), anew).get('/clients')).body.meta.total).toBe(0);
    expect((await new Client(keyOf(first), anew).get('/clients')).status).toBe(401);
    await stop(fresh);
  });

  it.each([
    [['--kind'], {}, /^Unknown option '--kind'.*\n$/],
    [[], { PORT: 'abc' }, /^PORT is no port number: abc\n$/],
    [
      [],
      { REMOTE_API_URL: 'nonsense' },
      /^REMOTE_API_URL is no URL that begins with http:\/\/ or https:\/\/: nonsense\n$/,
    ],
  ])('says in one line what is wrong with %j, %j', async (parameters, environment, complaint) => {
    const started = run('start/start.ts', parameters, environment);
    expect(await started.exitCode).toBe(1);
    expect(started.output()).toMatch(complaint);
  });
});
