import { describe, expect, it } from 'vitest';
import type { PrintedInvoice } from '#shared/domain/invoices/printed-invoice.ts';
import { exif, jpeg } from '#test/support/pictures.ts';
import { drawn, item, PROFILE, printed } from './printed.ts';
import { dictionariesOf, referred } from './read-objects.ts';
import { squeeze } from './read-pdf.ts';
import { allOf, readStructure, type Structure, wholeText } from './read-structure.ts';

const PAYMENTS = [
  { kind: 'payment' as const, date: '2026-11-10', amount: '100.00', method: 'Wire', reference: 'First' },
  { kind: 'payment' as const, date: '2026-11-20', amount: '200.00', method: null, reference: null },
];

async function structureOf(changes: Partial<PrintedInvoice> = {}): Promise<Structure> {
  return readStructure(await drawn(printed({ seller: PROFILE, ...changes })));
}

const rowsOf = (structure: Structure, table: number) =>
  allOf(allOf(structure.root, 'Table')[table] ?? structure.root, 'TR').map(({ children }) => children);

describe('the structure of an invoice', () => {
  it('says that it is PDF/UA-1, in which language it is, and that its title is to be shown', async () => {
    const { file, catalog, metadata } = await structureOf({ locale: 'pt' });
    expect(catalog.get('Lang')).toEqual({ bytes: Buffer.from('pt') });
    expect(referred(file, catalog.get('ViewerPreferences')).get('DisplayDocTitle')).toBe(true);
    expect(metadata).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(metadata).toContain('<rdf:li xml:lang="x-default">Fatura INV-000042</rdf:li>');
  });

  it('is read in the order of its parts, each under its heading', async () => {
    const { root } = await structureOf({ payments: PAYMENTS, amountPaid: '300.00', amountDue: '6819.25' });
    expect(root.role).toBe('Document');
    expect(allOf(root, 'H1').map(wholeText)).toEqual(['Invoice']);
    expect(allOf(root, 'H2').map(wholeText)).toEqual(['BILLEDTO', 'BANKDETAILS', 'NOTES']);
    const text = wholeText(root);
    const order = [
      ...['Invoice', 'INV-000042', PROFILE.name, '10115 Berlin', 'ISSUED', 'DUE', 'AMOUNT DUE', 'BILLED TO', 'Globex'],
      ...['DESCRIPTION', 'Website', 'Design and copy', '37.5', 'Handbook', 'Workshop', 'Subtotal', 'Total EUR'],
      ...['BANK DETAILS', 'IBAN', 'NOTES', 'Thank you.', 'PAYMENTS', 'First', 'HRB 4711'],
    ];
    let from = 0;
    for (const part of order) {
      const at = text.indexOf(squeeze(part), from);
      expect(at, part).toBeGreaterThanOrEqual(from);
      from = at + squeeze(part).length;
    }
  });

  it('has tables with heads, and all cells in each row', async () => {
    const structure = await structureOf({ payments: PAYMENTS, amountPaid: '300.00', amountDue: '6819.25' });
    const [lines, totals, payments] = [0, 1, 2].map((table) => rowsOf(structure, table));
    expect(lines?.map((row) => row.map(({ role, scope }) => scope ?? role))).toEqual([
      Array.from({ length: 5 }, () => 'Column'),
      ...Array.from({ length: 3 }, () => Array.from({ length: 5 }, () => 'TD')),
    ]);
    expect(lines?.at(-1)?.map(wholeText)).toEqual(['Workshop', '0.25days', '€1,600.0045', '', '€400.00']);
    expect(totals?.map((row) => row.map(({ role, scope }) => scope ?? role))).toEqual(
      Array.from({ length: 6 }, () => ['Row', 'TD']),
    );
    expect(payments?.[0]?.map(({ scope }) => scope)).toEqual(['Column', 'Column', 'Column', 'Column']);
    expect(payments?.[2]?.map(wholeText)).toEqual(['20November2026', '', '', '€200.00']);
  });

  it('leaves no text out, and repeats none: page numbers, repeated heads and watermarks are artifacts', async () => {
    const lineItems = Array.from({ length: 90 }, (_, index) => item({ name: `Ticket ${index + 1}.` }));
    const { root, artifacts, lost } = await structureOf({ lineItems, status: 'draft', number: null });
    expect(lost).toEqual([]);
    expect(artifacts.length).toBeGreaterThan(2);
    artifacts.forEach((text, index) => {
      expect(text).toContain(squeeze(`Draft invoice · Page ${index + 1} of ${artifacts.length}`));
      expect(text).not.toContain('DRAFT');
      expect(text.includes('DESCRIPTION')).toBe(index > 0);
      expect(text).not.toContain('Ticket');
    });
    expect(wholeText(root).match(/Ticket\d+\./g)).toEqual(lineItems.map(({ name }) => squeeze(name)));
    expect(wholeText(root).split('DESCRIPTION')).toHaveLength(2);
  });

  it('keeps a row that goes on over pages one row', async () => {
    const description = 'A sentence of some words. '.repeat(300);
    const structure = await structureOf({ lineItems: [item({ name: 'Long', description })], notes: null });
    const [, row] = rowsOf(structure, 0);
    expect(structure.artifacts.length).toBeGreaterThan(1);
    expect(row?.map(wholeText)).toEqual([squeeze(`Long${description}`), '1hour', '€100.00', '€100.00']);
  });

  it('has the address to pay at as a link, of the amount that is due alone', async () => {
    const paymentUrl = 'https://zahlen.example/büro/42/7';
    const lineItems = Array.from({ length: 90 }, (_, index) => item({ name: `Ticket ${index + 1}.` }));
    const { root, lost, file } = await structureOf({ paymentUrl, lineItems });
    const [element, ...others] = allOf(root, 'Link');
    expect([others, lost]).toEqual([[], []]);
    const url = 'https://zahlen.example/b%C3%BCro/42/7';
    expect(element).toMatchObject({
      text: 'zahlen.example/…',
      link: { url, meaning: `Pay online: ${url}` },
    });
    expect(dictionariesOf(file).find((one) => one.has('Annots'))).toBe(element?.link?.page);
    for (const changes of [{ status: 'paid' }, { amountDue: '0.00' }] as const) {
      const structure = await structureOf({ paymentUrl, ...changes });
      expect(allOf(structure.root, 'Link')).toEqual([]);
      expect(wholeText(structure.root)).not.toContain('zahlen');
    }
  });

  it('tells what its logo shows, and where it is, behind the title', async () => {
    const logo = jpeg({ columns: 2, rows: 3, segments: [exif(6, 'Taken at home')] });
    const bytes = await drawn(printed({ seller: { ...PROFILE, name: 'A & B' } }), { logo });
    const { root, lost, file } = await readStructure(bytes);
    expect(lost).toEqual([]);
    expect(allOf(root, 'Figure').map(({ alt }) => alt)).toEqual(['A & B']);
    const roles = root.children.map(({ role }) => role);
    expect(roles.indexOf('Figure')).toBeGreaterThan(roles.indexOf('H1'));
    const [box] = dictionariesOf(file).flatMap((one) => (one.has('BBox') ? [one.get('BBox')] : []));
    // 24 by 16 pixels as it lies, on Letter: 612 points wide, with a margin of 70.87 for a window.
    const left = 70.87 + 236;
    expect(box).toEqual([left, 792 - 36 - 12, left + 18, 792 - 36].map((length) => expect.closeTo(length, 1)));
    expect(Buffer.from(bytes).includes('Taken at home')).toBe(false);
  });
});
