import { beforeAll, describe, expect, it } from 'vitest';
import { given, type User } from '#test/support/given.ts';

/** Purchase order, language and discount, of a new invoice and in a change of a draft. */

const TERMS = { purchaseOrder: 'PO-4711', locale: 'de', discountPercent: '12.5' };

const LINES = [
  { name: 'A', price: '100', taxRate: '19' },
  { name: 'B', price: '10.01', taxRate: '7.00' },
  { name: 'C', price: '0.99', taxRate: '7' },
  { name: 'D', price: '8', taxRate: '0' },
  { name: 'E', price: '5' },
];

const FIGURES = {
  lineItems: [
    { amount: '100.00', discount: '12.50' },
    { amount: '10.01', discount: '1.25' },
    { amount: '0.99', discount: '0.12' },
    { amount: '8.00', discount: '1.00' },
    { amount: '5.00', discount: '0.63' },
  ],
  taxes: [
    { taxRate: '0', base: '7.00', amount: '0.00' },
    { taxRate: '7', base: '9.63', amount: '0.67' },
    { taxRate: '19', base: '87.50', amount: '16.63' },
  ],
  discountTotal: '15.50',
  subtotal: '108.50',
  taxTotal: '17.30',
  total: '125.80',
  amountPaid: '0.00',
  amountDue: '125.80',
};

describe('the terms of an invoice', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('of a draft change together with its figures, and back', async () => {
    const { id, ...before } = await given.invoice(ana, { lineItems: LINES });
    const changed = (await ana.patch(`/invoices/${id}`, TERMS)).body.data;
    expect(changed).toMatchObject({ ...TERMS, ...FIGURES });
    const none = { purchaseOrder: null, locale: null, discountPercent: null };
    const back = (await ana.patch(`/invoices/${id}`, none)).body.data;
    expect(back).toEqual({ id, ...before, updatedAt: back.updatedAt });
  });

  it('of a long draft change without its lines, and stay when the lines change', async () => {
    const lineItems = Array.from({ length: 100 }, () => LINES[0]);
    const { id } = await given.invoice(ana, { lineItems });
    const changed = (await ana.patch(`/invoices/${id}`, { discountPercent: '12.5' })).body.data;
    expect(changed).toMatchObject({ discountTotal: '1250.00', subtotal: '8750.00', total: '10413.00' });
    const short = (await ana.patch(`/invoices/${id}`, { lineItems: LINES })).body.data;
    expect(short).toMatchObject(FIGURES);
  });
});
