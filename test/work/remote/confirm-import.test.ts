import { expect, it, vi } from 'vitest';
import { database } from '#shared/data/table/database.ts';
import { confirmImport } from '#shared/work/remote/confirm-import.ts';
import { startImport } from '#shared/work/remote/start-import.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';
import { importBy, row, useHeldQueue } from '#test/support/imports.ts';
import { useLog } from '#test/support/log.ts';

const queue = useHeldQueue();
const { written, recordLog } = useLog();

it('an import that goes on is looked at as long as more than three seconds are left to answer', async () => {
  const remaining = vi.fn().mockReturnValueOnce(3_001).mockReturnValue(3_000);
  const shown = await confirmImport(importBy(await given.user(), [row()]), remaining);
  expect(shown).toMatchObject({ isDone: false, data: { status: 'processing' } });
  expect(remaining).toHaveBeenCalledTimes(2);
});

it('an import whose rows were sent goes on though the table fails then, which is logged', async () => {
  const mappings = { clients: new Map([['Acme', null]]), projects: new Map(), users: new Map() };
  const request = importBy(await given.user(), [row({ client: 'Acme' })], { mappings });
  queue.onMessage = () => void vi.spyOn(database, 'send').mockRejectedValue(new Error('no table'));
  recordLog();
  expect(await confirmImport(request, () => 9_000)).toMatchObject({ isDone: false, data: { status: 'processing' } });
  const lines = written.map((line) => JSON.parse(line));
  const { jobId: importJobId, organizationId } = request;
  const error = expect.objectContaining({ message: 'no table' });
  expect(lines.sort((one, other) => one.message.localeCompare(other.message))).toEqual(
    [
      { message: 'import is not looked at', importJobId },
      { message: 'import is not noted as sent', importJobId },
      { message: 'mappings are not remembered', organizationId },
    ].map((line) => expect.objectContaining({ level: 'WARN', error, ...line })),
  );
});

it('the rates that users have in a project are read only for rows without one', async () => {
  const ana = await given.user();
  const project = await given.project(ana, { userRates: [{ userId: ana.userId, rate: '90' }] });
  const mappings = { clients: new Map(), projects: new Map([['P', project.id]]), users: new Map() };
  const callsFor = async (rate: string | null) =>
    (await costOf(() => startImport(importBy(ana, [row({ project: 'P', rate })], { mappings })))).calls;
  // The first import reads the directory.
  await callsFor('20');
  expect(await callsFor(null)).toBe((await callsFor('20')) + 1);
});
