import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { Client } from '#test/support/client.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../scripts/keys.ts');

/** As an operator with credentials runs it: `--table` names the table, the environment says who asks. */
async function keys(...args: string[]): Promise<{ output: string; complaint: string; code: number }> {
  const environment = { ...process.env, ...inject('operatorEnvironment') };
  try {
    const { stdout } = await run(process.execPath, [script, ...args, '--table', environment.TABLE_NAME ?? ''], {
      env: environment,
    });
    return { output: stdout, complaint: '', code: 0 };
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number };
    return { output: stdout, complaint: stderr, code };
  }
}

const create = async (organization: string, ...more: string[]) =>
  JSON.parse(
    (
      await keys(
        'create',
        '--organization',
        organization,
        '--user',
        'Ana',
        '--scopes',
        'products:read,products:write',
        ...more,
      )
    ).output,
  );

describe('npm run keys', () => {
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
    const second = await create(
      name.toUpperCase(),
      '--currency',
      'EUR',
      '--rate-limit',
      '7',
      '--expires-in-days',
      '0.5',
    );
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
    expect(JSON.parse((await keys('revoke', id)).output)).toEqual({ success: true, id });
    expect(JSON.parse((await keys('list', '--organization', name)).output)).toEqual([]);
    expect((await keys('revoke', id)).complaint).toBe('No key has this id.\n');
  });

  it.each([
    [[], /Say create, list or revoke/],
    [['create', '--user', 'Ana'], /--organization/],
    [['create', '--organization', 'A', '--user', 'B', '--scopes', 'everything'], /--scopes/],
    [['create', '--organization', 'A', '--user', 'B', '--scopes', 'keys:read', '--rate-limit', 'many'], /rateLimit/],
    [['create', '--organization', 'A', '--user', 'B', '--scopes', 'keys:read', '--currency', 'XXXX'], /--currency/],
    [['revoke'], /takes the id/],
    [['create', '--nonsense'], /Unknown option/],
  ])('says what is wrong with %o and how it is used', async (args, complaint) => {
    const result = await keys(...args);
    expect(result.code).toBe(1);
    expect(result.output).toBe('');
    expect(result.complaint).toMatch(complaint);
    expect(result.complaint).toContain('Usage:');
  });
});
