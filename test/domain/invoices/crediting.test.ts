import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newClient } from '#shared/domain/clients/client.ts';
import { type CreditNote, creditDateOf, creditInvoice } from '#shared/domain/invoices/credit-note.ts';
import {
  type Credited,
  type CreditedLine,
  type CreditedTime,
  creditParts,
  entriesToRead,
  type LineCredit,
} from '#shared/domain/invoices/crediting.ts';
import { type Invoice, type LineItem, newInvoice } from '#shared/domain/invoices/invoice.ts';
import { lineItemsOf } from '#shared/domain/invoices/line-item.ts';
import { presentInvoice } from '#shared/domain/invoices/present-invoice.ts';
import { asSent } from '#shared/domain/invoices/sending.ts';
import { creditedDatesOf } from '#shared/domain/invoices/service-dates.ts';
import { timeLinesOfAll } from '#shared/domain/invoices/tracked-time.ts';
import { lineAmountMinor, parseMinor } from '#shared/domain/money.ts';
import { amountMinorOf, newEntry } from '#shared/domain/tracker/entry.ts';
import { plusDays } from '#shared/domain/tracker/work-time.ts';
import { countedOf, type DrawnCredits, drawnCredits } from '#test/support/credits.ts';
import { draws } from '#test/support/draws.ts';
import { FIRST_CREDIT, NO_SOURCES } from '#test/support/invoice-sources.ts';
import { organizationOf } from '#test/support/organization.ts';
import { amountOf, decimalOf, expectSame, type Recount, timeAmountOf, written } from '#test/support/recount.ts';
import { missingAt, refused } from '#test/support/refusals.ts';

/** Every figure of every credit note against a plain recount, until nothing of the invoice is left. */

const INVOICES = draws(1_250);

const now = new Date('2026-11-20T12:00:00.000Z');
const client = newClient({ name: 'Globex' }, 'org', 'client', now);

let count = 0;
/** In their order as texts, too. */
const newId = () => `id-${String(++count).padStart(9, '0')}`;

function lineOf(line: DrawnCredits['lines'][number], currency: string, times: Map<string, CreditedTime>): LineItem[] {
  const { rate, category: taxCategory } = line.tax;
  const taxExemptionReason = taxCategory === 'exempt' ? newId() : null;
  const tax = { taxRate: rate === null ? null : decimalOf(rate), taxCategory, taxExemptionReason };
  if (line.kind === 'plain') {
    const draft = { name: 'Work', quantity: decimalOf(line.quantity), price: decimalOf(line.price), ...tax };
    return lineItemsOf([draft], { ...NO_SOURCES, currency, newId });
  }
  let entryDate = '2026-11-01';
  const entries = line.entries.map(({ minutes, days }) => {
    entryDate = plusDays(entryDate, days);
    const draft = { description: 'Work', durationMinutes: minutes, entryDate, billable: true };
    const owner = { organizationId: 'org', userId: 'ana', currency };
    const entry = { ...newEntry(draft, null, owner, newId(), now), clientId: 'client', rate: decimalOf(line.price) };
    times.set(entry.id, { date: entryDate, minutes, workedMinutes: minutes, amountMinor: amountMinorOf(entry) });
    return entry;
  });
  return timeLinesOfAll(entries, { ...tax, projectNames: new Map(), newId });
}

interface Made {
  readonly invoice: Invoice;
  readonly times: ReadonlyMap<string, CreditedTime>;
}

function invoiceOf({ currency, rounding, discount, lines }: DrawnCredits): Made {
  const times = new Map<string, CreditedTime>();
  const lineItems = lines.flatMap((line) => lineOf(line, currency, times));
  const terms = {
    currency,
    discountPercent: discount === null ? null : decimalOf(discount),
    dueDate: null,
    notes: null,
  };
  const organization = organizationOf({ taxRounding: rounding });
  const draft = newInvoice(terms, { organization, client }, lineItems, 'invoice', now);
  return { invoice: asSent(draft, 'INV-000001', now), times };
}

/** The lines as they are credited: what is left of each, and which wish takes how much of it. */
class Ledger {
  readonly draw: DrawnCredits;
  readonly invoice: Invoice;
  /** Credited quantity in millionths, amount in minor units, or number of entries. */
  readonly taken: bigint[];

  constructor(draw: DrawnCredits, invoice: Invoice) {
    this.draw = draw;
    this.invoice = invoice;
    this.taken = draw.lines.map(() => 0n);
  }

