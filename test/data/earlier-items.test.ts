import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { clientKey, type Key, organizationKey } from '#shared/data/layout/keys.ts';
import { database, TABLE_NAME } from '#shared/data/table/database.ts';
import { given } from '#test/support/given.ts';

async function removeAttributes(key: Key, names: readonly string[]): Promise<void> {
  const UpdateExpression = `REMOVE ${names.join(', ')}`;
  await database.send(new UpdateCommand({ TableName: TABLE_NAME, Key: key, UpdateExpression }));
}

it('reads clients, organizations and invoices that were written before there were e-invoices', async () => {
  const ana = await given.user();
  const organization = (await ana.get('/v1/organization')).body.data;
  const client = await given.client(ana);
  await removeAttributes(organizationKey(organization.id), ['electronicAddress']);
  await removeAttributes(clientKey(organization.id, client.id), [
    'buyerReference',
    'electronicAddress',
    'eInvoiceFormat',
  ]);
  expect((await ana.get('/v1/organization')).body.data).toEqual(organization);
  expect((await ana.get('/clients')).body.data).toEqual([client]);
  const { id } = await given.invoice(ana, { clientId: client.id });
  const sent = (await ana.post(`/invoices/${id}/send`)).body.data;
  expect(sent).toMatchObject({
    seller: { electronicAddress: null },
    customer: { buyerReference: null, electronicAddress: null, eInvoiceFormat: null },
  });
  expect((await ana.patch(`/clients/${client.id}`, { city: 'Bonn' })).body.data).toMatchObject({ city: 'Bonn' });
  expect((await ana.patch('/v1/organization', { city: 'Bonn' })).body.data).toMatchObject({ city: 'Bonn' });
});
