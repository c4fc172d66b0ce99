import { beforeAll, describe, expect, it } from 'vitest';
import { findConnection } from '#shared/data/remote/connection.ts';
import { Client } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

const PATH = '/v1/organizations';

/** What the worker does afterwards is shown in `test/work/organization`. */
describe('DELETE /v1/organizations/{id}', () => {
  let platform: Client;

  beforeAll(async () => {
    platform = await given.platform();
  });

  it('answers 202, again too, and the organization is shown as deleting', async () => {
    const { id } = await given.organization();
    const first = await platform.delete(`${PATH}/${id}`);
    expect([first.status, first.body.data]).toMatchObject([202, { id, status: 'deleting' }]);
    const again = await platform.delete(`${PATH}/${id}`);
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect((await platform.get(`${PATH}/${id}`)).body).toEqual(first.body);
  });

  it('frees the name, and ends the connection to the provider, at once', async () => {
    const ana = await given.user();
    await given.connection(ana);
    const { id, name } = ana.organization;
    await platform.delete(`${PATH}/${id}`);
    expect(await findConnection(id)).toBeUndefined();
    expect((await platform.post(PATH, { name, owner: { name: 'Bea' } })).status).toBe(201);
  });

  it('stops its keys, at once where they were not in use, and within 30 seconds everywhere', {
    timeout: 60_000,
  }, async () => {
    const ana = await given.user();
    const idle = await given.user({ organization: ana.organization });
    const child = new Client((await given.apiKey(ana)).apiKey);
    const eve = await given.user();
    for (const by of [ana, child, eve]) expect((await by.get('/products')).status).toBe(200);
    await platform.delete(`${PATH}/${ana.organization.id}`);
    expect((await idle.get('/products')).status).toBe(401);
    const statuses = async () => Promise.all([ana, child].map(async (by) => (await by.get('/products')).status));
    await expect.poll(statuses, { timeout: 30_000, interval: 500 }).toEqual([401, 401]);
    expect((await eve.get('/products')).status).toBe(200);
  });
});
