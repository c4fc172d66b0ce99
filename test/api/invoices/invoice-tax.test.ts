import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/** Tax by category and rate, and the days of what is billed, from products, lines and tracked time. */

const fault = (path: string, code: string) => ({ status: 400, body: { code, errors: [{ path, code }] } });

describe('the tax of an invoice', () => {
  let ana: User;
  let clientId: string;

  beforeAll(async () => {
    ana = await given.user();
    clientId = (await given.client(ana)).id;
  });

  it('has a category for each rate, unless a line, a product or the time has its own', async () => {
    const own = await given.product(ana, { price: '5', taxCategory: 'export', taxExemptionReason: 'Art. 146' });
    await given.entry(ana, { clientId, rate: 60 });
    const withoutIts = { productId: own.id, taxCategory: null };
    const reverseCharge = { name: 'A', price: '1', taxCategory: 'reverse_charge' };
    const day = { dateFrom: '2026-11-20', dateTo: '2026-11-20', groupBy: 'day' };
    const invoice = await given.invoice(ana, {
      clientId,
      lineItems: [
        { productId: own.id },
        { productId: own.id, taxCategory: 'outside_scope' },
        reverseCharge,
        withoutIts,
        { ...withoutIts, taxRate: '19' },
      ],
      timeEntries: { ...day, taxCategory: 'exempt', taxExemptionReason: 'Education' },
    });
    expect(invoice.lineItems).toMatchObject([
      { taxCategory: 'export', taxExemptionReason: 'Art. 146' },
      { taxCategory: 'outside_scope', taxExemptionReason: null },
      { taxCategory: 'reverse_charge', taxExemptionReason: null },
      { taxCategory: null, taxExemptionReason: null },
      { taxCategory: 'standard', taxExemptionReason: null },
      { taxCategory: 'exempt', taxExemptionReason: 'Education' },
    ]);
    const reasons = ({ taxes }: Json) => taxes.map((share: Json) => share.exemptionReason);
    const usual = ['Reverse charge: the customer accounts for the tax.', 'Outside the scope of VAT.'];
    expect(reasons(invoice)).toEqual(['Education', usual[0], 'Art. 146', usual[1], null]);
    expect((await ana.get(`/invoices/${invoice.id}`)).body.data).toEqual(invoice);
    const german = (await ana.patch(`/invoices/${invoice.id}`, { locale: 'de' })).body.data;
    expect(reasons(german)[1]).toBe('Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).');
  });

  it('is refused where the category of tracked time does not go with its rate', async () => {
    await given.entry(ana, { clientId, rate: 60, entryDate: '2026-11-21' });
    const day = { dateFrom: '2026-11-21', dateTo: '2026-11-21', groupBy: 'day' };
    const { length } = (await ana.get('/invoices', { clientId })).body.data;
    const timeEntries = { ...day, taxRate: '7', taxCategory: 'zero' };
    const refused = await ana.post('/invoices', { clientId, timeEntries });
    expect(refused).toMatchObject(fault('timeEntries.taxCategory', 'tax_category_mismatch'));
    expect((await ana.get('/invoices', { clientId })).body.data).toHaveLength(length);
  });

  it('is rounded by line or by rate, as the organization said when the invoice was made', async () => {
    const bea = await given.user();
    const lineItems = [1, 2, 3].map((each) => ({ name: `${each}`, price: '0.33', taxRate: '19' }));
    const byLine = await given.invoice(bea, { lineItems });
    expect(byLine).toMatchObject({ taxRounding: 'line', taxTotal: '0.18', total: '1.17' });
    await bea.patch('/v1/organization', { taxRounding: 'rate' });
    const byRate = await given.invoice(bea, { lineItems });
    expect(byRate).toMatchObject({ taxRounding: 'rate', taxTotal: '0.19', total: '1.18' });
    expect((await bea.patch(`/invoices/${byLine.id}`, { lineItems })).body.data).toMatchObject({ taxTotal: '0.18' });
    await bea.patch('/v1/organization', { taxRounding: null });
    const sent = (await bea.post(`/invoices/${byRate.id}/send`)).body.data;
    expect(sent).toMatchObject({ taxRounding: 'rate', taxes: [{ base: '0.99', amount: '0.19' }] });
  });
});

it('the tax category of a product goes with its rate', async () => {
  const ana = await given.user();
  const refused = await ana.post('/products', { name: 'A', price: '1', taxCategory: 'standard' });
  expect(refused).toMatchObject(fault('taxCategory', 'tax_category_mismatch'));
});

it('the days of what is billed are those given for the invoice, until these are taken back', async () => {
  const ana = await given.user();
  const lineItems = [
    { name: 'A', price: '1', serviceFrom: '2026-11-03', serviceTo: '2026-11-09' },
    { name: 'B', price: '1', serviceFrom: '2026-11-05', serviceTo: '2026-11-20' },
    { name: 'C', price: '1' },
  ];
  const { id, ...invoice } = await given.invoice(ana, { lineItems, serviceTo: '2026-12-31' });
  expect(invoice).toMatchObject({ serviceFrom: '2026-11-03', serviceTo: '2026-12-31' });
  const earlier = (await ana.patch(`/invoices/${id}`, { serviceFrom: '2026-10-01' })).body.data;
  expect(earlier).toMatchObject({ serviceFrom: '2026-10-01', serviceTo: '2026-12-31' });
  const other = (await ana.patch(`/invoices/${id}`, { lineItems: [{ name: 'D', price: '1' }] })).body.data;
  expect(other).toMatchObject({ serviceFrom: '2026-10-01', serviceTo: '2026-12-31' });
  await ana.patch(`/invoices/${id}`, { serviceFrom: null, serviceTo: null });
  expect((await ana.get(`/invoices/${id}`)).body.data).toMatchObject({ serviceFrom: null, serviceTo: null });
});

it('the days of tracked time are those of its entries, whatever is sent', async () => {
  const ana = await given.user();
  const { id: clientId } = await given.client(ana);
  const { id } = await given.entry(ana, { clientId, rate: 60, entryDate: '2026-11-18' });
  const line = { entryIds: [id], serviceFrom: '2020-01-01', serviceTo: '2026-12-31' };
  const { lineItems } = await given.invoice(ana, { clientId, lineItems: [line] });
  expect(lineItems).toMatchObject([{ serviceFrom: '2026-11-18', serviceTo: '2026-11-18' }]);
});
