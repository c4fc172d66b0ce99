import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockHours, datedText, lineTextsIn, roundedEntriesOf } from '#shared/domain/invoices/printed-time.ts';
import { type BillableEntry, TIME_GROUPINGS } from '#shared/domain/invoices/tracked-time.ts';
import { LOCALES } from '#shared/domain/locale.ts';
import { hoursOf } from '#shared/domain/tracker/work-time.ts';
import { billableEntry, untaxedLines } from '#test/support/invoice-sources.ts';

const entry = (entryDate: string) =>
  billableEntry({ id: entryDate, entryDate, description: 'Review: tests', durationMinutes: 91 });

describe('hours of tracked time', () => {
  it('are the minutes from which they were made, whatever was rounded', () => {
    fc.assert(
      fc.property(fc.nat({ max: 10 ** 9 }), (minutes) => {
        const [, hours, rest] = /^(\d+):(\d\d)$/.exec(clockHours(hoursOf(minutes))) ?? [];
        expect(Number(hours) * 60 + Number(rest)).toBe(minutes);
      }),
    );
  });
});

describe('a line of tracked time', () => {
  const lineOf = (minutes: readonly number[], rate: string) => {
    const entries = minutes.map((durationMinutes, index) => billableEntry({ id: `${index}`, durationMinutes, rate }));
    const [line] = untaxedLines(entries, 'project');
    if (!line) throw new Error('There is no line.');
    return line;
  };

  it('of one entry is its hours times its price, and of several says so exactly where it is not', () => {
    const rate = fc.tuple(fc.nat(500), fc.nat(99)).map(([whole, part]) => `${whole}.${String(part).padStart(2, '0')}`);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 60 }),
        rate,
        (minutes, price) => {
          const line = lineOf(minutes, price);
          const sum = BigInt(minutes.reduce((total, each) => total + each, 0));
          const hundredths = BigInt(price.replace('.', ''));
          const exact = (2n * sum * hundredths + 60n) / 120n;
          const count = roundedEntriesOf(line, 'USD');
          expect(count).toBe(exact === BigInt(line.amount.replace('.', '')) ? 0 : minutes.length);
          if (minutes.length === 1) expect(count).toBe(0);
        },
      ),
    );
  });

  it('of forty entries of ten minutes at 137.50 is 916.80, and not 916.67', () => {
    const line = lineOf(new Array<number>(40).fill(10), '137.50');
    expect([line.amount, roundedEntriesOf(line, 'USD')]).toEqual(['916.80', 40]);
  });
});

describe('texts of tracked time', () => {
  it('are recognized by their dates, as the lines have them', () => {
    const [first, last] = [entry('2026-11-02'), entry('2026-11-20')];
    const lines = (entries: BillableEntry[]) => TIME_GROUPINGS.flatMap((groupBy) => untaxedLines(entries, groupBy));
    expect(lines([first]).map(({ description }) => datedText(description))).toEqual([
      { from: '2026-11-02', to: '2026-11-02', text: first.description },
      { from: '2026-11-02', to: '2026-11-02', text: '' },
      { from: '2026-11-02', to: '2026-11-02', text: '' },
    ]);
    const all = lines([first, last]);
    expect(all.map(({ description }) => datedText(description))).not.toContain(null);
    expect(all.map(({ description }) => datedText(description))).toContainEqual({
      from: '2026-11-02',
      to: '2026-11-20',
      text: '',
    });
    const textsOf = lineTextsIn({ locale: 'de', seller: { countryCode: null } });
    for (const line of all) expect(textsOf(line).name).toBe('Arbeitszeit');
    expect(lines([first]).map((line) => textsOf(line).description)).toEqual([
      '2. November 2026 · Review: tests',
      '2. November 2026',
      '2. November 2026',
    ]);
  });

  it.each([
    '2026-11-31: Review',
    '2026-11-02 until noon',
    '2026-11-02 to 2026-11-31',
    '2026-02-30 to 2026-03-01',
    ' 2026-11-02',
    '2026-11-02:x',
  ])('are others: "%s"', (text) => {
    expect(datedText(text)).toBeNull();
  });

  it('tell the time that was worked in each language, where others are billed', () => {
    const seller = { countryCode: null };
    const rounded = { ...entry('2026-11-02'), billedMinutes: 105 };
    const [line] = untaxedLines([rounded], 'day');
    if (!line) throw new Error('There is no line.');
    const described = LOCALES.map((locale) => lineTextsIn({ locale, seller })(line).description);
    const worked = described.map((text) => text.split('\n')[1] ?? '');
    for (const text of worked) expect(text).toMatch(/[:：] ?1:31$/);
    expect(new Set(worked).size).toBe(LOCALES.length);
    expect(lineTextsIn({ locale: 'en', seller })({ ...line, description: '' }).description).toBe('Time worked: 1:31');
    expect(lineTextsIn({ locale: 'en', seller })({ ...line, workedMinutes: null }).description).toBe('2 November 2026');
  });

  it('name a line without a project in each language', () => {
    const line = untaxedLines([entry('2026-11-02')], 'day');
    const names = LOCALES.flatMap((locale) =>
      line.map((each) => lineTextsIn({ locale, seller: { countryCode: null } })(each).name),
    );
    for (const name of names) expect(name).toMatch(/^\p{L}/u);
    expect(new Set(names).size).toBe(LOCALES.length);
  });

  it('may have lines of their own', () => {
    expect(datedText('2026-11-02: one\ntwo: three')?.text).toBe('one\ntwo: three');
  });
});
