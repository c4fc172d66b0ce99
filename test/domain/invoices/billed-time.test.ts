import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIME_GROUPINGS, timeLines, timeLinesOfAll } from '#shared/domain/invoices/tracked-time.ts';
import { formatMinor, minorAsNumber, sumMinor, workAmountMinor } from '#shared/domain/money.ts';
import { roundedMinutes, type TimeRounding } from '#shared/domain/time-rounding.ts';
import { amountMinorOf, type Entry, newEntry, reviseEntry } from '#shared/domain/tracker/entry.ts';
import { summarize } from '#shared/domain/tracker/summary.ts';
import { groupCells } from '#shared/domain/tracker/summary-groups.ts';
import { minutesOfQuantity } from '#shared/domain/tracker/work-time.ts';
import { eInvoiceOf } from '#shared/e-invoice/document-model.ts';
import { invoice, line } from '#test/e-invoice/documents.ts';
import { totalsOf } from '#test/support/bulk-entries.ts';
import { draws } from '#test/support/draws.ts';
import { anyRounding } from '#test/support/rounding.ts';
import { unlessRefused } from '#test/support/unless-refused.ts';

/** In a search of properties, 10,000. */
const ENTRIES = draws(1_250);
const TOGETHER = 4;

const PROJECTS = ['p1', 'p2'] as const;

const projectNames = new Map(PROJECTS.map((name) => [name, name] as const));

const wishes = {
  taxRate: '19',
  taxCategory: 'standard',
  taxExemptionReason: null,
  projectNames,
  newId: () => 'line',
} as const;

/** The rules at one moment. Each may be another one at the next. */
const rules = fc.record({ organization: anyRounding, p1: anyRounding, p2: anyRounding });

type Rules = typeof rules extends fc.Arbitrary<infer T> ? T : never;

const project = fc.constantFrom(...PROJECTS, null);
const given = fc.constantFrom(undefined, undefined, null, 0, 7, 75, 525_600);
const durationMinutes = fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 525_600 }));

const changes = fc.record(
  { durationMinutes, project, billable: fc.boolean(), billedMinutes: given, description: fc.constant('Other') },
  { requiredKeys: [] },
);

const works = fc.record({
  durationMinutes,
  project,
  billable: fc.boolean(),
  given,
  rate: fc.constantFrom('0', '33.333333', '100', '0.01'),
  made: rules,
  changes: fc.array(fc.record({ changes, at: rules }), { maxLength: 3 }),
});

type Work = typeof works extends fc.Arbitrary<infer T> ? T : never;

const owner = { organizationId: 'org', userId: 'ana', currency: 'EUR' };
const NOW = new Date(0);

const termsOf = (id: 'p1' | 'p2' | null, at: Rules) =>
  id && { id, clientId: null, currency: 'EUR', defaultRate: null, rounding: at[id] };

/** What the books say of an entry, told otherwise than by the code under test. */
interface Billed {
  durationMinutes: number;
  project: 'p1' | 'p2' | null;
  billable: boolean;
  minutes: number;
}

function billedBy(work: Omit<Billed, 'minutes'>, at: Rules): number {
  const rule: TimeRounding | null = (work.project && at[work.project]) ?? at.organization;
  return work.billable ? roundedMinutes(work.durationMinutes, rule) : work.durationMinutes;
}

/** @returns undefined for what is refused */
function expected(before: Billed | null, sent: Partial<Work['changes'][number]['changes']>, at: Rules) {
  const { durationMinutes = 0, project = null, billable = true } = { ...before, ...sent };
  const work = { durationMinutes, project, billable };
  const wanted = sent.billedMinutes ?? null;
  if (!billable && wanted !== null && wanted !== durationMinutes) return undefined;
  if (wanted !== null) return { ...work, minutes: wanted };
  const isOther = (['durationMinutes', 'project', 'billable'] as const).some((name) => work[name] !== before?.[name]);
  const isAnew = isOther || sent.billedMinutes === null;
  return { ...work, minutes: isAnew || !before ? billedBy(work, at) : before.minutes };
}

