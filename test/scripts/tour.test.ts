import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { type Block, blocksOf, scriptOf } from '#scripts/shell-blocks.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { inTemporaryFolder } from '#test/infra/sample.ts';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import { runScript } from '#test/support/programs.ts';

/** Every command that the README and the tour tell a newcomer to type works as it stands there. */

const root = join(import.meta.dirname, '../..');
const textOf = (document: string) => readFileSync(join(root, document), 'utf8');

const run = promisify(execFile);

const stepsOf = (document: string): Block[] => blocksOf(textOf(document));

/** A step may wait for what does not come. */
const MOST_MILLISECONDS = 100_000;

/** @returns for each step, the lines that it prints */
async function runAll(steps: readonly Block[], settings: Readonly<Record<string, string>> = {}): Promise<string[][]> {
  const cloud = { PORT: new URL(inject('baseUrl')).port, DATA_DIR: inject('dataDir') };
  const env = { ...process.env, ...cloud, ...settings };
  const { stdout } = await run('bash', ['-c', scriptOf(steps)], { cwd: root, timeout: MOST_MILLISECONDS, env });
  return linesOfBlocks(stdout);
}

/** An answer that is shown counts as one line. */
const linesOfBlocks = (output: string): string[][] =>
  output
    .replaceAll(/^\{\n.*?^\}$/gms, (shown) => JSON.stringify(JSON.parse(shown)))
    .split(/^## .*\n/m)
    .slice(1)
    .map((lines) => lines.split('\n').filter((line) => line !== ''));

const today = () => new Date().toISOString().slice(0, 10);

/** An account with the work of today. */
function busyAccount(date: string) {
  return given.remoteAccount({
    entries: [1, 2, 3].map((hours) => ({ date, hours, client: 'Globex', project: 'Website' })),
  });
}

const dataOf = (line: string | undefined): Json => JSON.parse(line ?? 'null')?.data;

describe('the tour', () => {
  it('does what it says, and every command of it succeeds', { timeout: 120_000 }, async () => {
    const ana = await given.user();
    const date = today();
    const { accountId, accessToken } = await busyAccount(date);
    const steps = stepsOf('test/TOUR.md');
    const outputs = await runAll(steps, {
      KEY: ana.apiKey,
      ACCOUNT: accountId,
      TOKEN: accessToken,
      LINES_SHOWN: 'Infinity',
    });
    const told = (heading: string) => outputs[steps.findIndex((step) => step.heading === heading)] ?? [];

    const [unlinked, bea, ...after] = told('Let somebody sign in');
    expect(dataOf(bea)).toMatchObject({ userName: expect.stringContaining('@acme.example') });
    expect([unlinked, ...after]).toEqual(['"linked":false', '"linked":true', '"signIns":1']);
    expect(told('Be refused')).toEqual(['"code":"unauthenticated"', '413']);

    const [sent, beginningOfPdf] = told('Send the invoice');
    expect(dataOf(sent)).toMatchObject({ status: 'sent', number: 'INV-000001' });
    expect(beginningOfPdf).toMatch(/^%PDF-/);
    expect(told('Have it sent to you').at(-1)).toMatch(/ client\.updated .* verified$/);

    const [, checked, authority, , reference, level] = told('Invoice an authority');
    expect(dataOf(checked).problems).toMatchObject([{ path: 'customer.buyerReference', rule: 'BR-DE-15' }]);
    expect(reference).toBe(`BuyerReference>${dataOf(authority).buyerReference}`);
    expect(level).toBe('ConformanceLevel>EN 16931');

    expect(told('Let it sync by itself').at(-1)).toBe('"lastSyncStatus":"succeeded"');
    expect((await ana.get('/v1/work/tracker/remote')).body.data).toEqual({ connected: false });
  });
});

describe('npm run smoke', () => {
  const url = inject('baseUrl');

  /** As an operator sees it: the headings of the blocks that were begun, and the exit code. */
  async function smoke(...args: string[]) {
    const ended = await runScript(join(root, 'scripts/smoke.ts'), args);
    return { ...ended, headings: [...ended.output.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading) };
  }

  const TOUR = stepsOf('test/TOUR.md').map(({ heading }) => heading);

  it('makes the tour anywhere, but for what only works here, and does so again in the same organization', {
    timeout: 180_000,
  }, async () => {
    const ana = await given.user();
    const { accountId, accessToken } = await busyAccount(today());
    const remote = ['--remote-account', accountId, '--remote-token', accessToken];
    const withAccount = await smoke('--url', url, '--key', ana.apiKey, ...remote);
    expect([withAccount.code, withAccount.headings], withAccount.complaint).toEqual([
      0,
      TOUR.filter(
        (heading) =>
          heading !== 'Let it sync by itself' &&
          heading !== 'Let somebody sign in' &&
          heading !== 'Have it sent to you',
      ),
    ]);
    const without = await smoke('--url', `${url}/`, '--key', ana.apiKey);
    expect([without.code, without.headings.slice(-2)], without.complaint).toEqual([
      0,
      ['Invoice an authority', 'Leave'],
    ]);
  });

  it('ends where something is wrong, and shows the answer', async () => {
    const failed = await smoke('--url', url, '--key', 'bw_wrong');
    expect([failed.code, failed.headings.at(-1)]).toEqual([22, 'Introduce yourself']);
    expect(failed.output).toContain('"code": "unauthenticated"');
  });

  it('says how it is used', async () => {
    expect(await smoke('--url', 'nowhere')).toMatchObject({ code: 2, complaint: expect.stringContaining('Usage') });
  });
});

describe('the README', () => {
  const steps = stepsOf('README.md');
  const stepOf = (command: string) => steps.filter(({ commands }) => commands.includes(command));

  it('makes another key where the demo key is lost, bills the work of today with it, and has the PDF in the end', async () => {
    const whose = { heading: '', commands: 'call $URL/v1/me\n' };
    const [key = [], walk = [], me = []] = await runAll([
      ...stepOf('npm run --silent keys '),
      ...stepOf('call '),
      whose,
    ]);
    expect(key).toEqual([]);
    expect(dataOf(me[0])).toMatchObject({ organizationName: 'Demo', userName: 'Demo', scopes: SCOPES });
    const [entry, sent] = walk.map(dataOf);
    expect(entry).toMatchObject({ description: 'Workshop', amount: '180.00' });
    expect(sent).toMatchObject({ status: 'sent', number: expect.stringMatching(/^INV-/), total: '180.00' });
    expect(sent.lineItems.map(({ entryIds }: Json) => entryIds)).toEqual([[entry.id]]);
    expect(textOf('dist/invoice.pdf')).toMatch(/^%PDF-/);
    expect(stepOf('dist/invoice.pdf').at(-1)?.commands).toBe('xdg-open dist/invoice.pdf\n');
  });

  it('makes the types of a client', async () => {
    const [generate] = stepOf('npx openapi-typescript ');
    const [[, done] = []] = await runAll(generate ? [generate] : []);
    expect(done).toContain('test/golden/openapi.json');
  });
});

describe('.ci/smoke', () => {
  const smoke = (url: string) =>
    inTemporaryFolder(async (folder) => {
      const { TABLE_NAME: TableName = '', ...credentials } = inject('operatorEnvironment');
      const outputs = join(folder, 'outputs.json');
      const stacks = { 'billwright-api': { Url: url }, 'billwright-data': { TableName } };
      await writeFile(outputs, JSON.stringify(stacks, null, 2));
      const env = { ...process.env, ...credentials };
      return run('.ci/smoke', [outputs], { cwd: root, timeout: MOST_MILLISECONDS, env });
    });

  it('makes the tour on what was deployed, with a key of its own that it revokes', { timeout: 120_000 }, async () => {
    const { stdout } = await smoke(inject('baseUrl'));
    expect(stdout).toContain('## Bill the work');
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^\{"success":true,"id":"[\w-]+"\}$/);
  });

  it('fails where the tour fails, and revokes its key all the same', { timeout: 120_000 }, async () => {
    await expect(smoke('http://localhost:1')).rejects.toMatchObject({
      code: expect.toSatisfy((code) => code !== 0),
      stdout: expect.stringContaining('{"success":true'),
    });
  });
});
