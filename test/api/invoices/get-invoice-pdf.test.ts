import { describe, expect, it } from 'vitest';
import { readPdf } from '#test/pdf/read-pdf.ts';
import { given } from '#test/support/given.ts';

describe('GET /invoices/{id}/pdf', () => {
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
});
