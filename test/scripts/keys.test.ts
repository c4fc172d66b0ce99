import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { listen } from '#scripts/local/http.ts';
import { type InstanceFile, readInstanceFile, writeInstanceFile } from '#scripts/local/instance-file.ts';
import { Client } from '#test/support/client.ts';
import { eventsOf } from '#test/support/events.ts';
import { folderOfFile } from '#test/support/fixture-app/cloud.ts';
import { refusal, runScript } from '#test/support/programs.ts';

const script = join(import.meta.dirname, '../../scripts/keys.ts');

/** As an operator with credentials runs it: `--table` names the table, the environment says who asks. */
function keys(...args: string[]) {
  const { TABLE_NAME = '', ...credentials } = inject('operatorEnvironment');
  return runScript(script, [...args, '--table', TABLE_NAME], credentials);
}

const grant = ['--user', 'Ana', '--scopes', 'products:read,products:write'];

async function create(organization: string, ...more: string[]) {
  return JSON.parse((await keys('create', '--organization', organization, ...grant, ...more)).output);
}

describe('npm run keys', () => {
  it('creates, lists and revokes keys of the platform, which reach nothing within an organization', async () => {
    const scopes = ['organizations:read', 'organizations:write'];
    const made = JSON.parse((await keys('create', '--platform', '--scopes', scopes.join())).output);
    expect(made).toEqual({
      apiKey: expect.stringMatching(/^bw_/),
      id: expect.any(String),
      organizationId: null,
      userId: null,
      scopes,
    });
    const platform = new Client(made.apiKey);
    const created = await platform.post('/v1/organizations', { name: randomUUID(), owner: { name: 'Ana' } });
    expect(created.status).toBe(201);
    expect((await platform.get('/v1/me')).body.code).toBe('insufficient_scope');
    const listed = expect.objectContaining({ id: made.id });
    expect(JSON.parse((await keys('list', '--platform')).output)).toContainEqual(listed);
    expect((await keys('revoke', made.id)).code).toBe(0);
    expect(JSON.parse((await keys('list', '--platform')).output)).not.toContainEqual(listed);
  });

  it.each([
    [['--platform', '--scopes', 'products:read'], '--scopes'],
    [['--platform', '--scopes', 'all', '--organization', 'Acme'], '--platform does not go with --organization.'],
    [['--organization', 'Acme', '--user', 'Ana', '--scopes', 'organizations:write'], '--scopes'],
  ])('keeps the scopes of the platform and of organizations apart: %j', async (args, complaint) => {
    const outcome = await keys('create', ...args);
    expect(outcome.code).toBe(1);
    expect(outcome.complaint).toContain(complaint);
  });

  it('creates a key that works, in an organization and for a user that keep their ids', async () => {
    const name = `Acme ${randomUUID()}`;
    const first = await create(name, '--currency', 'jpy');
    expect(first).toEqual({
      apiKey: expect.stringMatching(/^bw_/),
      id: expect.any(String),
      organizationId: expect.any(String),
      userId: expect.any(String),
      scopes: ['products:read', 'products:write'],
    });
    const wishes = ['--currency', 'EUR', '--rate-limit', '7', '--expires-in-days', '0.5'];
    const second = await create(` ${name.toUpperCase()} `, ...wishes);
    expect(second).toMatchObject({ organizationId: first.organizationId, userId: first.userId });
    const reply = await new Client(second.apiKey).post('/products', { name: 'x', price: '1' });
    expect(reply.body.data.currency).toBe('JPY');
    expect(reply.headers.get('ratelimit-policy')).toBe('"default";q=7;w=60');
  });

  it('lists and revokes, and never shows a key again', async () => {
    const name = `Acme ${randomUUID()}`;
    const { id, apiKey } = await create(name);
    const list = await keys('list', '--organization', name);
    expect(JSON.parse(list.output)).toMatchObject([{ id, organization: name }]);
    expect(list.output).not.toContain(apiKey);
    expect(JSON.parse((await keys('revoke', id.toUpperCase())).output)).toEqual({ success: true, id });
    expect(JSON.parse((await keys('list', '--organization', name)).output)).toEqual([]);
    expect((await keys('revoke', id)).complaint).toBe('No key has this id.\n');
  });

  it('leaves events of the platform, for keys and for the user whom it makes', async () => {
    const name = `Acme ${randomUUID()}`;
    const [ana, other] = [await create(name, '--scopes', 'all'), await create(name)];
    await keys('revoke', other.id);
    const actor = { userId: null, keyId: null, via: 'platform' };
    expect((await eventsOf(new Client(ana.apiKey))).map(({ type, data }) => [type, data])).toEqual([
      ['user.created', { object: { type: 'user', id: ana.userId }, actor }],
      ['api_key.created', { object: { type: 'api_key', id: ana.id }, actor }],
      ['api_key.created', { object: { type: 'api_key', id: other.id }, actor }],
      ['api_key.revoked', { object: { type: 'api_key', id: other.id }, actor }],
    ]);
  });

  it('lists the keys of an organization by any spelling under which create finds it, and of all by default', async () => {
    const name = `Émile ${randomUUID()}`;
    const { id } = await create(name);
    for (const spelling of [name.toUpperCase(), ` ${name}\t`, name.normalize('NFD')]) {
      expect(JSON.parse((await keys('list', '--organization', spelling)).output)).toMatchObject([{ id }]);
    }
    expect(JSON.parse((await keys('list', '--organization', randomUUID())).output)).toEqual([]);
    expect(JSON.parse((await keys('list')).output)).toContainEqual(expect.objectContaining({ id, organization: name }));
  });

  it.each([randomUUID(), 'x'])('takes what is no id like one that does not exist: %.40s', async (id) => {
    expect(await keys('revoke', id)).toMatchObject({ output: '', complaint: 'No key has this id.\n', code: 1 });
  });

  const named = ['create', '--organization', 'A'];

  it.each([
    [[], 'Say create, list or revoke.'],
    [['create'], '--organization is required.\n--user is required.\n--scopes is required.'],
    [['create', '--organization', ' ', ...grant], '--organization: Expected a text that is not only space.'],
    [[...named, ...grant, '--scopes', 'everything'], '--scopes: Expected "products:read", "p'],
    [[...named, ...grant, '--rate-limit', 'many'], '--rate-limit: Expected a number.'],
    [[...named, ...grant, '--currency', 'XXXX'], '--currency: Expected an ISO 4217 currency code.'],
    [['revoke'], 'revoke takes the id of a key.'],
    [['revoke', 'one', 'two', 'three'], 'revoke does not take "two", "three".'],
    [['list', '--user', 'Ana', '--scopes', 'x'], 'list does not take --user, --scopes.'],
  ])('says what is wrong with %o and how it is used', async (args, complaint) => {
    const result = await keys(...args);
    expect(result).toEqual(refusal(expect.stringContaining('Usage:')));
    expect(result.complaint.slice(0, complaint.length)).toBe(complaint);
  });

  it('does not take a table that is not there for a key that is not there', async () => {
    const args = ['revoke', randomUUID(), '--table', 'no-such'];
    const { complaint } = await runScript(script, args, inject('operatorEnvironment'));
    expect(complaint).not.toContain('No key has this id');
    expect(complaint).toContain('not found');
  });

  it('says that the service is overloaded when its conflicts do not end', async () => {
    const { url, close } = await contestedDatabase();
    const environment = { ...inject('operatorEnvironment'), AWS_ENDPOINT_URL_DYNAMODB: url };
    const outcome = await runScript(script, ['create', '--organization', 'A', ...grant, '--table', 'x'], environment);
    close();
    expect(outcome).toEqual(refusal('The service could not do it in time, and has changed nothing.\n'));
  });
});

