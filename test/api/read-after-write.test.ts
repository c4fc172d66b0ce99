import { describe, expect, it } from 'vitest';
import { fuzzReads } from '#test/fuzz/reads.ts';
import { useInstances } from '#test/support/api.ts';
import { given } from '#test/support/given.ts';

/** A sample of `npm run fuzz -- reads`, which makes 10,000 writes. */

useInstances();

const WRITES = 60;
const SEED = 1;

describe('reads that follow writes at once', () => {
  it('show all that was answered before, in content and in number', { timeout: 120_000 }, async () => {
    const { violations, writes, reads } = await fuzzReads(WRITES, SEED);
    expect(violations).toEqual([]);
    expect(writes).toBeGreaterThanOrEqual(WRITES);
    expect(reads).toBeGreaterThanOrEqual(WRITES);
  });

  it('would be found out if they showed anything else', { timeout: 120_000 }, async () => {
    const { violations } = await fuzzReads(WRITES, SEED, async () => {
      const by = await given.user();
      await given.entry(by);
      return by;
    });
    expect(violations.filter((violation) => /^After the \d+th write, /.test(violation))).not.toEqual([]);
  });
});

describe('lists of clients and invoices by creation', () => {
  const CLIENTS = [{}, { q: 'north' }];
  const INVOICES = [{}, { q: 'north' }, { status: 'draft' }, { overdue: false }, { issueFrom: '2026-01-01' }];
  const LISTS = [
    ...CLIENTS.map((filter) => ['/clients', filter] as const),
    ...INVOICES.map((filter) => ['/invoices', filter] as const),
  ];
  const ROUNDS = 4;

  it('show at once what is also in indexes, which are late', async () => {
    const ana = await given.user();
    const shown = () =>
      Promise.all(
        LISTS.flatMap(([path, filter]) => [
          ana.get(path, filter).then(({ body }) => body.data.length),
          ana.get(path, { pagination: 'cursor', ...filter }).then(({ body }) => body.edges.length),
        ]),
      );
    for (let made = 0; made <= ROUNDS; made++) {
      expect(await shown()).toEqual(Array(2 * LISTS.length).fill(made));
      const client = await given.client(ana);
      await given.invoice(ana, { clientId: client.id, issueDate: '2026-11-20' });
    }
  });
});
