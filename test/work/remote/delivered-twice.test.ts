import { expect, it, vi } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { getImport } from '#shared/data/remote/imports.ts';
import { startImport } from '#shared/work/remote/start-import.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';
import { deliver, importBy, row, split, useHeldQueue } from '#test/support/imports.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';

const queue = useHeldQueue();

/** An import of two units, in one message. */
async function begun() {
  const rows = Array.from({ length: 60 }, () => row());
  const { organizationId, id } = await startImport(importBy(await given.user(), rows));
  const [message] = queue.messages;
  const [first] = split(queue.messages);
  if (!message || !first) throw new Error('Nothing was sent.');
  return { message, first, job: () => getImport(organizationId, id) };
}

it('a delivery goes on with its other units when another one has just imported the first', async () => {
  const { message, first, job } = await begun();
  expect(message.units.length).toBeGreaterThan(1);
  beforeTransaction(async () => expect(await deliver(importChunk, first)).toBe(true));
  expect(await deliver(importChunk, message)).toBe(true);
  expect(await job()).toMatchObject({ status: 'imported', importedCount: 60 });
});

it('a unit that was imported is not read again when its message comes again', async () => {
  const { first } = await begun();
  const callsFor = async (again: typeof first) => (await costOf(() => deliver(importChunk, again))).calls;
  expect(await deliver(importChunk, first)).toBe(true);
  expect(await callsFor(first)).toBe(await callsFor({ ...first, units: [] }));
});

it('a delivery begins a unit only with more than 15 seconds left for it, and the next one goes on', async () => {
  const { message, job } = await begun();
  // The first answer is for the bound of the whole delivery.
  const left = vi.fn().mockReturnValueOnce(60_000).mockReturnValueOnce(15_001).mockReturnValue(15_000);
  expect(await deliver(importChunk, message, { getRemainingTimeInMillis: left })).toBe(false);
  expect(await job()).toMatchObject({ status: 'processing', importedCount: 46 });
  expect(await deliver(importChunk, message)).toBe(true);
  expect(await job()).toMatchObject({ status: 'imported', importedCount: 60 });
});
