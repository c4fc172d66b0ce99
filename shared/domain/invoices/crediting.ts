import {
  canonicalDecimal,
  compareDecimals,
  type Decimal,
  differenceOf,
  exactMinor,
  formatMinor,
  lineAmountMinor,
  minorDigits,
  parseMinor,
  sumMinor,
  sumOfDecimals,
} from '#shared/domain/money.ts';
import { fault, type Problem, referenceNotFound } from '#shared/domain/problems.ts';
import { hoursOf, type IsoDate, minutesOfQuantity } from '#shared/domain/tracker/work-time.ts';
import { discountMinor, reasonOf, type TaxShare, type Totals, taxGroupsOf, taxMinor, totalsWith } from './figures.ts';
import type { Invoice, LineItem, ShownLine } from './invoice.ts';
import { billsTime } from './printed-time.ts';
import { daysText } from './tracked-time.ts';

/**
 * Every figure of a credit is the rounded figure of all that is credited by then, less what was credited before. So
 * credits cancel an invoice to the minor unit, however it is split.
 */

/** All that was credited of one line so far. */
export type CreditedLine =
  | { readonly by: 'quantity'; readonly quantity: Decimal }
  | { readonly by: 'amount'; readonly amount: Decimal }
  | {
      readonly by: 'entries';
      readonly entryIds: readonly string[];
      readonly minutes: number;
      readonly amount: Decimal;
    };

export const CREDITED_BY: readonly CreditedLine['by'][] = ['quantity', 'amount', 'entries'];

/** By the ids of the lines; those of which nothing was credited are absent. */
export type Credited = ReadonlyMap<string, CreditedLine>;

/** One of quantity, amount (before the discount) and entries; none of them for the rest. */
export interface LineCredit {
  readonly lineItemId: string;
  readonly quantity?: Decimal;
  readonly amount?: Decimal;
  readonly entryIds?: readonly string[];
}

export interface CreditedTime {
  readonly date: IsoDate;
  /** That the invoice bills. */
  readonly minutes: number;
  readonly workedMinutes: number;
  readonly amountMinor: bigint;
}

type TimeOf = (entryId: string) => CreditedTime | undefined;

type Days = Pick<LineItem, 'description' | 'serviceFrom' | 'serviceTo'>;

type Worked = Pick<LineItem, 'workedMinutes'>;

/** The lines to credit, each with what will be credited of it by then. */
export interface CreditPart {
  readonly line: LineItem;
  readonly after: CreditedLine;
  readonly shown: Pick<LineItem, 'entryIds' | 'quantity' | 'unit' | 'price'> & Partial<Days & Worked>;
}

export interface CreditLine extends ShownLine {
  /** The line of the invoice. */
  readonly lineItemId: string;
}

/** The entries of which a credit of these wishes needs the time: those of lines of which it credits a part. */
export function entriesToRead(
  { lineItems }: Pick<Invoice, 'lineItems'>,
  credited: Credited,
  wishes: readonly LineCredit[] | undefined,
): string[] {
  const wishOf = new Map(wishes?.map((wish) => [wish.lineItemId, wish]));
  return lineItems.flatMap((line) => {
    const wish = wishOf.get(line.id);
    if (wishes && !wish) return [];
    const left = entriesLeft(line, credited.get(line.id));
    const named = wish?.entryIds && new Set(wish.entryIds);
    const wanted = named ? left.filter((id) => named.has(id)) : left;
    return isPartOf(line, wanted) ? wanted : [];
  });
}

/**
 * @param wishes undefined: all that is left
 * @param timeOf those of `entriesToRead`
 * @throws Problem `reference_not_found`, `invalid_credit_amount`, `credit_exceeds_line`
 */
export function creditParts(
  { lineItems, currency }: Pick<Invoice, 'lineItems' | 'currency'>,
  credited: Credited,
  wishes: readonly LineCredit[] | undefined,
  timeOf: TimeOf,
): CreditPart[] {
  if (!wishes) {
    const rest = lineItems.filter((line) => hasRest(line, credited.get(line.id)));
    if (rest.length === 0) throw exceeds('lines', 'Nothing is left to credit.');
    return rest.map((line) => restOf({ line, before: credited.get(line.id), currency }, timeOf));
  }
  const lines = new Map(lineItems.map((line) => [line.id, line]));
  return wishes.map((wish, position) => {
    const path = `lines.${position}`;
    const line = lines.get(wish.lineItemId);
    if (!line) throw referenceNotFound(`${path}.lineItemId`);
    return partOf({ line, before: credited.get(line.id), currency }, wish, path, timeOf);
  });
}

interface CreditedSoFar {
  readonly line: LineItem;
  readonly before: CreditedLine | undefined;
  readonly currency: string;
}

function partOf(
  soFar: CreditedSoFar,
  { quantity, amount, entryIds }: LineCredit,
  path: string,
  timeOf: TimeOf,
): CreditPart {
  const { line, before } = soFar;
  if (entryIds) return partOfTime(soFar, entryIds, `${path}.entryIds`, timeOf);
  const member = quantity === undefined ? (amount === undefined ? 'lineItemId' : 'amount') : 'quantity';
  const at = `${path}.${member}`;
  if (!hasRest(line, before)) throw exceeds(at, 'Nothing is left of the line.');
  if (quantity !== undefined) return partByQuantity(soFar, quantity, at);
  return amount === undefined ? restOf(soFar, timeOf) : partByAmount(soFar, amount, at);
}

