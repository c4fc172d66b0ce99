import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

/** What the README and the tour tell a newcomer to type works, as it stands there. */

const root = join(import.meta.dirname, '../..');
const textOf = (document: string) => readFileSync(join(root, document), 'utf8');

const run = promisify(execFile);

interface Step {
  readonly heading: string;
  readonly commands: string;
}

/** The blocks of a document that are for the shell, each with the heading that it stands below. */
function stepsOf(document: string): Step[] {
  return textOf(document)
    .split(/^## /m)
    .flatMap((section) => {
      const [heading = ''] = section.split('\n', 1);
      return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => ({ heading, commands }));
    });
}

/** Stands on a line of its own between the outputs of two steps. */
const MARK = '=== next step ===';

/** A step may wait for what does not come. */
const MOST_MILLISECONDS = 100_000;

/** As if all blocks were pasted into one shell, which ends with the first command that fails. */
async function runAll(steps: readonly Step[], settings: Readonly<Record<string, string>>): Promise<string[][]> {
  const script = [
    'set -euo pipefail',
    ...Object.entries(settings).map(([name, value]) => `export ${name}='${value}'`),
    ...steps.map(({ commands }) => `${commands}echo '${MARK}'`),
  ].join('\n');
  const { stdout } = await run('bash', ['-c', script], { cwd: root, timeout: MOST_MILLISECONDS });
  return stdout.split(`${MARK}\n`).map((output) => output.split('\n').filter((line) => line !== ''));
}

const dataOf = (line: string | undefined): Json => JSON.parse(line ?? 'null')?.data;

describe('the tour', () => {
  it('does what it says, and every command of it succeeds', { timeout: 120_000 }, async () => {
    const ana = await given.user();
    const date = new Date().toISOString().slice(0, 10);
    const entries = [1, 2, 3].map((hours) => ({ date, hours, client: 'Globex', project: 'Website' }));
    const { accountId, accessToken } = await given.remoteAccount({ entries });
    const steps = stepsOf('test/TOUR.md');
    const outputs = await runAll(steps, {
      KEY: ana.apiKey,
      PORT: new URL(inject('baseUrl')).port,
      DATA_DIR: inject('dataDir'),
      ACCOUNT: accountId,
      TOKEN: accessToken,
    });
    const told = (heading: string) => outputs[steps.findIndex((step) => step.heading === heading)] ?? [];

    const [me, organization] = told('Introduce yourself').map(dataOf);
    expect(me).toMatchObject({ keyId: ana.keyId, organizationName: ana.organization.name });
    expect(organization).toMatchObject({ id: me.organizationId, legalName: 'Acme Consulting GmbH', locale: 'de' });

    const [found, changed] = told('Keep a catalog').map(dataOf);
    expect(found).toMatchObject([{ name: 'Consulting', price: '120.00' }]);
    expect(changed).toMatchObject({ id: found[0].id, price: '135.00' });

    const [stopped] = told("Track a day's work").map(dataOf);
    expect(stopped.workEntry).toMatchObject({ description: 'Sketches', durationMinutes: 1, rate: '95' });

    const [booked, summary] = told('Book by hand').map(dataOf);
    expect(booked).toMatchObject({ description: 'Workshop', durationMinutes: 90 });
    expect(summary).toMatchObject({ totalMinutes: 91 });

    const [draft] = told('Bill the work').map(dataOf);
    const dueDate = new Date(Date.parse(date) + 14 * 86_400_000).toISOString().slice(0, 10);
    const terms = { purchaseOrder: 'PO-4711', discountPercent: '10', dueDate, notes: 'Thank you.', locale: 'de' };
    expect(draft).toMatchObject({ status: 'draft', number: null, seller: { city: 'Hamburg' }, ...terms });
    expect(draft.lineItems[0]).toMatchObject({ amount: '270.00', discount: '27.00' });
    expect(draft.lineItems.map(({ name }: Json) => name)).toEqual(['Consulting', 'Hosting', 'Website']);
    expect(draft.lineItems[2].entryIds.toSorted()).toEqual([stopped.workEntry.id, booked.id].toSorted());

    const [sent, beginningOfPdf] = told('Send the invoice');
    expect(dataOf(sent)).toMatchObject({ status: 'sent', number: 'INV-000001' });
    expect(beginningOfPdf).toMatch(/^%PDF-/);

    const [payment, deletion, ...others] = told('Take the payments');
    const [payments, due, paid] = others.map(dataOf);
    expect(dataOf(payment)).toMatchObject({ amount: '100.00', method: 'Bank transfer', date });
    expect(JSON.parse(deletion ?? '')).toMatchObject({ success: true });
    expect(payments).toEqual([dataOf(payment)]);
    expect(due).toMatchObject([{ id: draft.id, amountPaid: '100.00', isOverdue: false }]);
    expect(paid).toMatchObject({ status: 'paid', amountDue: '0.00' });

    const [imported] = told('Import the reviewed rows').map(dataOf);
    expect(imported).toMatchObject({ status: 'imported', importedCount: 3 });
    const [repeated, history] = told('Import them again').map(dataOf);
    expect(repeated).toMatchObject({ importedCount: 0, skippedCount: 3 });
    expect(history.map(({ id }: Json) => id)).toEqual([repeated.importJobId, imported.importJobId]);

    const [foreseen, undone, again] = told('Take the import back').map(dataOf);
    expect(foreseen).toMatchObject({ importJobId: imported.importJobId, removedCount: 3 });
    expect(undone).toEqual(foreseen);
    expect(again).toMatchObject({ importedCount: 3 });

    expect(dataOf(told('Let it sync by itself').at(-1))).toMatchObject({
      syncEnabled: true,
      lastSyncStatus: 'succeeded',
    });
    expect((await ana.get('/v1/work/tracker/remote')).body.data).toEqual({ connected: false });
  });

  it('leaves nothing to be copied, and knows no month', () => {
    const text = stepsOf('test/TOUR.md')
      .map(({ commands }) => commands)
      .join('\n');
    expect(text).not.toMatch(/<[^>\n]*>|\b20\d\d-(?!12-31)/);
  });
});

describe('the README', () => {
  const steps = stepsOf('README.md');
  const stepOf = (command: string) => steps.filter(({ commands }) => commands.includes(command));

  it('makes another key where the demo key is lost, and bills the work of today with it', async () => {
    const whose = { heading: '', commands: 'call $URL/v1/me\n' };
    const [key = [], walk = [], me = []] = await runAll(
      [...stepOf('npm run --silent keys '), ...stepOf('call '), whose],
      {
        PORT: new URL(inject('baseUrl')).port,
        DATA_DIR: inject('dataDir'),
      },
    );
    expect(key).toEqual([]);
    expect(dataOf(me[0])).toMatchObject({ organizationName: 'Demo', userName: 'Demo', scopes: SCOPES });
    const [entry, sent] = walk.map(dataOf);
    expect(entry).toMatchObject({ description: 'Workshop', amount: '180.00' });
    expect(sent).toMatchObject({ status: 'sent', number: expect.stringMatching(/^INV-/), total: '180.00' });
    expect(sent.lineItems.map(({ entryIds }: Json) => entryIds)).toEqual([[entry.id]]);
  });

  it('makes the types of a client', async () => {
    const [generate] = stepOf('npx openapi-typescript ');
    const [[, done] = []] = await runAll(generate ? [generate] : [], {});
    expect(done).toContain('test/golden/openapi.json');
  });

  it('leaves nothing to be copied, and knows no month', () => {
    for (const { commands } of steps) expect(commands).not.toMatch(/<[^>\n]*>|\b20\d\d-/);
  });
});
