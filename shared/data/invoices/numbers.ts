import * as v from 'valibot';
import {
  givenNumberKey,
  type Numbered,
  numberingKey,
  numberPlace,
  seriesKey,
  usedFormatKey,
} from '#shared/data/layout/keys.ts';
import { readItems } from '#shared/data/table/batch.ts';
import { readItem } from '#shared/data/table/item.ts';
import type { Item } from '#shared/data/table/query.ts';
import { refusing, type TransactItem, type Write } from '#shared/data/table/transaction.ts';
import { assign, check, IS_ABSENT, put, unread } from '#shared/data/table/writes.ts';
import {
  DEFAULT_FORMATS,
  MAX_POSITION,
  type Numbering,
  numberOf,
  numberTaken,
  periodOf,
} from '#shared/domain/organization/numbering.ts';

/**
 * A number is given in the transaction that writes its document, so a series has no gap. One item for each kind of
 * document has the last position. Each series of a format with a year has an item of its own beside it. When such
 * a format is taken up again, the series of today begins at 1, and the others go on.
 *
 * While an organization has chosen nothing, its numbers differ by their position. From then on each number leaves a mark,
 * so that none is given twice, whatever the format. Those from before have no mark, and are known by their position.
 */

const choice = v.object({
  format: v.string(),
  /** The place of the format's series; null until it is used, and where each year has its own. */
  place: v.nullable(v.number()),
  /** How many series were used. */
  used: v.number(),
  /** Up to this position, numbers of the default format have no mark. */
  unmarked: v.number(),
});

type Choice = v.InferOutput<typeof choice>;

const counter = v.object({ last: v.number(), issueDate: v.optional(v.nullable(v.string()), null) });

/** @property place how many others were used before it; null until it is */
const storedSeries = v.object({ ...counter.entries, place: v.optional(v.nullable(v.number()), null) });

const stored = v.object({ ...counter.entries, choice: v.optional(v.nullable(choice), null) });

/** The last position of a series, and the date before which, in the order of dates, no more documents are. */
type Counter = v.InferOutput<typeof counter>;

/** Its position is that of all formats without a year. */
export interface Numbers extends v.InferOutput<typeof stored> {
  readonly organizationId: string;
  readonly kind: Numbered;
}

export interface Series extends v.InferOutput<typeof storedSeries> {
  /** As `periodOf` a date. */
  readonly period: string;
}

const NONE: Counter = { last: 0, issueDate: null };

export async function readNumbers(organizationId: string, kind: Numbered): Promise<Numbers> {
  return numbersFrom(organizationId, kind, await readItem(numberingKey(organizationId, kind)));
}

export async function readAllNumbers(organizationId: string): Promise<Readonly<Record<Numbered, Numbers>>> {
  const keyOf = (kind: Numbered) => numberingKey(organizationId, kind);
  const itemOf = await readItems([keyOf('INVOICE'), keyOf('CREDIT_NOTE')]);
  const of = (kind: Numbered) => numbersFrom(organizationId, kind, itemOf(keyOf(kind)));
  return { INVOICE: of('INVOICE'), CREDIT_NOTE: of('CREDIT_NOTE') };
}

function numbersFrom(organizationId: string, kind: Numbered, item: Item | undefined): Numbers {
  return { organizationId, kind, ...(item ? v.parse(stored, item) : { ...NONE, choice: null }) };
}

export async function readSeries(numbers: Numbers, date: string): Promise<Series> {
  const period = periodOf(formatOf(numbers), date);
  if (period === '') {
    return { period, last: numbers.last, issueDate: numbers.issueDate, place: choiceOf(numbers).place };
  }
  const item = await readItem(keyOfSeries(numbers, period));
  return { period, ...(item ? v.parse(storedSeries, item) : { ...NONE, place: null }) };
}

export const numberingOf = (numbers: Numbers, { last }: Series): Numbering => ({
  format: formatOf(numbers),
  next: last < MAX_POSITION ? last + 1 : null,
});

/** @param series of the date */
export function nextNumber(numbers: Numbers, { last, place }: Series, issueDate: string) {
  const { used, unmarked } = choiceOf(numbers);
  const isFirst = numbers.choice === null || (place === 0 && unmarked > 0);
  return {
    number: numberOf(formatOf(numbers), last + 1, issueDate),
    numberPlace: isFirst ? null : numberPlace(place ?? used, last + 1),
  };
}

/**
 * They fail if another has taken the number since, or the format has changed.
 *
 * @throws Problem `number_taken`, as their transaction may
 */
export function numberWrites(
  numbers: Numbers,
  series: Series,
  { number, issueDate }: { readonly number: string; readonly issueDate: string },
): Write[] {
  const { organizationId, kind, choice: before } = numbers;
  assertGoesOn(numbers, series, number);
  const given = { last: series.last + 1, issueDate };
  if (before === null) return [headWrite(numbers, given)];
  const isOfAllDates = series.period === '';
  const place = series.place ?? before.used;
  const isFirstUse = series.place === null;
  const after = { ...before, place: isOfAllDates ? place : null, used: before.used + (isFirstUse ? 1 : 0) };
  return [
    headWrite(numbers, { ...(isOfAllDates ? given : numbers), choice: after }),
    ...(isOfAllDates ? [] : [seriesWrite(numbers, series, { ...given, place })]),
    ...(isOfAllDates && isFirstUse ? [formatPut(numbers, before.format, place)] : []),
    refusing(put(givenNumberKey(organizationId, [kind, number]), unread, IS_ABSENT), () => taken(number)),
  ];
}

