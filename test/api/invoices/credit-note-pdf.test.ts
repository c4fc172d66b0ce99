import { describe, expect, it } from 'vitest';
import { allText, readPdf, squeeze } from '#test/pdf/read-pdf.ts';
import { given } from '#test/support/given.ts';

describe('GET /credit-notes/{id}/pdf', () => {
  it('draws the credit note in the language of the invoice, which it names with its date', async () => {
    const ana = await given.user({ currency: 'EUR' });
    const { id: clientId } = await given.client(ana);
    const entry = await given.entry(ana, { clientId, rate: 60, durationMinutes: 90, entryDate: '2026-11-19' });
    const lineItems = [
      { name: 'Hosting', quantity: '2', unit: 'month', price: '49.90', taxRate: '19' },
      { entryIds: [entry.id] },
    ];
    const terms = {
      discountPercent: '10',
      locale: 'de',
      issueDate: '2026-11-20',
      dueDate: null,
      purchaseOrder: 'PO-4711',
    };
    const invoice = await given.sentInvoice(ana, { clientId, lineItems, ...terms });
    const lines = [{ lineItemId: invoice.lineItems[0].id, quantity: '1' }, { lineItemId: invoice.lineItems[1].id }];
    const { id } = await given.creditNote(ana, invoice.id, { lines, reason: 'Ein Monat entfiel.' });
    const { status, headers, body } = await ana.get(`/credit-notes/${id}/pdf`);
    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toBe('inline; filename="CN-000001.pdf"');
    const text = allText(await readPdf(body));
    expect(text).toContain(squeeze('Rechnungskorrektur CN-000001'));
    expect(text).toContain(squeeze('Rechnung INV-000001 20. November 2026'));
    expect(text).toContain(squeeze('LEISTUNGSZEITRAUM 19. November 2026 BESTELLNUMMER PO-4711'));
    expect(text).toContain(squeeze('Ein Monat entfiel.'));
    expect(text).toContain(squeeze('1:30 Std.'));
    const invoicePdf = allText(await readPdf((await ana.get(`/invoices/${invoice.id}/pdf`)).body));
    expect(invoicePdf).toContain(squeeze('Korrigiert'));
  });
});