  whole(at: number): bigint {
    const line = this.draw.lines[at];
    if (line?.kind === 'time') return BigInt(line.entries.length);
    if (line?.kind !== 'plain') return 0n;
    return line.by === 'quantity' ? line.quantity : amountOf(this.draw.currency, line.quantity, line.price);
  }

  amounts(): bigint[] {
    const { lines, currency } = this.draw;
    return lines.map((line, at) => {
      const taken = this.taken[at] ?? 0n;
      if (line.kind === 'plain') return line.by === 'quantity' ? amountOf(currency, taken, line.price) : taken;
      return this.minutes(at)
        .slice(0, Number(taken))
        .reduce((sum, minutes) => sum + timeAmountOf(currency, minutes, line.price), 0n);
    });
  }

  /** In the order in which the entries are credited. */
  private minutes(at: number): readonly number[] {
    const line = this.draw.lines[at];
    return line?.kind === 'time' ? inOrder(line, line.entries).map(({ minutes }) => minutes) : [];
  }

  wish(at: number, thousandths: number): LineCredit | undefined {
    const { lines, currency } = this.draw;
    const [line, item, taken] = [lines[at], this.invoice.lineItems[at], this.taken[at] ?? 0n];
    const left = this.whole(at) - taken;
    const more = (left * BigInt(thousandths)) / 1_000n;
    if (!line || !item || thousandths <= 0 || more === 0n) return undefined;
    this.taken[at] = taken + more;
    const lineItemId = item.id;
    if (line.kind === 'time') {
      return { lineItemId, entryIds: inOrder(line, item.entryIds).slice(Number(taken), Number(taken + more)) };
    }
    return line.by === 'quantity'
      ? { lineItemId, quantity: decimalOf(more) }
      : { lineItemId, amount: written(more, currency) };
  }

  takeRest(): void {
    for (const at of this.taken.keys()) this.taken[at] = this.whole(at);
  }
}

const inOrder = <T>({ isBackward }: { readonly isBackward: boolean }, entries: readonly T[]): readonly T[] =>
  isBackward ? entries.toReversed() : entries;

/** The recount of a credit is all that is credited by then, less all that was credited before. */
function compare(
  creditNote: CreditNote,
  { draw, before, after }: { draw: DrawnCredits; before: Recount; after: Recount },
) {
  const write = (minor: bigint) => written(minor, draw.currency);
  const { discountTotal, subtotal, taxTotal, total, taxes } = creditNote;
  const growth = after.taxes.map(({ category, rate, base, amount }, at) => {
    const former = before.taxes[at];
    const kind = `${category} ${decimalOf(rate)}`;
    return { kind, base: base - (former?.base ?? 0n), tax: amount - (former?.amount ?? 0n) };
  });
  const discountOf = ({ lines }: Recount) => lines.reduce((sum, { discount }) => sum + discount, 0n);
  const taxGrowth = growth.reduce((sum, { tax }) => sum + tax, 0n);
  const totalGrowth = after.total - before.total;
  expectSame(
    { discountTotal, subtotal, taxTotal, total },
    {
      discountTotal: write(discountOf(after) - discountOf(before)),
      subtotal: write(totalGrowth - taxGrowth),
      taxTotal: write(taxGrowth),
      total: write(totalGrowth),
    },
  );
  const shown = new Map(
    taxes.map(({ taxCategory, taxRate, base, amount }) => {
      return [`${taxCategory} ${Number(taxRate).toFixed(6)}`, { base, amount }];
    }),
  );
  expectSame(shown.size, taxes.length);
  for (const { kind, base, tax } of growth) {
    expectSame(shown.get(kind) ?? { base: write(0n), amount: write(0n) }, { base: write(base), amount: write(tax) });
  }
  for (const { amount, discount, entryIds, quantity, price } of creditNote.lineItems) {
    expectSame(amount.startsWith('-') || discount.startsWith('-'), false);
    if (entryIds.length > 0) continue;
    // A line of which nothing is left is not credited once more.
    expectSame(Number(quantity) === 0, false);
    // It was rounded together with what was credited before.
    const rounded = lineAmountMinor(quantity, price, draw.currency) - parseMinor(amount);
    expectSame(rounded >= -1n && rounded <= 1n, true);
  }
}

