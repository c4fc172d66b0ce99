import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  assertFree,
  nextNumber,
  numberingOf,
  numberingWrites,
  numberWrites,
  readNumbers,
  readSeries,
} from '#shared/data/invoices/numbers.ts';
import { invoiceOrders, type Numbered, numberingKey, numberPartition, seriesKey } from '#shared/data/layout/keys.ts';
import { readCollection } from '#shared/data/table/collection.ts';
import { readItem } from '#shared/data/table/item.ts';
import { ConditionFailed, transact } from '#shared/data/table/transaction.ts';
import { remove } from '#shared/data/table/writes.ts';
import { type NumberingChanges, numberOf, periodOf, reviseNumbering } from '#shared/domain/organization/numbering.ts';
import { costOf } from '#test/support/capacity.ts';
import { draws } from '#test/support/draws.ts';

const TODAY = '2026-11-20';
const DATES = ['2025-12-30', '2026-11-02', TODAY, '2026-12-01'];
const DEFAULT = 'INV-{n:6}';
const FORMATS = [DEFAULT, 'X{n}', '{yyyy}-{n}', '{yy}{mm}-{n}', '2026-{n}'];

type Step = { readonly date: string } | { readonly format: string } | { readonly raise: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ date: fc.constantFrom(...DATES) }) },
  fc.record({ format: fc.constantFrom(...FORMATS) }),
  fc.record({ raise: fc.integer({ min: 1, max: 3 }) }),
);

/** What the rules say, with all in memory. */
class Model {
  readonly given = new Map<string, { order: readonly [use: number, position: number]; date: string }>();
  format = DEFAULT;
  readonly #last = new Map<string, number>();
  readonly #used: string[] = [];

