import { getDocumentProxy } from 'unpdf';
import { describe, expect, it } from 'vitest';
import { allText, readPdf, squeeze } from '#test/pdf/read-pdf.ts';
import { given, type User } from '#test/support/given.ts';

const draw = (by: User, path: string) => by.get(`${path}/pdf`, { profile: 'factur-x' });

async function attachmentsOf(pdf: Uint8Array): Promise<Readonly<Record<string, string>>> {
  const document = await getDocumentProxy(pdf.slice(), { verbosity: 0 });
  const names = [...((await document.getAttachments())?.keys() ?? [])];
  const contents = await Promise.all(names.map((name) => document.getAttachmentContent(name)));
  await document.loadingTask.destroy();
  return Object.fromEntries(names.map((name, at) => [name, Buffer.from(contents[at] ?? []).toString()]));
}

describe('a PDF with an e-invoice in it', () => {
  it('has the same file and figures as the e-invoice, whatever was paid and credited later', async () => {
    const ana = await given.user({ currency: 'EUR' });
    const invoice = await given.eInvoice(ana);
    const path = `/invoices/${invoice.id}`;
    const asSent = await draw(ana, path);
    expect({ status: asSent.status, type: asSent.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'application/pdf',
    });
    expect(asSent.headers.get('content-disposition')).toBe('inline; filename="INV-000001.pdf"');
    const file = (await ana.get(`${path}/e-invoice`, { format: 'en16931-cii' })).body;
    expect(await attachmentsOf(asSent.body)).toEqual({ 'factur-x.xml': Buffer.from(file).toString() });
    const text = allText(await readPdf(asSent.body));
    for (const shown of ['89,82', '17,07', '106,89']) expect(text).toContain(squeeze(shown));

    await given.payment(ana, invoice.id, { amount: '13.37' });
    const credit = { lines: [{ lineItemId: invoice.lineItems[0].id, quantity: '1' }] };
    const { id } = await given.creditNote(ana, invoice.id, credit);
    expect((await draw(ana, path)).body).toEqual(asSent.body);
    expect(allText(await readPdf((await ana.get(`${path}/pdf`)).body))).toContain(squeeze('13,37'));

    const ofCredit = await draw(ana, `/credit-notes/${id}`);
    expect(ofCredit.headers.get('content-disposition')).toBe('inline; filename="CN-000001.pdf"');
    const creditFile = (await ana.get(`/credit-notes/${id}/e-invoice`, { format: 'en16931-cii' })).body;
    expect(await attachmentsOf(ofCredit.body)).toEqual({ 'factur-x.xml': Buffer.from(creditFile).toString() });
    expect(allText(await readPdf(ofCredit.body))).toContain(squeeze('53,44'));
    expect(await attachmentsOf((await ana.get(`/credit-notes/${id}/pdf`)).body)).toEqual({});
  });

  it('is refused where the e-invoice is: drafts, void invoices, broken rules', async () => {
    const ana = await given.user({ currency: 'EUR' });
    const refusal = async (path: string) => {
      const { status, body } = await draw(ana, path);
      const { errors, code } = body;
      return { status, code, errors };
    };
    const draft = await given.eInvoiceDraft(ana);
    const voided = await given.eInvoice(ana);
    await ana.post(`/invoices/${voided.id}/void`);
    for (const { id } of [draft, voided]) {
      expect(await refusal(`/invoices/${id}`)).toMatchObject({ status: 409, code: 'invoice_state_forbids' });
      expect((await ana.get(`/invoices/${id}/pdf`)).status).toBe(200);
    }
    const untaxed = await given.sentInvoice(ana);
    const { id: creditNoteId } = await given.creditNote(ana, untaxed.id);
    for (const path of [`/invoices/${untaxed.id}`, `/credit-notes/${creditNoteId}`]) {
      const { body } = await ana.get(`${path}/e-invoice`, { format: 'en16931-cii' });
      expect(await refusal(path)).toEqual({ status: 400, code: 'e_invoice_incomplete', errors: body.errors });
    }
  });
});
