import { describe, expect, it, vi } from 'vitest';
import { happenedSince, presentEnd } from '#test/support/events.ts';
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

  it('takes the client from its projects and entries within seconds, and leaves the entries its name', async () => {
    const ana = await given.user();
    const client = await given.client(ana, { name: 'Northwind' });
    const other = await given.client(ana, { name: 'Contoso' });
    const project = await given.project(ana, { clientId: client.id });
    const kept = await given.project(ana, { clientId: other.id });
    const { id } = (await ana.post(ENTRIES, { ...entry, clientId: client.id })).body.data;
    await ana.delete(`/clients/${client.id}`);
    await vi.waitFor(
      async () => {
        expect((await ana.get(`${PROJECTS}/${project.id}`)).body.data.clientId).toBeNull();
        expect((await ana.get(`${ENTRIES}/${id}`)).body.data).toMatchObject({
          clientId: null,
          clientLabel: 'Northwind',
        });
      },
      { timeout: 20_000, interval: 100 },
    );
    expect((await ana.get(`${PROJECTS}/${kept.id}`)).body.data.clientId).toBe(other.id);
  }, 30_000);

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

  it('leaves one event, and none of what it was linked to', async () => {
    const ana = await given.user();
    const { id } = await given.client(ana);
    await given.project(ana, { clientId: id });
    const after = await presentEnd(ana);
    for (let i = 0; i < 2; i++) await ana.delete(`/clients/${id}`);
    expect(await happenedSince(ana, after)).toEqual([['client.deleted', { type: 'client', id }]]);
  });
});
