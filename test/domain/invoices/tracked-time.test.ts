import { describe, expect, it } from 'vitest';
import { chosenEntries, unbilled } from '#shared/domain/invoices/chosen-entries.ts';
import { type LineDraft, lineItemsOf } from '#shared/domain/invoices/line-item.ts';
import {
  type BillableEntry,
  isBillable,
  type TimeGrouping,
  timeLines,
  timeLinesOfAll,
} from '#shared/domain/invoices/tracked-time.ts';
import type { Entry } from '#shared/domain/tracker/entry.ts';
import { billableEntry, NO_SOURCES } from '#test/support/invoice-sources.ts';
import { refused } from '#test/support/refusals.ts';

const projectNames = new Map([
  ['p1', 'Website'],
  ['p2', 'App'],
]);
const wishes = { taxRate: null, taxCategory: null, taxExemptionReason: null, projectNames, newId: () => 'line' };

let count = 0;

function entry(values: Partial<BillableEntry> = {}): BillableEntry {
  count += 1;
  const id = `e${String(count).padStart(6, '0')}`;
  return billableEntry({ id, projectId: 'p1', createdAt: new Date(count).toISOString(), ...values });
}

const linesOf = (entries: readonly BillableEntry[], groupBy: TimeGrouping) =>
  timeLines(entries, { ...wishes, groupBy });

describe('tracked time', () => {
  const entries = [
    entry({ entryDate: '2026-11-21', description: 'Tests', durationMinutes: 30 }),
    entry({ entryDate: '2026-11-20', description: 'Sketches' }),
    entry({ entryDate: '2026-11-20', projectId: 'p2', durationMinutes: 50 }),
    entry({ entryDate: '2026-11-22', projectId: null }),
    entry({ entryDate: '2026-11-22', projectId: 'gone', rate: '80.5' }),
  ];
  const shown = (groupBy: TimeGrouping) =>
    linesOf(entries, groupBy).map(({ name, description, quantity, price, amount, entryIds }) =>
      [name, description, quantity, price, amount, entryIds.length].join(' | '),
    );

  it('by entry has a line for each, in the order of time', () => {
    expect(shown('entry')).toEqual([
      'Website | 2026-11-20: Sketches | 1 | 100 | 100.00 | 1',
      'App | 2026-11-20: Work | 0.833333 | 100 | 83.33 | 1',
      'Website | 2026-11-21: Tests | 0.5 | 100 | 50.00 | 1',
      'Tracked time | 2026-11-22: Work | 1 | 100 | 100.00 | 1',
      'Tracked time | 2026-11-22: Work | 1 | 80.5 | 80.50 | 1',
    ]);
  });

  it('by project has a line for each project and rate, by name; what has no project, or none any more, is together', () => {
    expect(shown('project')).toEqual([
      'App | 2026-11-20 | 0.833333 | 100 | 83.33 | 1',
      'Tracked time | 2026-11-22 | 1 | 80.5 | 80.50 | 1',
      'Tracked time | 2026-11-22 | 1 | 100 | 100.00 | 1',
      'Website | 2026-11-20 to 2026-11-21 | 1.5 | 100 | 150.00 | 2',
    ]);
  });

  it('by day has a line for each day and rate', () => {
    expect(shown('day')).toEqual([
      'Tracked time | 2026-11-20 | 1.833333 | 100 | 183.33 | 2',
      'Tracked time | 2026-11-21 | 0.5 | 100 | 50.00 | 1',
      'Tracked time | 2026-11-22 | 1 | 80.5 | 80.50 | 1',
      'Tracked time | 2026-11-22 | 1 | 100 | 100.00 | 1',
    ]);
  });

  const [early, late] = ['2026-11-20T09:00:00.000Z', '2026-11-20T10:00:00.000Z'];
  const usual = { id: 'a', startedAt: null, createdAt: early };

  it.each([
    ['day', { entryDate: '2026-11-19', startedAt: late }, { startedAt: early }],
    ['start', { startedAt: early, createdAt: late, id: 'b' }, { startedAt: late }],
    ['start, the first being unknown', { createdAt: late, id: 'b' }, { startedAt: early }],
    ['creation', { startedAt: late, id: 'b' }, { startedAt: late, createdAt: late }],
    ['id', {}, { id: 'b' }],
  ])('is ordered by its %s', (_, first, second) => {
    const [one, two] = [entry({ ...usual, ...first }), entry({ ...usual, ...second })];
    for (const given of [
      [one, two],
      [two, one],
    ]) {
      expect(linesOf(given, 'day').flatMap(({ entryIds }) => entryIds)).toEqual([one.id, two.id]);
    }
  });

  it('takes rates for one that only look different', () => {
    const alike = [entry({ rate: '95.5' }), entry({ rate: '95.50' }), entry({ rate: '095.500' })];
    expect(linesOf(alike, 'project')).toMatchObject([{ quantity: '3', price: '95.5', amount: '286.50' }]);
  });

  it.each([
    [{}, true],
    [{ rate: '0' }, true],
    [{ billable: false }, false],
    [{ clientId: 'd' }, false],
    [{ currency: 'EUR' }, false],
    [{ rate: null }, false],
  ])('of an entry with %o can be on the invoice: %s', (values, expected) => {
    expect(isBillable({ ...entry(), ...values }, { clientId: 'c', currency: 'USD' })).toBe(expected);
  });
});

