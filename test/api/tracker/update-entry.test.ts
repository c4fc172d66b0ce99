import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerSums } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { removeUser } from '#test/support/directories.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';

const path = '/v1/work/tracker/entries';

describe('PATCH /v1/work/tracker/entries/{id}', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  const patch = async (entry: Json, changes: Json) => ana.patch(`${path}/${entry.id}`, changes);
  const projectTotals = async (id: string) => (await ana.get(`/v1/work/tracker/projects/${id}`)).body.data;

  it('changes what is sent and nothing else', async () => {
    const entry = await given.entry(ana, { rate: 60, startTime: '09:00', endTime: '10:30' });
    const reply = await patch(entry, { description: 'Other', rate: 90 });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({
      ...entry,
      description: 'Other',
      rate: '90',
      amount: '90.00',
      updatedAt: expect.any(String),
    });
    expect((await ana.get(`${path}/${entry.id}`)).body.data).toEqual(reply.body.data);
  });

  it('leaves events with its links, as do the start and the end of an entry, but none to what was deleted', async () => {
    const [{ id: clientId }, { id: projectId }] = [await given.client(ana), await given.project(ana)];
    const after = await presentEnd(ana);
    const entry = await given.entry(ana, { projectId, clientId });
    await ana.delete(`/v1/work/tracker/projects/${projectId}`);
    await patch(entry, { projectId: null });
    await patch(entry, { description: 'Other' });
    await ana.delete(`${path}/${entry.id}`);
    const object = { type: 'entry', id: entry.id, clientId };
    const happened = await happenedSince(ana, after);
    expect(happened.filter(([, { type }]) => type === 'entry')).toEqual([
      ['entry.created', { ...object, projectId }],
      ['entry.updated', object],
      ['entry.deleted', object],
    ]);
  });

  it('unlinks with null, and shows the present name of a linked client', async () => {
    const client = await given.client(ana, { name: 'Before' });
    const entry = await given.entry(ana, { clientId: client.id });
    await ana.patch(`/clients/${client.id}`, { name: 'After' });
    expect((await ana.get(`${path}/${entry.id}`)).body.data.clientLabel).toBe('After');
    expect((await patch(entry, { clientId: null })).body.data).toMatchObject({ clientId: null, clientLabel: null });
  });

  it('takes a midnight in UTC as its day, a rate as text, and loses its rate to null', async () => {
    const project = await given.project(ana, { rate: 80 });
    const entry = await given.entry(ana, { projectId: project.id });
    const moved = await patch(entry, { entryDate: '2026-10-02T00:00:00+00:00' });
    expect(moved.body.data.entryDate).toBe('2026-10-02T00:00:00.000Z');
    expect((await patch(entry, { rate: '90.50' })).body.data.rate).toBe('90.50');
    expect((await patch(entry, { rate: null })).body.data).toMatchObject({ rate: null, amount: null });
    expect((await patch(entry, { projectId: project.id })).body.data.rate).toBeNull();
  });

  it('gives the entry to another active user, and leaves all sums and its times as they are', async () => {
    const ben = await given.user({ organization: ana.organization, name: 'Ben', role: 'member' });
    const project = await given.project(ana, { rate: 60 });
    const entry = await given.entry(ana, { projectId: project.id, startTime: '09:00', endTime: '10:30' });
    const [totals, sums] = [await projectTotals(project.id), await ledgerSums(ana)];
    const moved = (await patch(entry, { userId: ben.userId })).body.data;
    expect(moved).toEqual({ ...entry, userId: ben.userId, userName: 'Ben', updatedAt: expect.any(String) });
    expect([await projectTotals(project.id), await ledgerSums(ana)]).toEqual([totals, sums]);
    expect((await ana.get(path, { userId: ben.userId })).body.data).toEqual([moved]);
    expect((await ben.patch(`${path}/${entry.id}`, { userId: ana.userId })).body.code).toBe('not_yours');
    expect((await ben.patch(`${path}/${entry.id}`, { userId: ben.userId })).status).toBe(200);
  });

  it('refuses a user who is not active, unless the entry is of this user already', async () => {
    const ben = await given.user({ organization: ana.organization, name: 'Ben' });
    const [own, another] = [await given.entry(ben), await given.entry(ana)];
    await removeUser(ana.organization.id, ben.userId);
    for (const userId of [ben.userId, randomUUID()]) {
      const { status, body } = await patch(another, { userId });
      expect([status, body.code, body.errors[0].path]).toEqual([400, 'reference_not_found', 'userId']);
    }
    expect((await patch(own, { userId: ben.userId, durationMinutes: 5 })).body.data).toMatchObject({
      userId: ben.userId,
      userName: 'Ben',
      durationMinutes: 5,
    });
    expect((await patch(own, { userId: ana.userId })).body.data.userId).toBe(ana.userId);
    expect((await ana.get(`${path}/${another.id}`)).body.data).toEqual(another);
  });

  it("refuses links to what the organization does not own, and a client that is not the project's", async () => {
    const [acme, globex] = [await given.client(ana), await given.client(ana)];
    const project = await given.project(ana, { clientId: acme.id });
    const entry = await given.entry(ana, { projectId: project.id });
    for (const [changes, code] of [
      [{ projectId: randomUUID() }, 'reference_not_found'],
      [{ clientId: randomUUID(), projectId: null }, 'reference_not_found'],
      [{ clientId: globex.id }, 'client_mismatch'],
    ] as const) {
      const reply = await patch(entry, changes);
      expect(reply.status).toBe(400);
      expect(reply.body.code).toBe(code);
    }
    expect((await ana.get(`${path}/${entry.id}`)).body.data).toEqual(entry);
  });
});