  next(date: string): number {
    return (this.#last.get(this.#seriesOf(date)) ?? 0) + 1;
  }

  /** @returns the number; undefined where another document has it */
  give(date: string): string | undefined {
    const [position, number] = [this.next(date), numberOf(this.format, this.next(date), date)];
    if (this.given.has(number)) return undefined;
    const series = `${this.format}#${periodOf(this.format, date)}`;
    if (!this.#used.includes(series)) this.#used.push(series);
    this.given.set(number, { order: [this.#used.indexOf(series), position], date });
    this.#last.set(this.#seriesOf(date), position);
    return number;
  }

  choose(format: string): void {
    if (format === this.format) return;
    const next = this.next(TODAY);
    this.format = format;
    this.#last.set(this.#seriesOf(TODAY), periodOf(format, TODAY) === '' ? next - 1 : 0);
  }

  raise(by: number): void {
    this.#last.set(this.#seriesOf(TODAY), this.next(TODAY) - 1 + by);
  }

  /** All formats without a year count together. */
  #seriesOf(date: string): string {
    const period = periodOf(this.format, date);
    return period === '' ? '' : `${this.format}#${period}`;
  }

  #orderOf(number: string): readonly [number, number] {
    return this.given.get(number)?.order ?? [0, 0];
  }

  inOrder(): string[] {
    return [...this.given.keys()].sort((one, other) => {
      const [[use, position], [otherUse, otherPosition]] = [this.#orderOf(one), this.#orderOf(other)];
      return use - otherUse || position - otherPosition;
    });
  }
}

async function readCounters(organizationId: string, date: string, kind: Numbered = 'INVOICE') {
  const numbers = await readNumbers(organizationId, kind);
  return { numbers, series: await readSeries(numbers, date) };
}

async function give(organizationId: string, issueDate: string, isInOrder: boolean, kind?: Numbered) {
  const { numbers, series } = await readCounters(organizationId, issueDate, kind);
  if (isInOrder && issueDate < (series.issueDate ?? '')) return 'too early';
  const { number, numberPlace } = nextNumber(numbers, series, issueDate);
  try {
    await transact(numberWrites(numbers, series, { number, issueDate }));
  } catch (error) {
    expect(error).toMatchObject({ code: 'number_taken' });
    return undefined;
  }
  const document = { organizationId, id: '', issueDate, dueDate: null, number, numberPlace, total: '0' };
  return { number, place: invoiceOrders(document).byNumberSk };
}

async function changeWrites(organizationId: string, changesOf: (next: number) => NumberingChanges, kind?: Numbered) {
  const { numbers, series } = await readCounters(organizationId, TODAY, kind);
  const present = numberingOf(numbers, series);
  const wanted = reviseNumbering('INVOICE', present, changesOf(present.next ?? 0), 'invoiceNumbering');
  return numberingWrites(numbers, series, TODAY, wanted);
}

async function change(organizationId: string, changesOf: (next: number) => NumberingChanges, kind?: Numbered) {
  const writes = await changeWrites(organizationId, changesOf, kind);
  if (writes.length > 0) await transact(writes);
}

async function giveToCreditNotes(organizationId: string) {
  for (const format of FORMATS) {
    await change(organizationId, () => ({ format }), 'CREDIT_NOTE');
    await give(organizationId, TODAY, false, 'CREDIT_NOTE');
  }
}

it('gives numbers without gaps, twice none, and by series, whatever is taken up, and whatever credit notes have', {
  timeout: draws(60_000),
}, async () => {
  const steps = fc.array(anyStep, { minLength: 5, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (all, isInOrder) => {
      const organizationId = randomUUID();
      await giveToCreditNotes(organizationId);
      const model = new Model();
      const places = new Map<string, string>();
      for (const step of all) {
        if ('format' in step) {
          await change(organizationId, () => step);
          model.choose(step.format);
        } else if ('raise' in step) {
          await change(organizationId, (next) => ({ next: next + step.raise }));
          model.raise(step.raise);
        } else {
          const given = await give(organizationId, step.date, isInOrder);
          if (given === 'too early') continue;
          expect(given?.number).toBe(model.give(step.date));
          if (given) places.set(given.number, given.place);
        }
        const numbers = await readNumbers(organizationId, 'INVOICE');
        const shown = numberingOf(numbers, await readSeries(numbers, TODAY));
        expect(shown).toEqual({ format: model.format, next: model.next(TODAY) });
      }
      const byPlace = [...places].sort(([, one], [, other]) => (one < other ? -1 : 1)).map(([number]) => number);
      expect(byPlace).toEqual(model.inOrder());
      if (!isInOrder) return;
      const bySeries = Map.groupBy(model.given.values(), ({ order: [use] }) => use);
      for (const documents of bySeries.values()) {
        const dates = documents.map(({ date }) => date);
        expect(dates).toEqual(dates.toSorted());
      }
    }),
    { numRuns: draws(20) },
  );
});

it.each([[[]], [['give']], [['X{n}', 'give']], [['{yyyy}-{n}', 'give']]])(
  'of two changes at once, the second begins again: after %j',
  async (steps) => {
    const writesOf = async (organizationId: string, step: string) => {
      if (step === 'raise') return changeWrites(organizationId, (next) => ({ next: next + 1 }));
      if (step !== 'give') return changeWrites(organizationId, () => ({ format: step }));
      const { numbers, series } = await readCounters(organizationId, TODAY);
      return numberWrites(numbers, series, { ...nextNumber(numbers, series, TODAY), issueDate: TODAY });
    };
    const outcome = async (first: string, second: string) => {
      const organizationId = randomUUID();
      for (const step of steps) await transact(await writesOf(organizationId, step));
      const [before, after] = [await writesOf(organizationId, first), await writesOf(organizationId, second)];
      await transact(before);
      return transact(after).then(
        () => `${first}, ${second}`,
        ({ name, code = name }) => code,
      );
    };
    const changes = ['give', 'raise', 'Y{n}'];
    const outcomes = await Promise.all(changes.flatMap((one) => changes.map((other) => outcome(one, other))));
    for (const each of outcomes) expect(each).toBeOneOf(['ConditionFailed', 'number_taken']);
  },
);

it('keeps how far each series is, when it was used first, and a mark of each number, and writes nothing else', async () => {
  const organizationId = randomUUID();
  const unitsOf = async (wish: 'give' | NumberingChanges) => {
    const { readUnits, writeUnits } = await costOf(() =>
      wish === 'give' ? give(organizationId, TODAY, false) : change(organizationId, () => wish),
    );
    return [readUnits, writeUnits];
  };
  const stored = async () => {
    const { pk: _, sk: __, ...last } = (await readItem(numberingKey(organizationId, 'INVOICE'))) ?? {};
    const items = await readCollection({ partition: numberPartition(organizationId) });
    return { last, items: Object.fromEntries(items.map(({ pk: _pk, sk, ...item }) => [sk, item])) };
  };
  expect(await stored()).toEqual({ last: {}, items: {} });
  expect(await unitsOf({ next: 1 })).toEqual([1, 0]);
  expect(await unitsOf({ next: 3 })).toEqual([1, 2]);
  const unused = { format: DEFAULT, place: null, used: 0, unmarked: 0 };
  expect(await stored()).toEqual({ last: { last: 2, choice: unused }, items: {} });
  expect([await unitsOf('give'), await unitsOf('give')]).toEqual([
    [1, 6],
    [1, 4],
  ]);
  expect(await unitsOf({ format: '{yyyy}-{n}' })).toEqual([2, 4]);
  const marks = {
    [`INVOICE#FORMAT#${DEFAULT}`]: { place: 0 },
    'INVOICE#GIVEN#INV-000003': {},
    'INVOICE#GIVEN#INV-000004': {},
  };
  const ofYear = { format: '{yyyy}-{n}', place: null, used: 1, unmarked: 0 };
  expect(await stored()).toEqual({
    last: { last: 4, issueDate: TODAY, choice: ofYear },
    items: { ...marks, 'INVOICE#SERIES#2026#{yyyy}-{n}': { last: 0 } },
  });
  expect([await unitsOf('give'), await unitsOf('give')]).toEqual([
    [2, 6],
    [2, 6],
  ]);
  expect(await stored()).toMatchObject({ last: { choice: { ...ofYear, used: 2 } } });
  expect([
    await unitsOf({ format: DEFAULT }),
    await unitsOf({ next: 7 }),
    await unitsOf({ format: '{yyyy}-{n}' }),
  ]).toEqual([
    [3, 4],
    [1, 2],
    [2, 4],
  ]);
  expect(await stored()).toEqual({
    last: { last: 6, issueDate: TODAY, choice: { ...ofYear, used: 2 } },
    items: {
      ...marks,
      'INVOICE#GIVEN#2026-1': {},
      'INVOICE#GIVEN#2026-2': {},
      'INVOICE#SERIES#2026#{yyyy}-{n}': { last: 0, issueDate: TODAY, place: 1 },
    },
  });
});

it('gives none of a series that has gone since it was read, as with its organization', async () => {
  const organizationId = randomUUID();
  const format = '{yyyy}-{n}';
  await change(organizationId, () => ({ format }));
  await give(organizationId, TODAY, false);
  const { numbers, series } = await readCounters(organizationId, TODAY);
  await transact([remove(seriesKey(organizationId, { kind: 'INVOICE', format, period: series.period }))]);
  const writes = numberWrites(numbers, series, { ...nextNumber(numbers, series, TODAY), issueDate: TODAY });
  await expect(transact(writes)).rejects.toThrow(ConditionFailed);
});

it('knows the numbers from before an organization chose its own by their position, as one series', async () => {
  const organizationId = randomUUID();
  for (let given = 0; given < 2; given++) await give(organizationId, TODAY, false);
  await change(organizationId, () => ({ format: 'X{n}' }));
  const { numbers } = await readCounters(organizationId, TODAY);
  expect(numbers.choice).toEqual({ format: 'X{n}', place: null, used: 1, unmarked: 2 });
});

it('looks for the mark of a number only where marks are left', async () => {
  const organizationId = randomUUID();
  const looked = async () => {
    const numbers = await readNumbers(organizationId, 'INVOICE');
    const series = await readSeries(numbers, TODAY);
    const { number } = nextNumber(numbers, series, TODAY);
    return (await costOf(() => assertFree(numbers, series, number))).readUnits;
  };
  expect(await looked()).toBe(0);
  await change(organizationId, () => ({ format: 'A{n}' }));
  expect(await looked()).toBeGreaterThan(0);
});
