import { expect, it } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { deleteEntry } from '#shared/contract/tracker/delete-entry.ts';
import { startImport, startScheduledImport } from '#shared/work/remote/start-import.ts';
import { given } from '#test/support/given.ts';
import { deliver, entriesOf, expectEnded, importBy, type Message, row, useHeldQueue } from '#test/support/imports.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';

const queue = useHeldQueue();

const ROWS = [row({ externalId: '1' }), row({ externalId: '2' })];

it('an entry that a confirm imports, and somebody removes, while a schedule imports it, stays away', async () => {
  const ana = await given.user();
  const scheduled = importBy(ana, ROWS, { trigger: 'schedule' });
  await startScheduledImport(scheduled);
  const [message] = queue.messages.splice(0);
  beforeTransaction(async () => {
    await startImport(importBy(ana, ROWS.slice(0, 1)));
    expect(await deliver(importChunk, queue.messages[0] as Message)).toBe(true);
    const [entry] = await entriesOf(ana, ROWS.slice(0, 1));
    expect((await invoke(deleteEntry, ana, { params: { id: `${entry?.id}` } })).status).toBe(200);
  });
  expect(await deliver(importChunk, message as Message)).toBe(true);
  expect((await entriesOf(ana, ROWS)).map(({ imported }) => imported?.externalId)).toEqual(['2']);
  expect(await expectEnded(scheduled)).toMatchObject({ importedCount: 1, dedupedCount: 1 });
});
