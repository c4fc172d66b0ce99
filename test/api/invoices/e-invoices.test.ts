import { beforeAll, describe, expect, it } from 'vitest';
import { E_INVOICE_FORMATS } from '#shared/domain/e-invoice-format.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const read = (by: User, path: string, format: string) => by.get(`${path}/e-invoice`, { format });

const check = async (by: User, path: string, format: string): Promise<Json> =>
  (await by.get(`${path}/e-invoice/check`, { format })).body.data;

const VALID = { valid: true, problems: [] };

const problemsAt = (path: string) => expect.arrayContaining([expect.objectContaining({ path })]);

describe('an e-invoice', () => {
  let ana: User;
  let invoice: Json;
  let creditNote: Json;

  beforeAll(async () => {
    ana = await given.user({ currency: 'EUR' });
    invoice = await given.eInvoice(ana);
    creditNote = await given.creditNote(ana, invoice.id, {
      lines: [{ lineItemId: invoice.lineItems[0].id, quantity: '1' }],
    });
  });

  const documents = () => [
    [`/invoices/${invoice.id}`, invoice.number, '380'],
    [`/credit-notes/${creditNote.id}`, creditNote.number, '381'],
  ];

  it.each(E_INVOICE_FORMATS)(
    'is a file in %s with the number as its name, of an invoice and a credit note',
    async (format) => {
      for (const [path, number, code] of documents()) {
        expect(await check(ana, path, format)).toEqual(VALID);
        const { status, headers, body } = await read(ana, path, format);
        expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'application/xml' });
        expect(headers.get('content-disposition')).toBe(`attachment; filename="${number}.xml"`);
        const text = Buffer.from(body).toString();
        expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>/);
        expect(text).toContain(`>${number}<`);
        expect(text).toContain(`TypeCode>${code}<`);
      }
    },
  );

  it('never changes once it is sent', async () => {
    const other = await given.eInvoice(ana);
    const path = `/invoices/${other.id}`;
    const files = () => Promise.all(E_INVOICE_FORMATS.map(async (format) => (await read(ana, path, format)).body));
    const asSent = await files();
    await given.payment(ana, other.id, { amount: '10.00' });
    await given.creditNote(ana, other.id, { lines: [{ lineItemId: other.lineItems[0].id, quantity: '1' }] });
    await ana.patch(`/clients/${other.clientId}`, { name: 'Other', buyerReference: null, electronicAddress: null });
    await ana.patch('/v1/organization', { legalName: 'Other', vatNumber: null, iban: null });
    expect(await files()).toEqual(asSent);
    await given.creditNote(ana, other.id);
    expect((await ana.get(path)).body.data.status).toBe('credited');
    expect(await files()).toEqual(asSent);
    await ana.delete(`/clients/${other.clientId}`);
    expect(await files()).toEqual(asSent);
  });
});

