import { expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

/** Figures that were computed may have more digits than a caller may send, and can be read and shown all the same. */

const LINES = [{ name: 'Work', quantity: '3', price: '500000000000' }];

const PART = (lineItemId: string) => ({ reason: 'x', lines: [{ lineItemId, amount: '1500000000' }] });
const ALL = () => ({ reason: 'x' });

type Step = readonly [path: string, body?: (lineItemId: string) => object];

it.each<[string, readonly Step[]]>([
  ['paid in parts', [['payments', () => ({ amount: '1500000000' })], ['pay']]],
  [
    'credited by an amount, and whole',
    [
      ['credit-notes', PART],
      ['credit-notes', ALL],
    ],
  ],
  ['credited and refunded', [['pay'], ['credit-notes', ALL], ['refunds', () => ({ amount: '999999999999' })]]],
])('an invoice of 13 digits can be %s, and shown after each step', async (_, steps) => {
  const ana = await given.user();
  const { id, total, lineItems } = await given.sentInvoice(ana, { currency: 'VND', lineItems: LINES });
  expect(total).toBe('1500000000000');
  const read = async (path: string): Promise<Json> => {
    const { status, body } = await ana.get(path);
    expect({ path, status }).toEqual({ path, status: 200 });
    return body.data;
  };
  for (const [step, bodyOf] of steps) {
    const { status, body } = await ana.post(`/invoices/${id}/${step}`, bodyOf?.(lineItems[0].id));
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    const invoice = await read(`/invoices/${id}`);
    expect((await read('/invoices'))[0]).toEqual(invoice);
    await read(`/invoices/${id}/payments`);
    if (step === 'credit-notes') expect((await read('/credit-notes'))[0]).toEqual(body.data);
  }
  expect((await ana.get(`/invoices/${id}/pdf`)).status).toBe(200);
});