/** @throws Problem `number_taken`, as the transaction that gives the number would */
export async function assertFree(numbers: Numbers, series: Series, number: string): Promise<void> {
  assertGoesOn(numbers, series, number);
  if (numbers.choice === null) return;
  if (await readItem(givenNumberKey(numbers.organizationId, [numbers.kind, number]))) throw taken(number);
}

function assertGoesOn(numbers: Numbers, { last }: Series, number: string): void {
  if (last >= MAX_POSITION) throw numberTaken(`The series has ended with ${MAX_POSITION}.`);
  if (isUnmarked(number, numbers)) throw taken(number);
}

const taken = (number: string) =>
  numberTaken(`Another document has the number ${number}. Raise the next one, or choose another format.`);

/** @param series of today @param wanted as `reviseNumbering` makes it of what they are */
export async function numberingWrites(
  numbers: Numbers,
  series: Series,
  today: string,
  wanted: Numbering,
): Promise<Write[]> {
  const { format, next } = numberingOf(numbers, series);
  if (wanted.format === format && wanted.next === next) return [];
  const before = choiceOf(numbers);
  const isOther = wanted.format !== format;
  const chosen = { ...numbers, choice: { ...before, format: wanted.format } };
  const held = isOther ? await readOther(chosen, today) : series;
  const last = wanted.next === null ? MAX_POSITION : wanted.next - 1;
  return [
    headWrite(numbers, {
      ...(held.period === '' ? { last, issueDate: laterOf(held.issueDate, series.issueDate) } : numbers),
      choice: { ...chosen.choice, place: held.period === '' ? held.place : null },
    }),
    ...(held.period === '' ? [] : [seriesWrite(chosen, held, { ...held, last })]),
    ...(isOther && series.period !== '' ? [seriesCheck(numbers, series)] : []),
    ...(numbers.choice === null && before.place !== null ? [formatPut(numbers, before.format, before.place)] : []),
  ];
}

async function readOther(chosen: Numbers, today: string): Promise<Series> {
  const series = await readSeries(chosen, today);
  return series.period === '' ? { ...series, place: await readPlace(chosen, formatOf(chosen)) } : series;
}

const laterOf = (one: string | null, other: string | null): string | null =>
  (one ?? '') > (other ?? '') ? one : other;

/** Whether a document has got a number. */
export function areUsed(numbers: Numbers): boolean {
  return choiceOf(numbers).used > 0;
}

/** Fails once the first number is given. */
export function unusedCheck({ organizationId, kind }: Numbers): TransactItem {
  return check(numberingKey(organizationId, kind), {
    ConditionExpression: 'attribute_not_exists(pk) OR #choice.#used = :none',
    ExpressionAttributeNames: { '#choice': 'choice', '#used': 'used' },
    ExpressionAttributeValues: { ':none': 0 },
  });
}

const formatOf = (numbers: Numbers): string => choiceOf(numbers).format;

function choiceOf({ kind, last, choice: made }: Numbers): Choice {
  if (made) return made;
  const isUsed = last > 0;
  return {
    format: DEFAULT_FORMATS[kind],
    place: isUsed ? 0 : null,
    used: isUsed ? 1 : 0,
    unmarked: last,
  };
}

function isUnmarked(number: string, numbers: Numbers): boolean {
  const position = Number(/\d{1,9}$/.exec(number)?.[0]);
  const isBefore = position <= choiceOf(numbers).unmarked;
  return isBefore && numberOf(DEFAULT_FORMATS[numbers.kind], position, '') === number;
}

const keyOfSeries = (numbers: Numbers, period: string) =>
  seriesKey(numbers.organizationId, { kind: numbers.kind, format: formatOf(numbers), period });

function headWrite(
  numbers: Numbers,
  { last, issueDate, choice: after }: Counter & { readonly choice?: Choice | null },
) {
  const { organizationId, kind, choice: before } = numbers;
  const item = {
    ...numberingKey(organizationId, kind),
    last,
    issueDate: issueDate ?? undefined,
    ...(after && { choice: after }),
  };
  if (numbers.last === 0 && before === null) return assign(item, v.parser(stored), IS_ABSENT);
  return assign(item, v.parser(stored), {
    ConditionExpression: `#last = :last AND ${before ? 'choice = :choice' : 'attribute_not_exists(choice)'}`,
    ExpressionAttributeValues: { ':last': numbers.last, ...(before && { ':choice': before }) },
  });
}

function seriesWrite(numbers: Numbers, { period, last }: Series, after: Omit<Series, 'period'>): TransactItem {
  const item = {
    ...keyOfSeries(numbers, period),
    last: after.last,
    issueDate: after.issueDate ?? undefined,
    place: after.place ?? undefined,
  };
  return assign(item, v.parser(storedSeries), isLast(last));
}

function seriesCheck(numbers: Numbers, { period, last }: Series): TransactItem {
  return check(keyOfSeries(numbers, period), { ...isLast(last), ExpressionAttributeNames: { '#last': 'last' } });
}

const isLast = (last: number) => ({
  ConditionExpression: last === 0 ? 'attribute_not_exists(#last) OR #last = :last' : '#last = :last',
  ExpressionAttributeValues: { ':last': last },
});

const usedFormat = v.object({ place: v.number() });

async function readPlace({ organizationId, kind }: Numbers, format: string): Promise<number | null> {
  const item = await readItem(usedFormatKey(organizationId, [kind, format]));
  return item ? v.parse(usedFormat, item).place : null;
}

function formatPut({ organizationId, kind }: Numbers, format: string, place: number): TransactItem {
  return put({ ...usedFormatKey(organizationId, [kind, format]), place }, v.parser(usedFormat));
}
