import { describe, expect, it } from 'vitest';
import { given } from '#test/support/given.ts';

const PROJECTS = '/v1/work/tracker/projects';
const ENTRIES = '/v1/work/tracker/entries';

const entry = { description: 'Work', durationMinutes: 60, entryDate: '2026-11-20' };

describe('DELETE /clients/{id}', () => {
  it('removes the client from everywhere, and answers its id', async () => {
    const ana = await given.user();
    const client = await given.client(ana);
    const other = await given.client(ana);
    const reply = await ana.delete(`/clients/${client.id}`);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ success: true, id: client.id });
    expect((await ana.get(`/clients/${client.id}`)).status).toBe(404);
    expect((await ana.patch(`/clients/${client.id}`, { name: 'Back' })).status).toBe(404);
    expect((await ana.delete(`/clients/${client.id}`)).status).toBe(404);
    expect((await ana.get('/clients')).body).toMatchObject({ data: [other], meta: { total: 1 } });
    for (const orderBy of ['createdAt', 'name']) {
      const { body } = await ana.get('/clients', { pagination: 'cursor', orderBy });
      expect(body).toMatchObject({ edges: [{ node: other }], totalCount: 1 });
    }
  });

  it('lets nobody link to it any more', async () => {
    const ana = await given.user();
    const client = await given.client(ana);
    await ana.delete(`/clients/${client.id}`);
    for (const reply of [
      await ana.post(PROJECTS, { name: 'Late', clientId: client.id }),
      await ana.post(ENTRIES, { ...entry, clientId: client.id }),
    ]) {
      expect(reply.status).toBe(400);
      expect(reply.body).toMatchObject({ code: 'reference_not_found', errors: [{ path: 'clientId' }] });
    }
  });
});
