import { v7 as uuidV7 } from 'uuid';
import { acquireBilling, newBilling } from '#shared/data/holds/billing.ts';
import { idempotencyKey, keptAnswerKey } from '#shared/data/layout/keys.ts';
import { membershipOf } from '#shared/data/sign-in/memberships.ts';
import { onShard } from '#shared/data/table/shards.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { put, unread } from '#shared/data/table/writes.ts';
import { readEntry } from '#shared/data/tracker/entries.ts';
import { ledgerUpdates } from '#shared/data/tracker/ledger.ts';
import type { Json } from './client.ts';
import { given, type User } from './given.ts';
import { addUser } from './person.ts';
import { storedWebhook } from './webhooks.ts';

/** Items of every kind that there is, also those that requests leave behind which die. Events have numbers or not. */
export async function giveEverything(by: User): Promise<void> {
  const { organization } = by;
  const other = await given.user({ organization });
  const email = 'bea@acme.example';
  await addUser(organization, email, 'member');
  const person = { issuer: 'https://issuer.example', subject: by.userId, email, hasEmail: true };
  await membershipOf(person, organization.id, undefined, new Date(), async () => {});
  await by.post(`/v1/users/${other.userId}/invitations`);
  await given.apiKey(by);
  await given.logo(by);
  await given.product(by);
  const { id: productId } = await given.product(by, { externalId: 'sku', metadata });
  await storedWebhook(by, 'https://hooks.example.com/billwright', { status: 'paused' });
  await by.get('/v1/events');
  await by.patch(`/products/${productId}`, { isActive: false });
  await giveTrackedWork(by, other);
  await giveImports(by);
  await by.patch('/v1/organization', { invoiceNumbering: { format: '{yyyy}-{n}' } });
  await giveInvoices(by);
  await giveHeldBack(by);
  await by.patch('/v1/organization', { lockedThrough: '2000-12-31' });
  await leaveBehind(by);
}

const metadata = { segment: 'retail' };

async function giveTrackedWork(by: User, other: User): Promise<void> {
  const { id: clientId } = await given.client(by, { externalId: 'crm', metadata });
  const userRates = [{ userId: other.userId, rate: 90 }];
  const { id: projectId } = await given.project(by, { clientId, rate: 100, userRates, metadata });
  for (const entryDate of ['2026-10-31', '2026-11-01', '2026-11-20'])
    await given.entry(by, { projectId, entryDate, tags: ['Design'] });
  await given.entry(other, { clientId, metadata });
  const { id } = await given.entry(by, { entryDate: '2025-01-02' });
  await by.delete(`/v1/work/tracker/entries/${id}`);
  await countOnShards(by, (await given.entry(by, { projectId, entryDate: '2024-02-29' })).id);
  for (const path of [
    `/clients/${(await given.client(by)).id}`,
    `/v1/work/tracker/projects/${(await given.project(by)).id}`,
  ]) {
    await by.delete(path);
  }
  const session = await given.timer(by);
  await by.post(`/v1/work/tracker/timer/${session.id}/stop`);
  await given.timer(by);
  await given.timer(other, { projectId, tags: ['Design'] });
}

/** As a writer does whose sums are locked: all of the entry's sums are there twice, beside its pages and on shards. */
async function countOnShards({ organization }: User, entryId: string): Promise<void> {
  const entry = await readEntry(organization.id, entryId);
  const updates = ledgerUpdates([{ before: null, after: entry }]).flatMap(({ Update }) => Update ?? []);
  await transact(updates.map((update) => onShard(update, Math.random())));
}

/** One of the imported entries is removed, and is declined from then on. */
async function giveImports(by: User): Promise<void> {
  await given.connection(by);
  const rows = [1, 2, 3].map((number) => ({ date: '2026-11-20', durationMinutes: 60 * number, client: 'Acme' }));
  const body = { rows, clientMapping: { Acme: (await given.client(by)).id } };
  await by.post('/v1/work/tracker/remote/sync/confirm', body);
  const { body: listed } = await by.get('/v1/work/tracker/entries', { limit: '200' });
  const imported = listed.data.find(({ source }: Json) => source === 'remote_api');
  await by.delete(`/v1/work/tracker/entries/${imported.id}`);
}

/** A row whose entry was invoiced before the row changed. */
async function giveHeldBack(by: User): Promise<void> {
  const { id: clientId } = await given.client(by);
  for (const durationMinutes of [60, 90]) {
    const rows = [{ date: '2026-09-01', durationMinutes, client: 'Acme', externalId: 'changed', rate: 100 }];
    await by.post('/v1/work/tracker/remote/sync/confirm', {
      rows,
      clientMapping: { Acme: clientId },
      updateChanged: true,
    });
    await by.post('/invoices', {
      clientId,
      timeEntries: { dateFrom: '2026-09-01', dateTo: '2026-09-01', groupBy: 'entry' },
    });
  }
}

async function giveInvoices(by: User): Promise<void> {
  const { id: clientId } = await given.client(by);
  await given.entry(by, { clientId, rate: 100 });
  const timeEntries = { dateFrom: '2026-11-01', dateTo: '2026-11-30', groupBy: 'entry' };
  await by.post('/invoices', { clientId, timeEntries });
  const links = { externalId: 'order', metadata, paymentUrl: 'https://pay.example/1' };
  const { id } = await given.sentInvoice(by, { clientId, ...links });
  await given.payment(by, id);
  const lineItems = Array.from({ length: 60 }, () => ({ name: 'Hosting', description: 'x'.repeat(150), price: '1' }));
  const headers = { 'idempotency-key': 'long' };
  const { body: long } = await by.send('POST', '/invoices', { body: { clientId, lineItems }, headers });
  await by.post(`/invoices/${long.data.id}/send`);
  await by.post(`/invoices/${long.data.id}/credit-notes`, { reason: 'Not delivered' });
}

async function leaveBehind(by: User): Promise<void> {
  const { organization, userId } = by;
  const billing = { organizationId: organization.id, clientId: uuidV7(), id: uuidV7(), holdId: uuidV7() };
  const request = idempotencyKey(organization.id, userId, 'never answered');
  await transact([
    acquireBilling(newBilling(billing)),
    put({ ...request, fingerprint: '', attempt: 'attempt', leaseEndsAt: 0 }, unread),
    put({ ...keptAnswerKey(request, 'attempt', 0), packed: new Uint8Array(10) }, unread),
  ]);
}
