import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { clientKey, creditNoteKey, importJobKey, type Key, organizationKey } from '#shared/data/layout/keys.ts';
import { readDating } from '#shared/data/organization/time-zones.ts';
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

it('reads credit notes that were written before they had a purchase order and days, and their files stay the same', async () => {
  const ana = await given.user({ currency: 'EUR' });
  const invoice = await given.eInvoice(ana, { purchaseOrder: null });
  const creditNote = await given.creditNote(ana, invoice.id);
  const file = async () => (await ana.get(`/credit-notes/${creditNote.id}/e-invoice`, { format: 'peppol-bis' })).body;
  const before = await file();
  expect(Buffer.from(before).toString()).toContain('<cac:InvoicePeriod>');
  const added = ['purchaseOrder', 'serviceFrom', 'serviceTo'];
  await removeAttributes(creditNoteKey(ana.organization.id, creditNote.id), added);
  const read = { ...creditNote, purchaseOrder: null, serviceFrom: null, serviceTo: null };
  expect((await ana.get(`/credit-notes/${creditNote.id}`)).body.data).toEqual(read);
  expect((await ana.get('/credit-notes')).body.data).toEqual([read]);
  expect(await file()).toEqual(before);
});

it('reads organizations and imports that were written before they had what was added to them later', async () => {
  const ana = await given.user();
  const importJobId = await given.importJob(ana);
  const shown = async () => [
    (await ana.get('/v1/organization')).body.data,
    (await ana.get('/v1/work/tracker/remote/sync/history')).body.data,
  ];
  const before = await shown();
  const { id } = ana.organization;
  await removeAttributes(organizationKey(id), ['chronologicalNumbers', 'printsHours', 'rounding', 'lockedThrough']);
  await removeAttributes(importJobKey(id, importJobId), ['keyId', 'origin', 'updatedCount', 'lockedCount']);
  expect(await shown()).toEqual(before);
  expect(await readDating(id, new Date())).toMatchObject({ isInOrder: false });
});