function partByQuantity({ line, before }: CreditedSoFar, quantity: Decimal, path: string): CreditPart {
  if (billsTime(line)) throw invalid(path, 'Tracked time is credited by its entries.');
  if (before?.by === 'amount') throw invalid(path, 'The line was credited by amount before.');
  if (compareDecimals(quantity, '0') === 0) throw invalid(path, 'A credit is of more than zero.');
  const after = before?.by === 'quantity' ? sumOfDecimals(before.quantity, quantity) : quantity;
  if (compareDecimals(after, line.quantity) > 0) {
    throw exceeds(path, `Only ${restQuantity(line, before)} of the line are left.`);
  }
  const { unit, price } = line;
  return { line, after: { by: 'quantity', quantity: after }, shown: { entryIds: [], quantity, unit, price } };
}

function partByAmount({ line, before, currency }: CreditedSoFar, amount: Decimal, path: string): CreditPart {
  if (billsTime(line)) throw invalid(path, 'Tracked time is credited by its entries.');
  if (before?.by === 'quantity') throw invalid(path, 'The line was credited by quantity before.');
  const amountMinor = exactMinor(amount, currency);
  if (amountMinor === undefined) {
    throw invalid(path, `An amount in ${currency} has at most ${minorDigits(currency)} digits after the point.`);
  }
  if (amountMinor === 0n) throw invalid(path, 'A credit is of more than zero.');
  const creditedMinor = creditedAmountMinor(line, before, currency);
  if (creditedMinor + amountMinor > parseMinor(line.amount)) {
    const left = formatMinor(parseMinor(line.amount) - creditedMinor, currency);
    throw exceeds(path, `Only ${left} ${currency} of the line are left.`);
  }
  const after = { by: 'amount', amount: formatMinor(creditedMinor + amountMinor, currency) } as const;
  return { line, after, shown: asOne(amountMinor, currency) };
}

function partOfTime(soFar: CreditedSoFar, entryIds: readonly string[], path: string, timeOf: TimeOf): CreditPart {
  const own = new Set(soFar.line.entryIds);
  const left = new Set(entriesLeft(soFar.line, soFar.before));
  for (const [index, id] of entryIds.entries()) {
    if (!own.has(id)) throw referenceNotFound(`${path}.${index}`);
    if (!left.has(id)) throw exceeds(`${path}.${index}`, 'The entry was credited before.');
  }
  return timePart(soFar, entryIds, timeOf);
}

function entriesLeft(line: LineItem, before: CreditedLine | undefined): readonly string[] {
  const gone = new Set(before?.by === 'entries' ? before.entryIds : []);
  return line.entryIds.filter((id) => !gone.has(id));
}

function timePart({ line, before, currency }: CreditedSoFar, entryIds: readonly string[], timeOf: TimeOf): CreditPart {
  const { unit, price } = line;
  const credited = before?.by === 'entries' ? before : NO_TIME;
  const times = isPartOf(line, entryIds) ? entryIds.map((id) => knownTime(id, timeOf)) : [];
  const isRest = credited.entryIds.length + entryIds.length === line.entryIds.length;
  const amountMinor = times.reduce((sum, time) => sum + time.amountMinor, parseMinor(credited.amount));
  const minutes = isRest
    ? minutesOfQuantity(line.quantity)
    : times.reduce((sum, time) => sum + time.minutes, credited.minutes);
  return {
    line,
    after: {
      by: 'entries',
      entryIds: [...credited.entryIds, ...entryIds],
      minutes,
      amount: isRest ? line.amount : formatMinor(amountMinor, currency),
    },
    shown: {
      entryIds,
      quantity: hoursOf(minutes - credited.minutes),
      unit,
      price,
      ...daysOf(line, times),
      ...workedOf(times),
    },
  };
}

const isPartOf = (line: LineItem, entryIds: readonly string[]): boolean => entryIds.length < line.entryIds.length;

function knownTime(entryId: string, timeOf: TimeOf): CreditedTime {
  const time = timeOf(entryId);
  if (!time) throw new Error('The time of an entry was not read.');
  return time;
}

/** The days of these entries, in the description too where it says nothing else. Without entries those of the line. */
function daysOf(line: LineItem, times: readonly CreditedTime[]): Partial<Days> {
  const dates = times.map(({ date }) => date).sort();
  const [serviceFrom, serviceTo] = [dates[0], dates.at(-1)];
  if (serviceFrom === undefined || serviceTo === undefined) return {};
  const days = { serviceFrom, serviceTo };
  return line.description === daysText(line) ? { ...days, description: daysText(days) } : days;
}

/** As the days: without entries those of the line. */
function workedOf(times: readonly CreditedTime[]): Partial<Worked> {
  if (times.length === 0) return {};
  const [worked, billed] = times.reduce(([a, b], time) => [a + time.workedMinutes, b + time.minutes], [0, 0]);
  return { workedMinutes: worked === billed ? null : worked };
}