describe('a line of chosen entries', () => {
  const [one, two] = [entry(), entry({ durationMinutes: 30 })];
  const other = entry({ rate: '80' });
  const sources = {
    ...NO_SOURCES,
    ...wishes,
    currency: 'USD',
    entries: new Map([one, two, other].map((each) => [each.id, each])),
  };
  const chosen = (draft: LineDraft) => lineItemsOf([draft], sources);

  it('has their hours, rate and amount, and otherwise what it was given', () => {
    const entryIds = [one.id, two.id];
    expect(chosen({ entryIds })).toEqual(linesOf([one, two], 'project'));
    const { taxRate, taxCategory, taxExemptionReason } = wishes;
    const line = {
      ...{ id: 'line', productId: null, entryIds, name: 'Website', description: '2026-11-20' },
      ...{ quantity: '1.5', workedMinutes: null, unit: 'hour', price: '100', amount: '150.00' },
      ...{ taxRate, taxCategory, taxExemptionReason, serviceFrom: '2026-11-20', serviceTo: '2026-11-20' },
    };
    expect(chosen({ entryIds })).toEqual([line]);
    const tax = { taxRate: '0', taxCategory: 'exempt', taxExemptionReason: 'Education' } as const;
    const own = { name: 'Design', description: 'In November', ...tax };
    expect(chosen({ entryIds, ...own })).toEqual([{ ...line, ...own }]);
    expect(chosen({ entryIds, taxRate: '7' })).toEqual([{ ...line, taxRate: '7', taxCategory: 'standard' }]);
  });

  it('is in the order of time, and named after their project if they have one in common', () => {
    const app = entry({ projectId: 'p2', entryDate: '2026-11-21' });
    const loose = entry({ projectId: null });
    const named = (...entries: BillableEntry[]) =>
      timeLinesOfAll(entries, wishes).map(({ name, description, entryIds }) => [name, description, ...entryIds]);
    expect(named(two, one)).toEqual([['Website', '2026-11-20', one.id, two.id]]);
    expect(named(app, one)).toEqual([['Tracked time', '2026-11-20 to 2026-11-21', one.id, app.id]]);
    expect(named(loose)).toEqual([['Tracked time', '2026-11-20', loose.id]]);
  });

  it('becomes one for each rate', () => {
    expect(chosen({ entryIds: [one.id, other.id, two.id], name: 'Design' })).toMatchObject([
      { name: 'Design', price: '80', entryIds: [other.id] },
      { name: 'Design', price: '100', entryIds: [one.id, two.id] },
    ]);
  });

  it('may come back as it was shown, but not with another quantity or price', () => {
    const entryIds = [one.id];
    expect(chosen({ entryIds, quantity: '1.0', price: '0100.00' })).toMatchObject([{ quantity: '1', price: '100' }]);
    const message = 'Tracked time has the quantity and price of its entries.';
    for (const [member, wrong] of Object.entries({ quantity: '2', price: '99' })) {
      const fixed = refused('tracked_time_fixed', `lineItems.0.${member}`, message);
      expect(() => chosen({ entryIds, [member]: wrong })).toThrow(fixed);
    }
  });
});

describe('an entry', () => {
  const NOT_BILLABLE = "It has to be a billable entry of the invoice's client, with a rate in USD.";
  const free = entry();
  const own = entry({ holdId: 'own' });
  const foreign = entry({ holdId: 'other' });
  const released = entry({ holdId: 'credited' });
  const holds = new Map([
    ['own', { id: 'own', invoiceId: 'i', except: new Set<string>() }],
    ['other', { id: 'other', invoiceId: 'j', except: new Set<string>() }],
    ['credited', { id: 'credited', invoiceId: 'j', except: new Set([released.id]) }],
  ]);
  const terms = { clientId: 'c', currency: 'USD' };
  const choose = (named: Entry | undefined) => {
    const drafts = [{}, { entryIds: [free.id, named?.id ?? 'none'] }];
    const found = new Map([free, named ?? []].flat().map((each) => [each.id, each]));
    return [...chosenEntries(drafts, found, holds, { ...terms, invoiceId: 'i' }).values()];
  };

  it.each([
    ['released', released],
    ['on this invoice', own],
    ['on this invoice, and no longer billable', { ...own, billable: false }],
  ])('that a line names is taken if it is free, or %s', (_, named) => {
    expect(choose(named)).toEqual([free, named]);
  });

  it.each([
    ['on this invoice without a rate', { ...own, rate: null }, 'entry_not_billable'],
    ['not billable', { ...released, billable: false }, 'entry_not_billable'],
    ['nowhere', undefined, 'reference_not_found'],
    ['on another invoice', foreign, 'entry_invoiced'],
  ])('that a line names is refused if it is %s', (_, named, code) => {
    const message = code === 'entry_not_billable' ? NOT_BILLABLE : expect.any(String);
    const errors = [expect.objectContaining({ path: 'lineItems.1.entryIds.1', message })];
    const details = expect.objectContaining(code === 'entry_invoiced' ? {} : { errors });
    expect(() => choose(named)).toThrow(expect.objectContaining({ code, details }));
  });

  it('that lies in a span of days is taken if it is billable and on no invoice', () => {
    expect(unbilled([free, { ...free, billable: false }, own, foreign, released], holds, terms)).toEqual([
      free,
      released,
    ]);
  });
});
