import { expect, it } from 'vitest';
import { handler as importChunk } from '#functions/remote/import-chunk.ts';
import { importRows } from '#scripts/bench/import.ts';
import { dueImportPartitions } from '#shared/data/layout/keys.ts';
import { startImport } from '#shared/work/remote/start-import.ts';
import { costOf } from '#test/support/capacity.ts';
import { draws } from '#test/support/draws.ts';
import { given } from '#test/support/given.ts';
import { heatOf } from '#test/support/heat.ts';
import { deliver, expectEnded, importBy, useHeldQueue } from '#test/support/imports.ts';

const queue = useHeldQueue();

const ALL_ROWS = importRows();

/** Rows take long to import. */
const ROWS = ALL_ROWS.slice(0, draws(2_000));

/**
 * DynamoDB takes 1,000 write units a second for a partition key: an import of 10,000 rows must not hold one for more
 * than three seconds.
 */
const MAX_UNITS_OF_A_KEY = 3_000 * (ROWS.length / ALL_ROWS.length);

const MAX_UNITS_OF_A_ROW = 4.6;

/** For an import as a whole, in a shard of the index of open imports. */
const MAX_SHARED_UNITS = 4;

it('imports rows of 30 days and 10 projects for 4.6 write units a row, and heats no partition key', {
  timeout: draws(60_000),
}, async () => {
  const ana = await given.user();
  const projects = new Map<string, string>();
  for (const name of new Set(ROWS.map(({ project }) => project))) {
    projects.set(name, (await given.project(ana)).id);
  }
  const rows = ROWS.map((row) => ({ ...row, rate: String(row.rate), tags: [] }));
  const request = importBy(ana, rows, { mappings: { clients: new Map(), projects, users: new Map() } });
  let heat: ReadonlyMap<string, number> = new Map();
  const cost = await costOf(async () => {
    heat = await heatOf(async () => {
      await startImport(request);
      for (const message of queue.messages) expect(await deliver(importChunk, message)).toBe(true);
    });
  });
  expect((await expectEnded(request)).importedCount).toBe(rows.length);
  expect(cost.writeUnits / rows.length).toBeLessThanOrEqual(MAX_UNITS_OF_A_ROW);
  expect(Math.max(...heat.values())).toBeLessThanOrEqual(MAX_UNITS_OF_A_KEY);
  const shared = [...heat].filter(([key]) => !key.includes(ana.organization.id));
  const [shard, units] = shared[0] ?? [];
  expect(shared).toHaveLength(1);
  expect(dueImportPartitions).toContain(shard);
  expect(units).toBeLessThanOrEqual(MAX_SHARED_UNITS);
});