/** An empty database in which every transaction conflicts with another. */
async function contestedDatabase(): Promise<{ url: string; close: () => void }> {
  const conflict = { __type: 'TransactionCanceledException', CancellationReasons: [{ Code: 'TransactionConflict' }] };
  const server = createServer((request, response) => {
    const isTransaction = String(request.headers['x-amz-target']).endsWith('.TransactWriteItems');
    response.writeHead(isTransaction ? 400 : 200, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(JSON.stringify(isTransaction ? conflict : {}));
  });
  return { url: `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`, close: () => server.close() };
}

describe('keys on a terminal', () => {
  it('are a table there, whose columns begin below each other, unless --json is said', async () => {
    const organization = `Acme ${randomUUID()}`;
    const { id } = await create(organization);
    const { TABLE_NAME = '', ...credentials } = inject('operatorEnvironment');
    const environment = {
      ...credentials,
      NODE_OPTIONS: '--import=data:text/javascript,process.stdout.isTTY=true',
    };
    const list = ['list', '--organization', organization, '--table', TABLE_NAME];
    const [head = '', row = '', ...others] = (await runScript(script, list, environment)).output.trim().split('\n');
    expect(others).toEqual([]);
    expect([row.indexOf('Command line'), row.indexOf(id)]).toEqual([head.indexOf('name'), head.indexOf('id ')]);
    expect(row).toMatch(/ {2}600 {7}\d{4}-\d\d-\d\d {2}never {4}products:read products:write$/);
    expect(JSON.parse((await runScript(script, [...list, '--json'], environment)).output)).toMatchObject([{ id }]);
  });
});

const dataDir = await folderOfFile();

describe('npm run keys, with DATA_DIR alone', () => {
  const here = (...args: string[]) => runScript(script, args, { DATA_DIR: dataDir });

  it('says that none runs there, and what to do', async () => {
    const ended = await runScript('--eval', ['console.log(process.pid)']);
    const running = readInstanceFile(inject('dataDir')) as InstanceFile;
    writeInstanceFile(dataDir, { ...running, pid: Number(ended.output) });
    expect(await here('list')).toEqual(
      refusal(`No local cloud runs on ${dataDir}: start it with "npm start", or name a --table.\n`),
    );
  });

  it('looks at what is asked before it looks for the cloud', async () => {
    const { complaint } = await runScript(script, ['create'], { DATA_DIR: join(dataDir, 'none') });
    expect(complaint).toContain('--organization is required.');
  });
});
