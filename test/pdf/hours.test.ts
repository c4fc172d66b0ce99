import { describe, expect, it } from 'vitest';
import type { LineHours } from '#shared/domain/invoices/printed-hours.ts';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { formatMinor, sumMinor, workAmountMinor } from '#shared/domain/money.ts';
import { hoursOf } from '#shared/domain/tracker/work-time.ts';
import { draws } from '#test/support/draws.ts';
import { expectTidy } from './expectations.ts';
import { drawn, item, PROFILE, printed } from './printed.ts';
import { readPdf, squeeze } from './read-pdf.ts';
import { allOf, readStructure, wholeText } from './read-structure.ts';

/** Hours of so many entries of 10 minutes at 137.50, which are 22.92 each. */
function hoursWith(count: number, change: (index: number) => object = () => ({})): LineHours {
  const rows = Array.from({ length: count }, (_, index) => ({
    date: `2026-11-${String(1 + (index % 28)).padStart(2, '0')}`,
    description: `Task ${index + 1}.`,
    person: ['Ana Lopes', 'Bea Stone'][index % 2] ?? '',
    minutes: 10,
    amount: formatMinor(workAmountMinor(10, '137.50', 'EUR'), 'EUR'),
    ...change(index),
  }));
  const amount = formatMinor(sumMinor(rows.map(() => workAmountMinor(10, '137.50', 'EUR'))), 'EUR');
  const entryIds = rows.map((_, index) => `${index}`);
  const line = item({ name: 'Data platform', quantity: hoursOf(10 * count), price: '137.50', amount, entryIds });
  return { line, rows, changed: null };
}

const withHours = (hours: readonly LineHours[], changes: Partial<PrintedInvoice> = {}) =>
  drawn(printed({ seller: PROFILE, lineItems: hours.map(({ line }) => ({ ...line, discount: '0.00' })), ...changes }), {
    hours,
  });

describe('an invoice with its hours', () => {
  it('has them behind its last page: each entry with its sum, which is that of the line', async () => {
    const pdf = await readPdf(await withHours([hoursWith(40)]));
    const [invoice, ...others] = pdf.pages.map(({ squeezed }) => squeezed);
    expect(invoice).toContain(squeeze('Data platform Sum of 40 entries, each rounded 6:40 h €137.50 €916.80'));
    const text = others.join('');
    expect(text).toContain(squeeze('Timesheet Data platform DATE DESCRIPTION PERSON HOURS RATE AMOUNT EUR'));
    expect(text).toContain(squeeze('1 November 2026 Task 1. Ana Lopes 0:10 €137.50 €22.92'));
    expect(text).toContain(squeeze('12 November 2026 Task 40. Bea Stone 0:10 €137.50 €22.92 Sum 6:40 €916.80'));
    expect(text).toContain(squeeze('Page 3 of 3'));
    expectTidy(pdf);
  });

  it('says what of a line has changed since, without a date or a person', async () => {
    const hours = { ...hoursWith(2), changed: { minutes: 380, amount: '870.96' } };
    const text = (await readPdf(await withHours([hours]))).pages[1]?.squeezed;
    expect(text).toContain(squeeze('Task 2. Bea Stone 0:10 €137.50 €22.92 Entries changed since they were billed'));
    expect(text).toContain(squeeze('billed 6:20 €137.50 €870.96 Sum'));
    const surplus = { ...hoursWith(2), changed: { minutes: -67, amount: '-153.54' } };
    const other = (await readPdf(await withHours([surplus]))).pages[1]?.squeezed;
    expect(other).toContain(squeeze('billed -1:07 €137.50 -€153.54 Sum'));
  });

  it('has a head on each page, and a sum below an entry', async () => {
    for (const count of Array.from({ length: draws(8) }, (_, index) => 38 + index)) {
      const pdf = await readPdf(await withHours([hoursWith(count), hoursWith(2)], { status: 'draft', number: null }));
      for (const { squeezed } of pdf.pages.slice(1)) {
        expect(squeezed).toMatch(/^(Timesheet)?(Dataplatform)?DATEDESCRIPTIONPERSON/);
        expect(squeezed.indexOf('Sum')).not.toBe(squeezed.indexOf('AMOUNTEUR') + 'AMOUNTEUR'.length);
      }
    }
  });

  it('is read as tables with heads, all cells and a heading for each', async () => {
    const { root, lost } = await readStructure(await withHours([hoursWith(60), hoursWith(1)]));
    expect(lost).toEqual([]);
    expect(wholeText(root)).toContain(squeeze('Data platform 0:10 h €137.50 €22.92'));
    expect(allOf(root, 'H2').map(wholeText)).toContain('Timesheet');
    expect(allOf(root, 'H3').map(wholeText)).toEqual(['Dataplatform', 'Dataplatform']);
    const tables = allOf(root, 'Table').slice(-2);
    expect(tables.map((table) => allOf(table, 'TR').length)).toEqual([62, 3]);
    for (const row of tables.flatMap((table) => allOf(table, 'TR'))) expect(row.children).toHaveLength(6);
    const [head, entry, sum] = allOf(tables[1] ?? root, 'TR').map(({ children }) => children);
    expect(head?.every(({ scope }) => scope === 'Column')).toBe(true);
    expect(entry?.map(wholeText)).toEqual(['1November2026', 'Task1.', 'AnaLopes', '0:10', '€137.50', '€22.92']);
    expect(sum?.map(({ role, scope }) => scope ?? role)).toEqual(['Row', 'TD', 'TD', 'TD', 'TD', 'TD']);
    expect(sum?.map(wholeText)).toEqual(['Sum', '', '', '0:10', '', '€22.92']);
  });

  it.each([
    ['a text of many pages', { description: Array.from({ length: 200 }, (_, line) => `${line}.`).join('\n') }],
    ['wide words', { description: 'W'.repeat(600), person: 'W'.repeat(100) }],
    ['nothing', { description: '', person: '' }],
  ])('holds %s', async (_, texts) => {
    const pdf = await readPdf(await withHours([hoursWith(3, () => texts)]));
    const text = pdf.pages.map(({ squeezed }) => squeezed).join('');
    for (const part of Object.values(texts)) {
      const last = squeeze(part).slice(-4);
      if (last) expect(text.split(last).length).toBeGreaterThan(3);
    }
    expectTidy(pdf);
  });

  it('has room for the longest figures', async () => {
    const { line, rows } = hoursWith(2, () => ({ minutes: 525_600, amount: '8759999999999999.99' }));
    const longest = { ...line, price: '999999999999.999999', amount: '999999999999999.99', quantity: '87600000' };
    const pdf = await readPdf(await withHours([{ line: longest, rows, changed: null }]));
    expectTidy(pdf);
  });
});
