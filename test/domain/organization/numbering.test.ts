import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_FORMATS,
  fileNameOf,
  isNumberFormat,
  type Numbering,
  type NumberingChanges,
  numberOf,
  periodOf,
  reviseNumbering,
} from '#shared/domain/organization/numbering.ts';

const part = fc.constantFrom(
  '{yyyy}',
  '{yy}',
  '{mm}',
  '{n}',
  '{n:1}',
  '{n:9}',
  '{n:0}',
  '{n:10}',
  '{m}',
  '{',
  '}',
  'N',
  ' ',
);
const text = fc.array(part, { maxLength: 7 }).map((parts) => parts.join(''));

const date = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10));

describe('a format of numbers', () => {
  it.each(['{n:9}/{mm}.{yy}', 'A {yyyy}{yy}{mm} {n}', '#{n}~', `${'x'.repeat(27)}{n}`])('may be %s', (format) =>
    expect(isNumberFormat(format)).toBe(true),
  );

  it.each([
    'INV',
    '{n}{n:3}',
    '{n:0}',
    '{n:10}',
    '{{n}}',
    '{mm}-{n}',
    '{yyyy}{yyyy}{n}',
    '{yy}{yy}{n}',
    '{yyyy}{mm}{mm}{n}',
    '{dd}{n}',
    ' {n}',
    '{n} ',
    'é{n}',
    'A\n{n}',
    '{n}\u007f',
    `${'x'.repeat(28)}{n}`,
  ])('may not be %j', (format) => expect(isNumberFormat(format)).toBe(false));

  it('tells each document of a series by its number, and lets no brace through', () => {
    fc.assert(
      fc.property(
        text.filter(isNumberFormat),
        date,
        fc.uniqueArray(fc.integer({ min: 1, max: 999_999_999 })),
        (format, day, positions) => {
          const numbers = positions.map((position) => numberOf(format, position, day));
          expect(new Set(numbers).size).toBe(positions.length);
          for (const number of numbers) expect(number).toMatch(/^[ -z|~]+$/);
        },
      ),
    );
  });

  it('prints the same text on all days of a series, but for the month where the series is a year', () => {
    fc.assert(
      fc.property(text.filter(isNumberFormat), date, date, (format, one, other) => {
        if (periodOf(format, one) !== periodOf(format, other)) return;
        expect(numberOf(format, 7, one)).toBe(numberOf(format, 7, other));
      }),
    );
  });
});

describe('a number', () => {
  it.each([
    ['INV-{n:6}', 1, 'INV-000001', ''],
    ['INV-{n:6}', 1_000_000, 'INV-1000000', ''],
    ['2026-{n:4}', 118, '2026-0118', ''],
    ['{yyyy}-{n:4}', 118, '2026-0118', '2026'],
    ['{yy}{mm}/{n}', 5, '2603/5', '2026-03'],
    ['R {n:9} {yyyy}', 12, 'R 000000012 2026', '2026'],
  ])('by %s at %i is %s, of the series %j', (format, position, number, period) => {
    expect([numberOf(format, position, '2026-03-09'), periodOf(format, '2026-03-09')]).toEqual([number, period]);
  });

  it.each([
    ['RE 2026/0118', 'RE-2026-0118'],
    ['../"x".é', '..--x-.-'],
    ['a_b-c.1', 'a_b-c.1'],
    [null, 'draft'],
  ])('%j names a file %s', (number, name) => expect(fileNameOf(number)).toBe(name));
});

describe('a change of the numbering', () => {
  const present = { format: 'INV-{n:6}', next: 12 };
  const revise = (changes: NumberingChanges, from: Numbering = present) =>
    reviseNumbering('INVOICE', from, changes, 'invoiceNumbering');

  it.each([
    [{}, present],
    [{ next: null }, present],
    [{ next: 12 }, present],
    [{ next: 999_999_999 }, { ...present, next: 999_999_999 }],
    [{ format: '2026-{n}' }, { format: '2026-{n}', next: 12 }],
    [{ format: '{yyyy}-{n}' }, { format: '{yyyy}-{n}', next: 1 }],
    [
      { format: '{yyyy}-{n}', next: 3 },
      { format: '{yyyy}-{n}', next: 3 },
    ],
  ])('%j makes it %j', (changes, expected) => expect(revise(changes)).toEqual(expected));

  it('leaves a series that has ended as it is, and begins another with a year', () => {
    const ended = { format: 'INV-{n:6}', next: null };
    for (const same of [{}, ended]) expect(revise(same, ended)).toEqual(ended);
    expect(revise({ format: 'A{n}' }, ended)).toEqual({ format: 'A{n}', next: null });
    expect(revise({ format: '{yyyy}-{n}' }, ended)).toEqual({ format: '{yyyy}-{n}', next: 1 });
    expect(() => revise({ next: 999_999_999 }, ended)).toThrow('It is 999999999, and the series has ended.');
  });

  it('keeps a format that it does not name', () => {
    const yearly = { format: '{yyyy}-{n}', next: 4 };
    expect(revise({ next: 5 }, yearly)).toEqual({ ...yearly, next: 5 });
  });

  it('goes back to the default with null', () => {
    const yearly = { format: '{yyyy}-{n}', next: 4 };
    for (const changes of [null, { format: null }]) {
      expect(revise(changes, yearly)).toEqual({ format: DEFAULT_FORMATS.INVOICE, next: 4 });
    }
  });

  it.each([{ next: 11 }, { format: '2026-{n}', next: 11 }])('is refused that lowers the number: %j', (changes) => {
    expect(() => revise(changes)).toThrow(expect.objectContaining({ code: 'number_goes_back' }));
  });
});
