import { describe, expect, it } from 'vitest';
import { mapInParallel } from '#shared/data/table/parallel.ts';
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