describe('an e-invoice that breaks rules', () => {
  it('is refused with every missing member at once, and the check says the same, also of the draft', async () => {
    const ana = await given.user({ currency: 'EUR' });
    const draft = await given.invoice(ana);
    const before = await check(ana, `/invoices/${draft.id}`, 'xrechnung-ubl');
    const { id } = (await ana.post(`/invoices/${draft.id}/send`)).body.data;
    const { valid, problems } = await check(ana, `/invoices/${id}`, 'xrechnung-ubl');
    expect(valid).toBe(false);
    expect(before).toEqual({ valid, problems });
    for (const path of ['seller.contactName', 'customer.buyerReference']) expect(problems).toEqual(problemsAt(path));
    expect(problems).toContainEqual({
      path: 'lineItems.0.taxCategory',
      rule: 'BR-CO-04',
      message: expect.any(String),
    });
    const { status, body } = await read(ana, `/invoices/${id}`, 'xrechnung-ubl');
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'e_invoice_incomplete' });
    expect(body.errors).toEqual(problems.map((problem: Json) => ({ ...problem, code: 'e_invoice_rule' })));
    const { id: creditNoteId } = await given.creditNote(ana, id);
    const ofCredit = await check(ana, `/credit-notes/${creditNoteId}`, 'xrechnung-ubl');
    expect(ofCredit.problems).toEqual(problemsAt('customer.buyerReference'));
    const refused = await read(ana, `/credit-notes/${creditNoteId}`, 'xrechnung-ubl');
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      ofCredit.problems.map((problem: Json) => ({ ...problem, code: 'e_invoice_rule' })),
    ]);
  });

  it('is none in a currency whose amounts have not two digits after the point', async () => {
    const ana = await given.user();
    const lineItems = [{ name: 'Hosting', price: '49', taxRate: '19' }];
    const { id } = await given.eInvoice(ana, { currency: 'JPY', lineItems });
    const { id: creditNoteId } = await given.creditNote(ana, id);
    for (const path of [`/invoices/${id}`, `/credit-notes/${creditNoteId}`]) {
      const { status, body } = await read(ana, path, 'en16931-ubl');
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'currency_not_supported' });
      const [{ message }] = body.errors;
      expect(body.errors).toEqual([{ path: 'currency', message, code: 'currency_not_supported' }]);
      expect(await check(ana, path, 'en16931-ubl')).toEqual({
        valid: false,
        problems: [{ path: 'currency', rule: 'currency_not_supported', message }],
      });
    }
  });

  it('lists no more than the first hundred faults, and a thousand where it is checked', async () => {
    const ana = await given.user({ currency: 'EUR' });
    const lineItems = Array.from({ length: 1_100 }, () => ({ name: 'Hosting', price: '1' }));
    const { id } = await given.eInvoice(ana, { lineItems });
    const { body } = await read(ana, `/invoices/${id}`, 'en16931-cii');
    expect(body.errors).toHaveLength(100);
    expect(body.detail).toMatch(/There are \d{4} faults in all\./);
    const { problems } = await check(ana, `/invoices/${id}`, 'en16931-cii');
    expect(problems).toHaveLength(1_000);
    expect(problems.slice(0, 100).map((problem: Json) => ({ ...problem, code: 'e_invoice_rule' }))).toEqual(
      body.errors,
    );
  });
});

describe('an e-invoice of 5,000 lines', () => {
  it('is answered in UBL, and refused in CII, which would take more than 6 MB: also when it is sent', async () => {
    const ana = await given.user({ currency: 'EUR' });
    const lineItems = Array.from({ length: 5_000 }, () => ({ name: 'Hosting', price: '1', taxRate: '19' }));
    const draft = await given.eInvoiceDraft(ana, { lineItems });
    const path = `/invoices/${draft.id}`;
    const take = (eInvoiceFormat: string) => ana.patch(`/clients/${draft.clientId}`, { eInvoiceFormat });
    const tooLarge = { status: 422, code: 'invoice_too_large' };

    await take('xrechnung-cii');
    const unsent = await ana.post(`${path}/send`);
    expect({ status: unsent.status, code: unsent.body.code }).toEqual(tooLarge);
    await take('peppol-bis');
    const sent = await ana.post(`${path}/send`);
    expect([sent.status, sent.body.data.number]).toEqual([200, 'INV-000001']);

    const inCii = await read(ana, path, 'xrechnung-cii');
    expect({ status: inCii.status, code: inCii.body.code }).toEqual(tooLarge);
    const inUbl = await read(ana, path, 'peppol-bis');
    expect([inUbl.status, Buffer.from(inUbl.body).toString().split('<cac:InvoiceLine>').length]).toEqual([200, 5_001]);
  }, 60_000);
});

