import { expect, it, vi } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { getImport } from '#shared/data/remote/imports.ts';
import { startImport } from '#shared/work/remote/start-import.ts';
import { costOf } from '#test/support/capacity.ts';
import { given } from '#test/support/given.ts';
import { deliver, importBy, row, split, useHeldQueue } from '#test/support/imports.ts';
import { beforeTransaction } from '#test/support/interleaving.ts';

const queue = useHeldQueue();

it('a delivery goes on with its other units when another one has just imported the first', async () => {
  const ana = await given.user();
  const rows = Array.from({ length: 60 }, () => row());
  const { organizationId, id } = await startImport(importBy(ana, rows));
  const units = split(queue.messages);
  const [message] = queue.messages;
  const [first] = units;
  if (!message || !first) throw new Error('Nothing was sent.');
  expect(units.length).toBeGreaterThan(1);
  beforeTransaction(async () => expect(await deliver(importChunk, first)).toBe(true));
  const all = { ...message, units: units.flatMap((each) => each.units) };
  expect(await deliver(importChunk, all)).toBe(true);
  expect(await getImport(organizationId, id)).toMatchObject({ status: 'imported', importedCount: 60 });
});

it('a unit that was imported is not read again when its message comes again', async () => {
  const ana = await given.user();
  const rows = Array.from({ length: 60 }, () => row());
  await startImport(importBy(ana, rows));
  const [message] = split(queue.messages);
  if (!message) throw new Error('Nothing was sent.');
  const callsFor = async (again: typeof message) => (await costOf(() => deliver(importChunk, again))).calls;
  expect(await deliver(importChunk, message)).toBe(true);
  expect(await callsFor(message)).toBe(await callsFor({ ...message, units: [] }));
});

it('a delivery begins a unit only with more than 15 seconds left for it, and the next one goes on', async () => {
  const rows = Array.from({ length: 60 }, () => row());
  const { organizationId, id } = await startImport(importBy(await given.user(), rows));
  const [message] = queue.messages;
  if (!message) throw new Error('Nothing was sent.');
  // The first answer is for the bound of the whole delivery.
  const left = vi.fn().mockReturnValueOnce(60_000).mockReturnValueOnce(15_001).mockReturnValue(15_000);
  expect(await deliver(importChunk, message, { getRemainingTimeInMillis: left })).toBe(false);
  expect(await getImport(organizationId, id)).toMatchObject({ status: 'processing', importedCount: 46 });
  expect(await deliver(importChunk, message)).toBe(true);
  expect(await getImport(organizationId, id)).toMatchObject({ status: 'imported', importedCount: 60 });
});
