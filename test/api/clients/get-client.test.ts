import { beforeAll, describe, expect, it } from 'vitest';
import { given, type User } from '#test/support/given.ts';

describe('GET /clients/{id}', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('answers the client as it was created', async () => {
    const client = await given.client(ana, { city: 'Berlin' });
    const reply = await ana.get(`/clients/${client.id}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ data: client });
  });

  it('takes the id in any case', async () => {
    const client = await given.client(ana);
    expect((await ana.get(`/clients/${client.id.toUpperCase()}`)).body.data).toEqual(client);
  });

  it('shows a client to every user of its organization', async () => {
    const client = await given.client(ana);
    const bea = await given.user({ organization: ana.organization, scopes: ['clients:read'] });
    expect((await bea.get(`/clients/${client.id}`)).body.data).toEqual(client);
  });
});