describe('an invoice to a client that takes e-invoices', () => {
  it('is not sent while it breaks a rule, however often it is tried, and spends no number', async () => {
    const ana = await given.user({ currency: 'EUR' });
    const draft = await given.eInvoiceDraft(ana);
    await ana.patch(`/clients/${draft.clientId}`, { eInvoiceFormat: 'xrechnung-cii', buyerReference: null });
    const path = `/invoices/${draft.id}`;
    const before = (await ana.get(path)).body;
    const { problems } = await check(ana, path, 'xrechnung-cii');
    expect(problems).toMatchObject([{ path: 'customer.buyerReference', rule: 'BR-DE-15' }]);
    const headers = { 'idempotency-key': 'send-once' };
    const send = () => ana.send('POST', `${path}/send`, { headers });
    const refused = await Promise.all([send(), ...Array.from({ length: 9 }, () => ana.post(`${path}/send`))]);
    for (const { status, body } of [...refused, await send()]) {
      expect({ status, code: body.code, errors: body.errors }).toEqual({
        status: 400,
        code: 'e_invoice_incomplete',
        errors: problems.map((problem: Json) => ({ ...problem, code: 'e_invoice_rule' })),
      });
    }
    expect((await ana.get(path)).body).toEqual(before);

    await ana.patch(`/clients/${draft.clientId}`, { buyerReference: '04011000-12345-03' });
    const { status, body } = await send();
    expect({ status, number: body.data.number }).toEqual({ status: 200, number: 'INV-000001' });
    expect(body.data.customer).toMatchObject({ eInvoiceFormat: 'xrechnung-cii', buyerReference: '04011000-12345-03' });
    expect((await read(ana, path, 'xrechnung-cii')).status).toBe(200);
  });

  it('gets no credit note that breaks a rule: nothing is written, and no number is spent', async () => {
    const ana = await given.user({ currency: 'EUR' });
    const { clientId } = await given.eInvoiceDraft(ana);
    await ana.patch(`/clients/${clientId}`, { eInvoiceFormat: 'peppol-bis' });
    const { id } = await given.eInvoice(ana, { clientId });
    const before = (await ana.get(`/invoices/${id}`)).body;
    const credit = (reason: string, query: Json = {}) =>
      ana.send('POST', `/invoices/${id}/credit-notes`, { query, body: { reason } });
    for (const { status, body } of [await credit('a\ufffez', { dryRun: 'true' }), await credit('a\ufffez')]) {
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'e_invoice_incomplete' });
      expect(body.errors).toMatchObject([{ path: 'reason', rule: 'xml_character', code: 'e_invoice_rule' }]);
    }
    expect((await ana.get(`/invoices/${id}`)).body).toEqual(before);
    expect((await ana.get('/credit-notes')).body.meta.total).toBe(0);
    const { status, body } = await credit('Cancelled');
    expect([status, body.data.number]).toEqual([201, 'CN-000001']);
    expect(await check(ana, `/credit-notes/${body.data.id}`, 'peppol-bis')).toEqual(VALID);
  });

  it('gets any credit note if it was sent before the client took them', async () => {
    const ana = await given.user({ currency: 'EUR' });
    const { id, clientId } = await given.eInvoice(ana);
    await ana.patch(`/clients/${clientId}`, { eInvoiceFormat: 'peppol-bis' });
    expect(await given.creditNote(ana, id, { reason: 'a\ufffez' })).toMatchObject({ number: 'CN-000001' });
  });

  it('is checked, too, for a client that was deleted', async () => {
    const ana = await given.user({ currency: 'EUR' });
    const { clientId } = await given.eInvoiceDraft(ana);
    await ana.patch(`/clients/${clientId}`, { eInvoiceFormat: 'xrechnung-ubl', buyerReference: null });
    const draft = await given.eInvoiceDraft(ana, { clientId });
    await ana.delete(`/clients/${clientId}`);
    const { status, body } = await ana.post(`/invoices/${draft.id}/send`);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'e_invoice_incomplete' });
  });

  it('is refused by its state and its tax before the rules of e-invoices', async () => {
    const ana = await given.user({ currency: 'EUR' });
    const lineItems = [{ name: 'Course', price: '49', taxCategory: 'exempt' }];
    const draft = await given.eInvoiceDraft(ana, { lineItems });
    await ana.patch(`/clients/${draft.clientId}`, { eInvoiceFormat: 'xrechnung-ubl', buyerReference: null });
    expect((await ana.post(`/invoices/${draft.id}/send`)).body.code).toBe('tax_reason_missing');
    const sent = await given.eInvoice(ana);
    await ana.patch(`/clients/${sent.clientId}`, { eInvoiceFormat: 'xrechnung-ubl', buyerReference: null });
    expect((await ana.post(`/invoices/${sent.id}/send`)).body.code).toBe('invoice_state_forbids');
  });
});
