import { describe, expect, it } from 'vitest';
import { getInvoicePdf } from '#shared/contract/invoices/get-invoice-pdf.ts';
import { allText, readPdf, squeeze } from '#test/pdf/read-pdf.ts';
import { given } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

describe('GET /invoices/{id}/pdf', () => {
  it('says who bills whom, and what, to be shown under its number', async () => {
    const ana = await given.user();
    const client = await given.client(ana, { name: 'Globex Corporation' });
    const { id } = await given.sentInvoice(ana, { clientId: client.id });
    const { headers, body } = await ana.get(`/invoices/${id}/pdf`);
    expect(headers.get('content-type')).toBe('application/pdf');
    expect(headers.get('content-disposition')).toBe('inline; filename="INV-000001.pdf"');
    const text = allText(await readPdf(body));
    for (const part of [ana.organization.name, 'Globex Corporation', 'INV-000001', 'Hosting', '49.90']) {
      expect(text).toContain(squeeze(part));
    }
  });

  it('has the colour and the footer that a draft has now, and a sent invoice had then, as has its credit note', async () => {
    const ana = await given.user();
    const choose = (accentColor: string | null, footer: string | null) =>
      ana.patch('/v1/organization', { accentColor, footer });
    const drawn = async (path: string) => {
      const { body } = await ana.get(path);
      const { pages } = await readPdf(body);
      return { footer: pages[0]?.squeezed.match(/Foot\d/)?.[0], body: Buffer.from(body) };
    };
    expect((await choose('#C2410C', 'Foot 1')).body.data).toMatchObject({ accentColor: '#C2410C', footer: 'Foot 1' });
    const draft = await given.invoice(ana);
    const { headers } = await ana.get(`/invoices/${draft.id}/pdf`);
    expect(headers.get('content-disposition')).toBe('inline; filename="draft.pdf"');
    const sent = await given.sentInvoice(ana);
    expect(sent.seller).toEqual(draft.seller);
    const [draftThen, sentThen] = [await drawn(`/invoices/${draft.id}/pdf`), await drawn(`/invoices/${sent.id}/pdf`)];
    expect([draftThen.footer, sentThen.footer]).toEqual(['Foot1', 'Foot1']);
    await choose('#1d4e89', 'Foot 2');
    expect((await drawn(`/invoices/${draft.id}/pdf`)).footer).toBe('Foot2');
    expect((await drawn(`/invoices/${sent.id}/pdf`)).body).toEqual(sentThen.body);
    const credit = (await ana.post(`/invoices/${sent.id}/credit-notes`, { reason: 'Cancelled' })).body.data;
    expect((await drawn(`/credit-notes/${credit.id}/pdf`)).footer).toBe('Foot1');
    await choose(null, null);
    const coloured = (await drawn(`/invoices/${draft.id}/pdf`)).body;
    await choose('#C2410C', null);
    expect((await drawn(`/invoices/${draft.id}/pdf`)).body).not.toEqual(coloured);
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
});
