import { expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

it('a discount of a long draft changes its figures without its lines, and stays when the lines change', async () => {
  const ana = await given.user();
  const line = { name: 'A', price: '100', taxRate: '19' };
  const { id } = await given.invoice(ana, { lineItems: Array.from({ length: 100 }, () => line) });
  const change = async (body: object) => (await ana.patch(`/invoices/${id}`, body)).body.data;
  const changed = await change({ discountPercent: '12.5' });
  expect(changed).toMatchObject({ discountTotal: '1250.00', subtotal: '8750.00', total: '10413.00' });
  expect(changed.lineItems).toHaveLength(100);
  const short = await change({ lineItems: [line] });
  expect(short).toMatchObject({ lineItems: [{ amount: '100.00', discount: '12.50' }], total: '104.13' });
  expect((await change({ discountPercent: null })).total).toBe('119.00');
});
