import { afterEach, describe, expect, it } from 'vitest';
import { listApiKeys } from '#shared/contract/keys/list-api-keys.ts';
import { getProduct } from '#shared/contract/products/get-product.ts';
import { getApiKey, readApiKeys } from '#shared/data/keys/api-keys.ts';
import { removeApiKey } from '#shared/data/keys/revocation.ts';
import { database } from '#shared/data/table/database.ts';
import { useInstances } from '#test/support/api.ts';
import { costOf } from '#test/support/capacity.ts';
import { Client } from '#test/support/client.ts';
import { given, User } from '#test/support/given.ts';
import { invoke } from '#test/support/invoke.ts';

// What a function holds of a key counts here: requests of others are made elsewhere.
useInstances();

const ALL = { limit: 200, offset: 0 };

describe('the roster of keys', () => {
  afterEach(() => database.middlewareStack.remove('die'));

  it('ends the keys that a key made even if its revocation dies before it deletes them', async () => {
    const ana = await given.user();
    const maker = await given.apiKey(ana, { scopes: ['keys:write'] });
    const child = await given.apiKey(new Client(maker.apiKey), { scopes: ['keys:write'] });
    const revoked = await getApiKey(ana.organization.id, maker.id);
    database.middlewareStack.add(
      (next, context) => (request) => {
        if (context.commandName?.startsWith('BatchGet')) throw new Error('The process has died.');
        return next(request);
      },
      { step: 'initialize', name: 'die' },
    );
    await removeApiKey(revoked);
    database.middlewareStack.remove('die');
    expect((await new Client(child.apiKey).post('/v1/api-keys', {})).status).toBe(401);
    const { items, total } = await readApiKeys(ana.organization.id, ALL, new Date());
    expect({ total, ids: items.map(({ id }) => id) }).toEqual({ total: 1, ids: [ana.keyId] });
    expect((await getApiKey(ana.organization.id, child.id)).id).toBe(child.id);
  });

  it('ends a key whose bucket its family keeps', async () => {
    const ana = await given.user();
    const child = new Client((await given.apiKey(ana)).apiKey);
    await removeApiKey(await getApiKey(ana.organization.id, ana.keyId), { keepsMade: true });
    expect((await child.get('/products')).status).toBe(200);
    expect((await ana.get('/products')).status).toBe(401);
    await expect(getApiKey(ana.organization.id, ana.keyId)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('costs others than an operator made one read and one write more a lease', async () => {
    const ana = await given.user({ rateLimit: 600 });
    const issued = await given.apiKey(ana);
    const child = new User(ana.organization, { apiKey: issued.apiKey, id: issued.id, userId: issued.userId });
    const { id } = await given.product(ana);
    const read = (by: User) => async () => {
      for (let i = 0; i < 40; i++) expect((await invoke(getProduct, by, { params: { id } })).status).toBe(200);
    };
    expect(await costOf(read(ana))).toMatchObject({ leaseWriteUnits: 6, leaseReadUnits: 12, readUnits: 40 });
    expect(await costOf(read(child))).toMatchObject({ leaseWriteUnits: 12, leaseReadUnits: 12, readUnits: 40 + 6 });
  });

  it('lets a list read what it shows, however many keys there are, and nothing behind the end', async () => {
    const ana = await given.user();
    for (let i = 0; i < 30; i++) await given.apiKey(ana);
    const list = (query: Record<string, string>) => () => invoke(listApiKeys, ana, { query });
    const units = async (query: Record<string, string>) => (await costOf(list(query))).readUnits;
    expect(await units({ limit: '5' })).toBeLessThanOrEqual(2);
    expect(await units({ limit: '5', offset: '25' })).toBeLessThanOrEqual(2);
    expect(await units({ limit: '5', offset: String(Number.MAX_SAFE_INTEGER) })).toBe(1);
  });
});