const NO_TIME = { by: 'entries', entryIds: [], minutes: 0, amount: '0' } as const satisfies CreditedLine;

function restOf(soFar: CreditedSoFar, timeOf: TimeOf): CreditPart {
  const { line, before, currency } = soFar;
  const { unit, price, quantity, amount } = line;
  if (billsTime(line)) return timePart(soFar, entriesLeft(line, before), timeOf);
  if (before?.by === 'amount') {
    const leftMinor = parseMinor(amount) - creditedAmountMinor(line, before, currency);
    return { line, after: { by: 'amount', amount }, shown: asOne(leftMinor, currency) };
  }
  const left = before ? restQuantity(line, before) : quantity;
  return { line, after: { by: 'quantity', quantity }, shown: { entryIds: [], quantity: left, unit, price } };
}

/** An amount that is no number of units. */
function asOne(amountMinor: bigint, currency: string): CreditPart['shown'] {
  return { entryIds: [], quantity: '1', unit: '', price: formatMinor(amountMinor, currency) };
}

function restQuantity(line: LineItem, before: CreditedLine | undefined): Decimal {
  return before?.by === 'quantity' ? differenceOf(line.quantity, before.quantity) : canonicalDecimal(line.quantity);
}

export function hasRest(line: LineItem, credited: CreditedLine | undefined): boolean {
  switch (credited?.by) {
    case undefined:
      return billsTime(line) || compareDecimals(line.quantity, '0') > 0;
    case 'quantity':
      return compareDecimals(credited.quantity, line.quantity) < 0;
    case 'amount':
      return parseMinor(credited.amount) < parseMinor(line.amount);
    case 'entries':
      return credited.entryIds.length < line.entryIds.length;
  }
}

function creditedAmountMinor(line: LineItem, credited: CreditedLine | undefined, currency: string): bigint {
  if (!credited) return 0n;
  if (credited.by === 'quantity') return lineAmountMinor(credited.quantity, line.price, currency);
  return parseMinor(credited.amount);
}

export interface CreditFigures extends Totals {
  readonly lineItems: readonly CreditLine[];
  readonly taxes: readonly TaxShare[];
}

type Terms = Pick<Invoice, 'lineItems' | 'currency' | 'discountPercent' | 'taxRounding' | 'locale'>;

interface Taxable extends LineItem {
  readonly beforeMinor: bigint;
  readonly afterMinor: bigint;
}

export function creditFigures(
  invoice: Terms,
  credited: Credited,
  parts: readonly CreditPart[],
  newId: () => string,
): CreditFigures {
  const { currency } = invoice;
  const afterOf = new Map(parts.map(({ line, after }) => [line.id, after]));
  const baseMinor = (line: LineItem, by: CreditedLine | undefined) => {
    const amountMinor = creditedAmountMinor(line, by, currency);
    return amountMinor - discountMinor(amountMinor, invoice.discountPercent);
  };
  const taxable = invoice.lineItems.map((line): Taxable => {
    const [before, after] = [credited.get(line.id), afterOf.get(line.id)];
    const beforeMinor = baseMinor(line, before);
    return { ...line, beforeMinor, afterMinor: after ? baseMinor(line, after) : beforeMinor };
  });
  const taxes = taxGroupsOf(taxable).flatMap(({ taxCategory, taxRate, lines }): TaxShare[] => {
    const touched = lines.filter(({ id }) => afterOf.has(id));
    if (touched.length === 0) return [];
    const grown = touched.map(({ beforeMinor, afterMinor }) => afterMinor - beforeMinor);
    const taxOf = (bases: readonly bigint[]) => taxMinor(bases, taxRate, invoice.taxRounding);
    const tax = taxOf(lines.map((line) => line.afterMinor)) - taxOf(lines.map((line) => line.beforeMinor));
    return [
      {
        taxCategory,
        taxRate,
        base: formatMinor(sumMinor(grown), currency),
        amount: formatMinor(tax, currency),
        exemptionReason: reasonOf(taxCategory, touched, invoice.locale),
      },
    ];
  });
  const lineItems = parts.map(({ line, after, shown }): CreditLine => {
    const before = credited.get(line.id);
    const amountMinor = creditedAmountMinor(line, after, currency) - creditedAmountMinor(line, before, currency);
    const lessMinor = amountMinor - (baseMinor(line, after) - baseMinor(line, before));
    return {
      ...line,
      ...shown,
      id: newId(),
      lineItemId: line.id,
      amount: formatMinor(amountMinor, currency),
      discount: formatMinor(lessMinor, currency),
    };
  });
  const taxTotalMinor = sumMinor(taxes.map(({ amount }) => parseMinor(amount)));
  return { lineItems, taxes, ...totalsWith(lineItems, taxTotalMinor, currency) };
}

function invalid(path: string, message: string): Problem {
  return fault('invalid_credit_amount', path, message);
}

function exceeds(path: string, message: string): Problem {
  return fault('credit_exceeds_line', path, message);
}
