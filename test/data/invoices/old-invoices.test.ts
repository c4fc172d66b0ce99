import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { database, TABLE_NAME } from '#shared/data/dynamo/database.ts';
import { invoiceKey } from '#shared/data/dynamo/keys.ts';
import { given, type User } from '#test/support/given.ts';

/** Invoices that were stored before there were discounts and payments. */

const LATER_MEMBERS = ['purchaseOrder', 'locale', 'discountPercent', 'discountTotal', 'amountPaid', 'paymentCount'];

/** Writes the head of an invoice as it was written then. */
async function age(by: User, id: string): Promise<void> {
  const Key = invoiceKey(by.organization.id, id);
  const { Item = {} } = await database.send(new GetCommand({ TableName: TABLE_NAME, Key, ConsistentRead: true }));
  for (const member of LATER_MEMBERS) {
    expect(Item).toHaveProperty(member);
    delete Item[member];
  }
  await database.send(new PutCommand({ TableName: TABLE_NAME, Item }));
}

it('old invoices read like those without terms and payments, one by one and in lists', async () => {
  const ana = await given.user();
  const long = Array.from({ length: 100 }, () => ({ name: 'Work', price: '10', taxRate: '7' }));
  for (const lineItems of [long.slice(0, 1), long]) {
    const before = await given.sentInvoice(ana, { lineItems });
    const [listed] = (await ana.get('/invoices', { limit: 1 })).body.data;
    await age(ana, before.id);
    expect((await ana.get(`/invoices/${before.id}`)).body.data).toEqual(before);
    expect((await ana.get('/invoices', { limit: 1 })).body.data).toEqual([listed]);
    await given.payment(ana, before.id);
    expect((await ana.get(`/invoices/${before.id}`)).body.data.amountPaid).toBe('1.00');
  }
});

it('nothing is due of an old invoice that is paid', async () => {
  const ana = await given.user();
  const { id } = await given.sentInvoice(ana);
  const paid = (await ana.post(`/invoices/${id}/pay`)).body.data;
  await age(ana, id);
  expect((await ana.get(`/invoices/${id}`)).body.data).toEqual(paid);
  expect(paid).toMatchObject({ amountPaid: '49.90', amountDue: '0.00' });
});