/** The first of several reasons in one category counts. */
function compareReasons({ lineItems, taxes }: Pick<CreditNote, 'taxes'> & Pick<Invoice, 'lineItems'>): void {
  const first = lineItems.find(({ taxCategory }) => taxCategory === 'exempt');
  const exempt = taxes.find(({ taxCategory }) => taxCategory === 'exempt');
  expectSame(exempt?.exemptionReason, first?.taxExemptionReason);
}

/** A line of time is of the days and hours of the entries that it credits. */
function compareTime({ lineItems }: CreditNote, times: Made['times']): void {
  for (const { entryIds, quantity, serviceFrom, serviceTo, description } of lineItems) {
    const dates = entryIds.map((id) => times.get(id)?.date ?? '').sort();
    if (dates.length === 0) continue;
    const minutes = entryIds.reduce((sum, id) => sum + (times.get(id)?.minutes ?? 0), 0);
    expectSame(Number(quantity), Math.round((minutes * 1_000_000) / 60) / 1_000_000);
    const [first, last] = [dates[0], dates.at(-1)];
    expectSame([serviceFrom, serviceTo, description], [first, last, first === last ? first : `${first} to ${last}`]);
  }
}

describe('the credits of an invoice', () => {
  it(
    `cancel it to the minor unit, however it is split, and each is what a recount makes of it, for ${INVOICES} invoices`,
    () => {
      let credits = 0;
      fc.assert(
        fc.property(drawnCredits, (draw) => {
          const made = invoiceOf(draw);
          compareReasons(presentInvoice(made.invoice, '2026-11-20'));
          const ledger = new Ledger(draw, made.invoice);
          let [invoice, credited]: [Invoice, Credited] = [made.invoice, new Map()];
          let before = countedOf(draw, ledger.amounts());
          const totals: string[] = [];
          const credit = (lines: readonly LineCredit[] | undefined) => {
            const timeOf = (id: string) => made.times.get(id);
            const sources = { ...FIRST_CREDIT, credited, timeOf, newId };
            const done = creditInvoice(invoice, { reason: 'x', lines, releaseEntries: true }, sources, now);
            const after = countedOf(draw, ledger.amounts());
            compare(done.creditNote, { draw, before, after });
            compareReasons(done.creditNote);
            compareTime(done.creditNote, made.times);
            [invoice, credited, before] = [done.invoice, done.credited, after];
            totals.push(done.creditNote.total);
            credits += 1;
          };
          for (const shares of draw.credits) {
            if (invoice.status === 'credited') break;
            const wishes = shares.flatMap((share, at) => ledger.wish(at, share) ?? []);
            if (wishes.length > 0) credit(wishes);
          }
          if (invoice.status !== 'credited') {
            ledger.takeRest();
            credit(undefined);
          }
          expectSame(invoice.status, 'credited');
          expectSame(invoice.creditedTotal, made.invoice.total);
          expectSame(written(before.total, draw.currency), made.invoice.total);
          expectSame(invoice.creditNoteCount, totals.length);
        }),
        { numRuns: INVOICES },
      );
      expect(credits).toBeGreaterThan(2 * INVOICES);
    },
    draws(60_000),
  );
});

