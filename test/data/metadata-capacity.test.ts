import { describe, expect, it } from 'vitest';
import { batchesOf, mapInParallel } from '#shared/data/table/parallel.ts';
import { readEntries, writeEntries } from '#shared/data/tracker/entries.ts';
import { metadataWrites } from '#shared/data/tracker/entry-metadata.ts';
import { NO_METADATA } from '#shared/domain/metadata.ts';
import { withMetadata } from '#shared/domain/tracker/entry.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { costOf } from '#test/support/capacity.ts';
import type { Client, Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

/** 8,145 bytes of JSON, of 8,192. */
const LARGEST = Object.fromEntries(
  Array.from({ length: 16 }, (_, i) => [`n${String(i).padStart(2, '0')}`, 'x'.repeat(500)]),
);

type Make = (by: Client, values: Readonly<Record<string, unknown>>) => Promise<Json>;

/** 8 KB, as they are at the moment of the request. */
const UNITS_OF_ROW = 2;

describe('a list of the longest pages, with the largest metadata', () => {
  it.each<[string, Make, number]>([
    ['/products', given.product, 100],
    ['/clients', given.client, 100],
    ['/v1/work/tracker/projects', given.project, 200],
    ['/invoices', given.invoice, 100],
  ])('%s takes what its rows weigh, and shows them whole', { timeout: 60_000 }, async (path, make, limit) => {
    const ana = await given.user();
    const { id: clientId } = await given.client(ana);
    const made = await mapInParallel(Array.from({ length: limit }), () => make(ana, { clientId }), 10);
    const list = () => ana.send('GET', path, { query: { limit } });
    const without = await costOf(list);
    await mapInParallel(made, ({ id }) => ana.patch(`${path}/${id}`, { metadata: LARGEST }), 10);
    const full = await costOf(list);
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body.data.filter(({ metadata }: Json) => Object.keys(metadata).length === 16)).toHaveLength(limit);
    expect(full.readUnits - without.readUnits).toBeLessThanOrEqual(limit * UNITS_OF_ROW);
    const { readUnits } = await costOf(() => ana.send('GET', path, { query: { limit, offset: limit - 1 } }));
    expect(readUnits).toBeLessThanOrEqual(full.readUnits * 1.1);
  });
});

const ENTRIES = '/v1/work/tracker/entries';

it('metadata take little to read on 200 rows of a crowded day, none in a file, and nothing where there are none', {
  timeout: 60_000,
}, async () => {
  const ana = await given.user();
  const { id: organizationId } = ana.organization;
  const list = () => ana.send('GET', ENTRIES, { query: { limit: 200 } });
  const file = () => ana.send('GET', ENTRIES, { headers: { accept: 'text/csv' } });
  await bookEntries(ana, null, 2_100, ['2026-11-20']);
  const [without, ofFile] = [await costOf(list), await costOf(file)];
  const page: Json[] = (await list()).body.data;
  const entries = await readEntries(organizationId, new Set(page.map(({ id }) => id)));
  for (const some of batchesOf(entries, 30)) {
    const changes = some.map((before) => ({ before, after: withMetadata(before, NO_METADATA, LARGEST, new Date()) }));
    const others = some.flatMap((entry) => metadataWrites(entry, NO_METADATA, LARGEST));
    await writeEntries(changes, { others });
  }
  const full = await costOf(list);
  expect(without.readUnits).toBeLessThan(100);
  expect(full.readUnits - without.readUnits).toBeLessThanOrEqual(200 * 3 + 1);
  expect((await list()).body.data.every(({ metadata }: Json) => Object.keys(metadata).length === 16)).toBe(true);
  expect((await costOf(file)).readUnits).toBeLessThan(ofFile.readUnits * 1.1);
  expect((await file()).body).not.toContain('metadata');
});
