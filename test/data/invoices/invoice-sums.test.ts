import fc from 'fast-check';
import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { createInvoice } from '#shared/contract/invoices/create-invoice.ts';
import { summarizeEntries } from '#shared/contract/tracker/summarize-entries.ts';
import { writeEntries } from '#shared/data/tracker/entries.ts';
import { TIME_GROUPINGS } from '#shared/domain/invoices/tracked-time.ts';
import { formatMinor, minorDigits, parseMinor } from '#shared/domain/money.ts';
import { newEntry } from '#shared/domain/tracker/entry.ts';
import type { Json } from '#test/support/client.ts';
import { draws } from '#test/support/draws.ts';
import { given, type User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

/**
 * That invoices amount to what the summary says, to the last minor unit: both as they are answered, from entries that
 * are in the table.
 */

const RUNS = draws(4);
const MAX_ENTRIES = 30;

/** Of each run, which has a year of its own. */
const FIRST_YEAR = 2_000;

const LAST_DAY = 6;

const day = fc.integer({ min: 1, max: LAST_DAY });

const rate = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('0', '19.99', '0.000001', undefined) },
  { weight: 3, arbitrary: fc.tuple(fc.nat({ max: 999 }), fc.nat({ max: 999_999 })).map((parts) => parts.join('.')) },
);

const work = fc.record({
  day,
  durationMinutes: fc.oneof(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 50_000 })),
  billable: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  rate: fc.nat({ max: 2 }),
  project: fc.nat({ max: 2 }),
});

const runs = fc.record({
  /** Few, so that lines have several entries. */
  rates: fc.tuple(rate, rate, rate),
  works: fc.array(work, { minLength: 1, maxLength: MAX_ENTRIES, size: 'max' }),
  groupBy: fc.constantFrom(...TIME_GROUPINGS),
  /** Up to which day a first invoice bills; a second one bills the rest. */
  until: day,
});

type Run = typeof runs extends fc.Arbitrary<infer T> ? T : never;

interface Scene {
  readonly by: User;
  readonly client: Json;
  /** One without a rate of its own. */
  readonly projects: readonly Json[];
}

async function scene(currency: string): Promise<Scene> {
  const by = await given.user({ currency });
  const client = await given.client(by);
  const projects = [];
  for (const rate of [33.333, 7, undefined]) projects.push(await given.project(by, { clientId: client.id, rate }));
  return { by, client, projects };
}

const dateOf = (year: number, ofMonth: number) => `${year}-06-${String(ofMonth).padStart(2, '0')}`;

async function book({ by, projects }: Scene, year: number, { works, rates }: Run): Promise<void> {
  const owner = { organizationId: by.organization.id, userId: by.userId, currency: by.organization.currency };
  const entries = works.map(({ day: ofMonth, project, rate: position, ...values }) =>
    newEntry(
      { ...values, rate: rates[position], description: 'Work', entryDate: dateOf(year, ofMonth) },
      projects[project],
      owner,
      uuidV7(),
      new Date(),
    ),
  );
  await writeEntries(
    owner.organizationId,
    entries.map((after) => ({ before: null, after })),
  );
}

/** @returns the lines of an invoice of the days; none where there is nothing to bill */
async function bill(
  { by, client }: Scene,
  groupBy: string,
  days: { readonly dateFrom: string; readonly dateTo: string },
): Promise<Json[]> {
  const body = { clientId: client.id, timeEntries: { ...days, groupBy } };
  const { status, code, data } = await invoke(createInvoice, by, { body });
  if (status === 201) return data.lineItems;
  expect([status, code]).toEqual([400, 'invoice_empty']);
  return [];
}

const sumOf = (lines: readonly Json[]) => lines.reduce((sum: bigint, { amount }: Json) => sum + parseMinor(amount), 0n);

describe('the lines of tracked time', () => {
  it.each(['JPY', 'USD', 'BHD'])('amount to the summary of the same days in %s', async (currency) => {
    const place = await scene(currency);
    const figures = { runs: 0, entries: 0, lines: 0 };
    const run = async (drawn: Run) => {
      const { works, groupBy, until } = drawn;
      const year = FIRST_YEAR + figures.runs;
      const [dateFrom, dateTo] = [dateOf(year, 1), dateOf(year, LAST_DAY)];
      await book(place, year, drawn);
      const { data: summary } = await invoke(summarizeEntries, place.by, { query: { dateFrom, dateTo } });
      const first = await bill(place, groupBy, { dateFrom, dateTo: dateOf(year, until) });
      const rest = await bill(place, groupBy, { dateFrom, dateTo });
      const billed = formatMinor(sumOf([...first, ...rest]), currency);
      expect(billed).toBe(summary.totalAmount.toFixed(minorDigits(currency)));
      figures.runs += 1;
      figures.entries += works.length;
      figures.lines += first.length + rest.length;
    };
    await fc.assert(fc.asyncProperty(runs, run), { numRuns: RUNS, endOnFailure: true });
    expect(figures.lines).toBeGreaterThan(RUNS);
  });
});