describe('a credit of a line', () => {
  const plain = { ...NO_SOURCES, currency: 'USD', newId: () => 'line' };
  const [three] = lineItemsOf([{ name: 'Work', quantity: '3', unit: 'day', price: '10' }], plain);
  const [hosting] = lineItemsOf([{ name: 'Hosting', quantity: '1.50', unit: 'month', price: '10' }], plain);
  const [nothing] = lineItemsOf([{ name: 'Gift', quantity: '0', price: '10' }], plain);
  const times = new Map<string, CreditedTime>();
  const entries = [50, 70, 30].map((minutes, days) => ({ minutes, days }));
  const tax = { category: null, rate: null };
  const time = lineOf({ kind: 'time', entries, isBackward: false, price: 60_000_000n, tax }, 'USD', times)[0];
  const [first = '', second = '', third = ''] = time?.entryIds ?? [];
  if (!three || !hosting || !nothing || !time) throw new Error('There is no line.');
  const lines = { work: three, hosting, gift: nothing, time };
  for (const [id, each] of times) times.set(id, { ...each, workedMinutes: id === first ? 45 : each.minutes });

  const units = (quantity: string): CreditedLine => ({ by: 'quantity', quantity });
  const money = (amount: string): CreditedLine => ({ by: 'amount', amount });
  const hours = (...entryIds: string[]): CreditedLine => ({ by: 'entries', entryIds, minutes: 50, amount: '50.00' });

  const creditedOf = (line: LineItem, before: CreditedLine | undefined): Credited =>
    new Map(before ? [[line.id, before]] : []);
  const credit = (line: LineItem, before: CreditedLine | undefined, wish: Omit<LineCredit, 'lineItemId'>) => {
    const wishes = [{ lineItemId: line.id, ...wish }];
    const made = { lineItems: [three, line], currency: 'USD' };
    return creditParts(made, creditedOf(line, before), wishes, (id) => times.get(id))[0];
  };
  it.each<[keyof typeof lines, CreditedLine | undefined, Omit<LineCredit, 'lineItemId'>, CreditedLine, object]>([
    ['hosting', undefined, {}, units('1.50'), { quantity: '1.50', unit: 'month', price: '10' }],
    ['work', units('1'), { quantity: '2' }, units('3'), { quantity: '2', unit: 'day', price: '10' }],
    ['work', units('2'), {}, units('3'), { quantity: '1', unit: 'day', price: '10' }],
    ['work', undefined, { amount: '30' }, money('30.00'), { quantity: '1', unit: '', price: '30.00' }],
    ['work', money('10.00'), {}, money('30.00'), { quantity: '1', unit: '', price: '20.00' }],
  ])('of %s, after %j, takes %j', (kind, before, wish, after, shown) => {
    const line = lines[kind];
    expect(credit(line, before, wish)).toEqual({ line, after, shown: { entryIds: [], ...shown } });
  });

  it('shows the days, the hours and the time worked of the entries that it takes', () => {
    const hour = { unit: 'hour', price: '60.000000' };
    const ofFirst = credit(time, undefined, { entryIds: [first] });
    const day = { serviceFrom: '2026-11-01', serviceTo: '2026-11-01', description: '2026-11-01' };
    expect(ofFirst).toEqual({
      line: time,
      after: hours(first),
      shown: { entryIds: [first], quantity: '0.833333', ...hour, ...day, workedMinutes: 45 },
    });
    const days = { serviceFrom: '2026-11-02', serviceTo: '2026-11-04', description: '2026-11-02 to 2026-11-04' };
    expect(credit(time, hours(first), {})).toEqual({
      line: time,
      after: { by: 'entries', entryIds: [first, second, third], minutes: 150, amount: '150.00' },
      shown: { entryIds: [second, third], quantity: '1.666667', ...hour, ...days, workedMinutes: null },
    });
    const whole = { entryIds: [first, second, third], quantity: '2.5', ...hour };
    expect(credit(time, undefined, {})?.shown).toEqual(whole);
    const unread = () =>
      creditParts({ lineItems: [time], currency: 'USD' }, creditedOf(time, hours(first)), undefined, () => undefined);
    expect(unread).toThrow('The time of an entry was not read.');
    expect(
      credit({ ...time, description: 'Own' }, undefined, { entryIds: [first] })?.shown.description,
    ).toBeUndefined();
  });

  const [EXCEEDS, INVALID] = ['credit_exceeds_line', 'invalid_credit_amount'];

  it.each<[keyof typeof lines, CreditedLine | undefined, Omit<LineCredit, 'lineItemId'>, string, string, string]>([
    ['work', undefined, { quantity: '3.000001' }, EXCEEDS, 'quantity', 'Only 3 of the line are left.'],
    ['work', units('1'), { quantity: '3' }, EXCEEDS, 'quantity', 'Only 2 of the line are left.'],
    ['work', money('10.00'), { amount: '20.01' }, EXCEEDS, 'amount', 'Only 20.00 USD of the line are left.'],
    ['work', undefined, { quantity: '0.0' }, INVALID, 'quantity', 'A credit is of more than zero.'],
    ['work', undefined, { amount: '0' }, INVALID, 'amount', 'A credit is of more than zero.'],
    ['work', money('1.00'), { quantity: '1' }, INVALID, 'quantity', 'The line was credited by amount before.'],
    ['work', units('1'), { amount: '1' }, INVALID, 'amount', 'The line was credited by quantity before.'],
    [
      'work',
      undefined,
      { amount: '1.001' },
      INVALID,
      'amount',
      'An amount in USD has at most 2 digits after the point.',
    ],
    ['work', units('3'), {}, EXCEEDS, 'lineItemId', 'Nothing is left of the line.'],
    ['work', money('30.00'), { quantity: '1' }, EXCEEDS, 'quantity', 'Nothing is left of the line.'],
    ['work', money('30.00'), { amount: '1.00' }, EXCEEDS, 'amount', 'Nothing is left of the line.'],
    ['gift', undefined, {}, EXCEEDS, 'lineItemId', 'Nothing is left of the line.'],
    ['time', undefined, { quantity: '1' }, INVALID, 'quantity', 'Tracked time is credited by its entries.'],
    ['time', undefined, { amount: '1' }, INVALID, 'amount', 'Tracked time is credited by its entries.'],
    ['time', hours(first), { entryIds: [second, first] }, EXCEEDS, 'entryIds.1', 'The entry was credited before.'],
    ['time', hours(first, second, third), {}, EXCEEDS, 'lineItemId', 'Nothing is left of the line.'],
  ])('of %s, after %j, refuses %j as %s at %s', (kind, before, wish, code, path, message) => {
    expect(() => credit(lines[kind], before, wish)).toThrow(refused(code, `lines.0.${path}`, message));
  });

  it('refuses what is not on the invoice, and an invoice of which nothing is left', () => {
    expect(() => credit(time, undefined, { entryIds: [first, 'other'] })).toThrow(missingAt('lines.0.entryIds.1'));
    const made = { lineItems: [three, nothing], currency: 'USD' };
    const all = (wishes?: LineCredit[]) => () =>
      creditParts(made, creditedOf(three, units('3')), wishes, () => undefined);
    expect(all([{ lineItemId: 'other' }])).toThrow(missingAt('lines.0.lineItemId'));
    expect(all()).toThrow(refused(EXCEEDS, 'lines', 'Nothing is left to credit.'));
  });

  it.each<[string, CreditedLine | undefined, LineCredit[] | undefined, string[]]>([
    ['all of it', undefined, undefined, []],
    ['the rest', hours(first), undefined, [second, third]],
    ['the rest of this line', hours(first), [{ lineItemId: time.id }], [second, third]],
    ['some entries', undefined, [{ lineItemId: time.id, entryIds: [third, 'other'] }], [third]],
    ['each entry', undefined, [{ lineItemId: time.id, entryIds: [third, second, first] }], []],
    ['another line', hours(first), [{ lineItemId: three.id }], []],
  ])('of tracked time needs the entries of a part alone: %s', (_, before, wishes, expected) => {
    expect(entriesToRead({ lineItems: [three, time] }, creditedOf(time, before), wishes)).toEqual(expected);
  });
});