/** The entry after all its changes, beside what it should bill. */
function written(work: Work, id: string): { entry: Entry; billed: Billed } | undefined {
  const { made } = work;
  const draft = { description: 'Work', entryDate: '2026-11-20', ...work, clientId: 'c', billedMinutes: work.given };
  const home = { ...owner, rounding: made.organization };
  let billed = expected(null, { ...work, billedMinutes: work.given }, made);
  let entry = unlessRefused(() => newEntry(draft, termsOf(work.project, made), home, id, NOW));
  expect(entry?.billedMinutes).toBe(billed?.minutes);
  if (!entry || !billed) return undefined;
  for (const { changes: sent, at } of work.changes) {
    const before: Entry = entry;
    const { project: wanted = billed.project, ...rest } = sent;
    const after = unlessRefused(() =>
      reviseEntry(before, rest, termsOf(wanted, at), NOW, { rounding: at.organization }),
    );
    const told = expected(billed, sent, at);
    expect(after?.billedMinutes).toBe(told?.minutes);
    entry = after ?? before;
    billed = told ?? billed;
  }
  return { entry, billed };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

describe('billed time', () => {
  it('is the same in entries, projects, summaries, invoices and e-invoices, whatever rules and changes come', () => {
    fc.assert(
      fc.property(
        fc.array(works, { minLength: TOGETHER, maxLength: TOGETHER }),
        fc.constantFrom(...TIME_GROUPINGS, null),
        (all, groupBy) => {
          const known = all.flatMap((work, i) => written(work, `e${i}`) ?? []);
          const entries = known.map(({ entry }) => entry);
          const billable = known.filter(({ billed }) => billed.billable);
          const minutes = sum(billable.map(({ billed }) => billed.minutes));
          const amounts = billable.map(({ billed, entry }) =>
            workAmountMinor(billed.minutes, entry.rate ?? '0', 'EUR'),
          );

          expect(totalsOf(entries)).toMatchObject({ billedMinutes: minutes });
          const cells = entries.map((entry) => ({
            dimensions: entry,
            minutes: entry.durationMinutes,
            billedMinutes: entry.billedMinutes,
            amountMinor: amountMinorOf(entry),
          }));
          const summary = summarize(cells, projectNames, 'EUR');
          const groups = groupCells(cells, ['project'], { projects: new Map(), clients: new Map(), users: new Map() });
          for (const parts of [[summary], summary.byProject, summary.byCurrency, groups])
            expect(sum(parts.map(({ billedMinutes }) => billedMinutes))).toBe(minutes);
          expect(summary.trackedMinutes).toBe(sum(known.map(({ billed }) => billed.durationMinutes)));
          expect(summary.totalAmount).toBe(minorAsNumber(sumMinor(amounts), 'EUR'));

          const onInvoice = billable.map(({ entry }) => ({ ...entry, rate: entry.rate ?? '0' }));
          const lines = groupBy ? timeLines(onInvoice, { ...wishes, groupBy }) : timeLinesOfAll(onInvoice, wishes);
          expect(lines.flatMap(({ entryIds }) => entryIds).toSorted()).toEqual(onInvoice.map(({ id }) => id));
          const hours = lines.map(({ quantity }) => minutesOfQuantity(quantity));
          expect(sum(hours)).toBe(minutes);
          const worked = lines.map(({ workedMinutes }, i) => workedMinutes ?? hours[i] ?? 0);
          expect(sum(worked)).toBe(sum(billable.map(({ billed }) => billed.durationMinutes)));
          const document = invoice({ lineItems: lines.map((each) => line(each)) });
          expect(document.subtotal).toBe(formatMinor(sumMinor(amounts), 'EUR'));
          const file = eInvoiceOf(document, 'xrechnung-ubl');
          expect(sum(file.lines.map(({ quantity }) => Number(quantity)))).toBe(minutes);
          expect(file.totals.lines).toBe(document.subtotal);
        },
      ),
      { numRuns: Math.ceil(ENTRIES / TOGETHER) },
    );
  });
});
