import { beforeAll, describe, expect, it } from 'vitest';
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
    const usual = await given.product(ana, { price: '5', taxRate: '19' });
    await given.entry(ana, { clientId, rate: 60 });
    const invoice = await given.invoice(ana, {
      clientId,
      lineItems: [
        { name: 'A', price: '1', taxRate: '19' },
        { name: 'B', price: '1', taxRate: '0' },
        { name: 'C', price: '1' },
        { name: 'D', price: '1', taxCategory: 'reverse_charge' },
        { name: 'E', price: '1', taxRate: '0.0', taxCategory: 'reverse_charge' },
        { productId: own.id },
        { productId: usual.id },
        { productId: usual.id, taxRate: '0' },
        { productId: own.id, taxCategory: 'outside_scope' },
        { productId: own.id, price: '0', taxExemptionReason: null },
      ],
      timeEntries: {
        dateFrom: '2026-11-20',
        dateTo: '2026-11-20',
        groupBy: 'day',
        taxCategory: 'exempt',
        taxExemptionReason: 'Education',
      },
    });
    expect(invoice.lineItems).toMatchObject([
      { taxCategory: 'standard' },
      { taxCategory: 'zero' },
      { taxCategory: null },
      { taxCategory: 'reverse_charge', taxExemptionReason: null },
      { taxCategory: 'reverse_charge' },
      { taxCategory: 'export', taxExemptionReason: 'Art. 146' },
      { taxCategory: 'standard', taxExemptionReason: null },
      { taxCategory: 'zero', taxExemptionReason: null },
      { taxCategory: 'outside_scope', taxExemptionReason: null },
      { taxCategory: 'export', taxExemptionReason: null },
      { taxCategory: 'exempt', taxExemptionReason: 'Education', serviceFrom: '2026-11-20', serviceTo: '2026-11-20' },
    ]);
    const none = { taxRate: '0', amount: '0.00' };
    const reverseCharge = 'Reverse charge: the customer accounts for the tax.';
    expect(invoice.taxes).toEqual([
      { ...none, taxCategory: 'zero', base: '6.00', exemptionReason: null },
      { ...none, taxCategory: 'exempt', base: '60.00', exemptionReason: 'Education' },
      { ...none, taxCategory: 'reverse_charge', base: '2.00', exemptionReason: reverseCharge },
      { ...none, taxCategory: 'export', base: '5.00', exemptionReason: 'Art. 146' },
      { ...none, taxCategory: 'outside_scope', base: '5.00', exemptionReason: 'Outside the scope of VAT.' },
      { taxCategory: 'standard', taxRate: '19', base: '6.00', amount: '1.14', exemptionReason: null },
    ]);
    expect((await ana.get(`/invoices/${invoice.id}`)).body.data).toEqual(invoice);
    const german = (await ana.patch(`/invoices/${invoice.id}`, { locale: 'de' })).body.data;
    expect(german.taxes[2].exemptionReason).toBe('Steuerschuldnerschaft des Leistungsempfängers (Reverse Charge).');
  });

  it('has the category of its rate where a line takes a product without the category of it', async () => {
    const own = await given.product(ana, { taxCategory: 'export', taxExemptionReason: 'Art. 146' });
    const line = { productId: own.id, taxCategory: null };
    const invoice = await given.invoice(ana, { lineItems: [line, { ...line, taxRate: '19' }] });
    expect(invoice.lineItems).toMatchObject([
      { taxCategory: null, taxExemptionReason: null },
      { taxCategory: 'standard', taxExemptionReason: null },
    ]);
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

describe('the days of what is billed', () => {
  let ana: User;
  const lineItems = [
    { name: 'A', price: '1', serviceFrom: '2026-11-03', serviceTo: '2026-11-09' },
    { name: 'B', price: '1', serviceFrom: '2026-11-05', serviceTo: '2026-11-20' },
    { name: 'C', price: '1' },
  ];

  beforeAll(async () => {
    ana = await given.user();
  });

  it('are those given for the invoice, until these are taken back', async () => {
    const { id, ...invoice } = await given.invoice(ana, { lineItems, serviceTo: '2026-12-31' });
    expect(invoice).toMatchObject({ serviceFrom: '2026-11-03', serviceTo: '2026-12-31' });
    const earlier = (await ana.patch(`/invoices/${id}`, { serviceFrom: '2026-10-01' })).body.data;
    expect(earlier).toMatchObject({ serviceFrom: '2026-10-01', serviceTo: '2026-12-31' });
    const other = (await ana.patch(`/invoices/${id}`, { lineItems: [{ name: 'D', price: '1' }] })).body.data;
    expect(other).toMatchObject({ serviceFrom: '2026-10-01', serviceTo: '2026-12-31' });
    await ana.patch(`/invoices/${id}`, { serviceFrom: null, serviceTo: null });
    expect((await ana.get(`/invoices/${id}`)).body.data).toMatchObject({ serviceFrom: null, serviceTo: null });
  });

  it('of tracked time are those of its entries, whatever is sent', async () => {
    const { id: clientId } = await given.client(ana);
    const [one, other] = [
      await given.entry(ana, { clientId, rate: 60, entryDate: '2026-11-18' }),
      await given.entry(ana, { clientId, rate: 60, entryDate: '2026-11-02' }),
    ];
    const line = { entryIds: [one.id, other.id], serviceFrom: '2020-01-01', serviceTo: null };
    const invoice = await given.invoice(ana, { clientId, lineItems: [line] });
    expect(invoice.lineItems).toMatchObject([{ serviceFrom: '2026-11-02', serviceTo: '2026-11-18' }]);
  });

  it('are refused upside down', async () => {
    const { id: clientId } = await given.client(ana);
    const refused = await ana.post('/invoices', { clientId, lineItems, serviceFrom: '2026-11-21' });
    expect(refused).toMatchObject(fault('serviceFrom', 'invalid_date_range'));
    expect((await ana.get('/invoices', { clientId })).body.data).toEqual([]);
  });
});
