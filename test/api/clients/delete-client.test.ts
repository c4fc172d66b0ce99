import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

describe('DELETE /clients/{id}', () => {
  it('removes the client from everywhere, and answers its id', async () => {
    const ana = await given.user();
    const client = await given.client(ana);
    const other = await given.client(ana);
    const reply = await ana.delete(`/clients/${client.id}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ success: true, id: client.id });
    expect((await ana.get(`/clients/${client.id}`)).status).toBe(404);
    expect((await ana.get('/clients')).body).toMatchObject({ data: [other], meta: { total: 1 } });
    for (const orderBy of ['createdAt', 'name']) {
      const { body } = await ana.get('/clients', { pagination: 'cursor', orderBy });
      expect(body).toMatchObject({ edges: [{ node: other }], totalCount: 1 });
    }
  });
});
