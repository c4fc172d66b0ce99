import { describe, expect, it } from 'vitest';
import { getInvoicePdf } from '#shared/contract/invoices/get-invoice-pdf.ts';
import { readPdf, squeeze } from '#test/pdf/read-pdf.ts';
import { given } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

describe('GET /invoices/{id}/pdf', () => {
  it('renders a sent invoice, to be shown under its number', async () => {
    const ana = await given.user();
    const { id } = await given.sentInvoice(ana);
    const reply = await ana.get(`/invoices/${id}/pdf`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    expect(reply.headers.get('content-disposition')).toBe('inline; filename="INV-000001.pdf"');
    expect((await readPdf(reply.body)).pages).toHaveLength(1);
  });

  it('says who bills whom, and what', async () => {
    const ana = await given.user();
    const client = await given.client(ana, { name: 'Globex Corporation' });
    const { id } = await given.sentInvoice(ana, { clientId: client.id });
    const { pages } = await readPdf((await ana.get(`/invoices/${id}/pdf`)).body);
    const text = pages.map(({ squeezed }) => squeezed).join('');
    for (const part of [ana.organization.name, 'Globex Corporation', 'INV-000001', 'Hosting', '49.90']) {
      expect(text).toContain(squeeze(part));
    }
  });

  it('ends a drawing for which its function has no time, and draws the next one', async () => {
    const ana = await given.user();
    const lineItems = Array.from({ length: 60 }, (_, line) => ({
      name: 'Letters',
      description: Array.from({ length: 330 }, (_, word) => (line * 330 + word).toString(36).padStart(5, 'q')).join(
        ' ',
      ),
      quantity: '1',
      price: '1',
    }));
    const { id } = await given.invoice(ana, { lineItems });
    const reply = await invoke(getInvoicePdf, ana, { params: { id }, remainingMilliseconds: 2_000 });
    expect(reply).toMatchObject({
      status: 503,
      code: 'temporarily_unavailable',
      detail: expect.stringContaining('could not do it in time'),
    });
    const { id: other } = await given.invoice(ana);
    expect((await invoke(getInvoicePdf, ana, { params: { id: other } })).status).toBe(200);
  });

  it('renders a draft, and one that was paid or voided', async () => {
    const ana = await given.user();
    const draft = await ana.get(`/invoices/${(await given.invoice(ana)).id}/pdf`);
    expect(draft.headers.get('content-disposition')).toBe('inline; filename="draft.pdf"');
    for (const step of ['pay', 'void']) {
      const { id } = await given.sentInvoice(ana);
      await ana.post(`/invoices/${id}/${step}`);
      expect((await readPdf((await ana.get(`/invoices/${id}/pdf`)).body)).pages).toHaveLength(1);
    }
  });
});
