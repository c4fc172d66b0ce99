import { randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { getApiKey, readListings } from '#shared/data/keys/api-keys.ts';
import { deleteLeftovers, removeApiKey } from '#shared/data/keys/revocation.ts';
import { apiKeyIdKey, apiKeyKey } from '#shared/data/layout/keys.ts';
import { readCallerParts } from '#shared/data/organization/callers.ts';
import { database } from '#shared/data/table/database.ts';
import { readItem } from '#shared/data/table/item.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { remove } from '#shared/data/table/writes.ts';
import { useInstances } from '#test/support/api.ts';
import { costOf } from '#test/support/capacity.ts';
import { Client } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';
import { itemsOfKey } from '#test/support/stored.ts';

// What a function holds of a key counts here: requests of others are made elsewhere.
useInstances();

it('a key whose bucket its family keeps is ended', async () => {
  const ana = await given.user();
  const child = new Client((await given.apiKey(ana)).apiKey);
  await removeApiKey(await getApiKey(ana.organization.id, ana.keyId), new Date(), async () => [], { keepsMade: true });
  expect((await child.get('/products')).status).toBe(200);
  expect((await ana.get('/products')).status).toBe(401);
  await expect(getApiKey(ana.organization.id, ana.keyId)).rejects.toMatchObject({ code: 'not_found' });
});

it('a key that another made leaves nothing, whatever it has made itself', async () => {
  const ana = await given.user();
  const made = await given.keyOf(ana, ana.userId);
  await given.apiKey(made);
  await removeApiKey(await getApiKey(ana.organization.id, made.keyId), new Date(), async () => [], { keepsMade: true });
  expect(await itemsOfKey(made)).toBe(0);
});

it('a key that DynamoDB has begun to delete is ended by nobody, and nothing of it comes back', async () => {
  const ana = await given.user();
  await given.apiKey(ana);
  const key = await getApiKey(ana.organization.id, ana.keyId);
  await transact([remove(apiKeyKey(key.hash))]);
  const ended = removeApiKey(key, new Date(), async () => [], { keepsMade: true });
  await expect(ended).rejects.toMatchObject({ code: 'not_found' });
  expect(await readItem(apiKeyKey(key.hash))).toBeUndefined();
});

it('the three items of each of 33 keys that are left go in one transaction', async () => {
  const leftovers = (count: number) =>
    Array.from({ length: count }, () => Array.from({ length: 3 }, () => remove(apiKeyIdKey(randomUUID()))));
  const cost = (count: number) => costOf(() => deleteLeftovers('home', async () => leftovers(count)));
  expect([(await cost(33)).calls, (await cost(34)).calls]).toEqual([1, 2]);
});

it('a page of keys is read by one query, or two calls where others lie among them', async () => {
  const ana = await given.user();
  const bea = await given.user({ organization: ana.organization });
  const made = await given.apiKey(bea);
  const listed = async (...ids: readonly string[]) => {
    const sent = vi.spyOn(database, 'send');
    const listings = await readListings(ana.organization.id, ids);
    const calls = sent.mock.calls.length;
    sent.mockRestore();
    return { ids: listings.map(({ id }) => id), calls };
  };
  const [newest, kept, oldest] = [made.id, bea.keyId, ana.keyId];
  expect(await listed(newest, kept, oldest)).toEqual({ ids: [newest, kept, oldest], calls: 1 });
  for (const id of [newest, kept, oldest]) expect(await listed(id)).toEqual({ ids: [id], calls: 1 });
  await removeApiKey(await getApiKey(ana.organization.id, kept), new Date(), async () => [], { keepsMade: true });
  expect(await listed(newest, oldest)).toEqual({ ids: [newest, oldest], calls: 2 });
});

it('a caller is whose key lives, or who has signed in', async () => {
  const ana = await given.user();
  const read = (keyId: string | null) =>
    readCallerParts({ keyId, organizationId: ana.organization.id, userId: ana.userId });
  expect(await read(ana.keyId)).toMatchObject({ isKeyRevoked: false });
  expect(await read(null)).toMatchObject({ isKeyRevoked: false, keyName: null });
  expect(await read(randomUUID())).toMatchObject({ isKeyRevoked: true, keyName: null });
  await given.apiKey(ana);
  await removeApiKey(await getApiKey(ana.organization.id, ana.keyId), new Date(), async () => [], { keepsMade: true });
  expect(await read(ana.keyId)).toMatchObject({ isKeyRevoked: true });
});