it.each([
  [undefined, '2026-11-01', '2026-11-20'],
  [undefined, '2026-11-25', '2026-11-25'],
  ['2026-11-01', '2026-11-01', '2026-11-01'],
  ['2026-10-31', '2026-11-01', 'invalid_credit_date'],
])('a credit that asks for %s of an invoice of %s has this date, or none: %s', (issueDate, ofInvoice, expected) => {
  const date = () => creditDateOf({ issueDate: ofInvoice }, { issueDate }, '2026-11-20');
  const message = `The invoice is of ${ofInvoice}: its credit cannot be older.`;
  if (expected === 'invalid_credit_date') expect(date).toThrow(refused(expected, 'issueDate', message));
  else expect(date()).toBe(expected);
});

describe('the days of a credit', () => {
  const [first, last] = ['2026-10-01', '2026-10-31'];
  const invoice = { serviceFrom: first, serviceTo: last };
  const days = (serviceFrom: string | null, serviceTo: string | null) => ({ serviceFrom, serviceTo });
  const NONE = days(null, null);

  it.each([
    [
      'of the credited lines',
      [days('2026-10-05', '2026-10-06'), NONE, days(null, '2026-10-09')],
      '2026-10-05 2026-10-09',
    ],
    ['of the only day of the credited lines', [days('2026-10-05', '2026-10-05')], '2026-10-05 2026-10-05'],
    ['a first one alone, if the lines have no last one', [days('2026-10-05', null)], '2026-10-05 null'],
    ['of the invoice, if no credited line has any', [NONE, NONE], `${first} ${last}`],
    [
      'of the invoice, if those of the lines would end before they begin',
      [days('2026-10-09', null), days(null, '2026-10-05')],
      `${first} ${last}`,
    ],
  ])('are %s', (_, lines, expected) => {
    const { serviceFrom, serviceTo } = creditedDatesOf(invoice, lines);
    expect(`${serviceFrom} ${serviceTo}`).toBe(expected);
  });
});
