import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { given } from '#test/support/given.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../scripts/smoke.ts');

/** What an operator sees: the table's rows by their first column, and the exit code. */
async function smoke(...args: string[]) {
  const env = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };
  const ended = await run(process.execPath, [script, ...args], { env }).then(
    ({ stdout }) => ({ stdout, stderr: '', code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  );
  const rows = ended.stdout.split('\n').slice(2, -1);
  const cells = rows.map((row) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
  return {
    code: ended.code,
    complaint: ended.stderr,
    outcomes: Object.fromEntries(cells.map(([name, outcome]) => [name, outcome])),
    told: Object.fromEntries(cells.map(([name, , , told]) => [name, told])),
  };
}

const STEPS = [
  'no key',
  'preflight',
  'key',
  'timer',
  'invoice and PDF',
  'bodies over the limits',
  'burst over the rate limit',
  'plain confirm and its undo',
  'gzipped confirm and its undo',
  'clean-up',
];

describe('npm run smoke', () => {
  const url = inject('baseUrl');

  it('finds an instance well, and leaves nothing in it', { timeout: 90_000 }, async () => {
    const ana = await given.user();
    const { accountId, accessToken } = await given.remoteAccount();
    const remote = ['--remote-account', accountId, '--remote-token', accessToken];
    const { outcomes, code, told } = await smoke('--url', url, '--key', ana.apiKey, ...remote);
    expect({ code, outcomes }, JSON.stringify(told)).toEqual({
      code: 0,
      outcomes: Object.fromEntries(STEPS.map((name) => [name, 'ok'])),
    });
    for (const path of ['/v1/work/tracker/entries', '/invoices', '/clients']) {
      expect((await ana.get(path)).body.meta.total).toBe(0);
    }
    expect((await ana.get('/v1/work/tracker/remote')).body.data.connected).toBe(false);
  });

  it('skips what it cannot try, and fails where something is wrong', { timeout: 60_000 }, async () => {
    const ana = await given.user();
    await ana.post('/v1/work/tracker/timer/start', {});
    const skipping = await smoke('--url', url, '--key', ana.apiKey);
    expect(skipping).toMatchObject({
      code: 0,
      outcomes: { timer: 'skipped', 'plain confirm and its undo': 'skipped' },
    });
    const failing = await smoke('--url', url, '--key', 'bw_wrong');
    expect(failing).toMatchObject({ code: 1, outcomes: { 'no key': 'ok', key: 'FAILED' } });
    expect(failing.told.key).toContain('answered 401 instead of 200 unauthenticated');
  });

  it('says how it is used', async () => {
    expect(await smoke('--url', 'nowhere')).toMatchObject({ code: 2, complaint: expect.stringContaining('Usage') });
  });
});
