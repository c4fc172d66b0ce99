import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateEntry } from '#shared/contract/tracker/update-entry.ts';
import { ledgerSums } from '#test/support/bulk-entries.ts';
import type { Json } from '#test/support/client.ts';
import { removeUser } from '#test/support/directories.ts';
import { given, type User } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

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

  it('takes an empty change as none', async () => {
    const entry = await given.entry(ana);
    const reply = await patch(entry, {});
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual(entry);
  });

  it.each([
    [
      { startTime: '08:00', endTime: '12:15' },
      { startedAt: '2026-11-20T08:00:00.000Z', endedAt: '2026-11-20T12:15:00.000Z', durationMinutes: 255 },
    ],
    [
      { startTime: '22:00', endTime: '01:00' },
      { endedAt: '2026-11-21T01:00:00.000Z', durationMinutes: 180 },
    ],
    [
      { startTime: '08:00', endTime: '18:00', durationMinutes: 480 },
      { durationMinutes: 480, endedAt: '2026-11-20T18:00:00.000Z' },
    ],
    [
      { durationMinutes: 15 },
      { startedAt: '2026-11-20T09:00:00.000Z', endedAt: '2026-11-20T09:15:00.000Z', durationMinutes: 15 },
    ],
    [
      { entryDate: '2025-12-31' },
      {
        entryDate: '2025-12-31T00:00:00.000Z',
        startedAt: '2025-12-31T09:00:00.000Z',
        endedAt: '2025-12-31T10:00:00.000Z',
        durationMinutes: 60,
      },
    ],
  ])('recomputes the times together: %o', async (changes, expected) => {
    const entry = await given.entry(ana, { startTime: '09:00', endTime: '10:00' });
    expect((await patch(entry, changes)).body.data).toMatchObject(expected);
  });

  it('moves minutes and money from project to project', async () => {
    const [first, second] = [await given.project(ana), await given.project(ana)];
    const entry = await given.entry(ana, { projectId: first.id, rate: 60 });
    await patch(entry, { projectId: second.id });
    expect(await projectTotals(first.id)).toMatchObject({ totalMinutes: 0, totalAmount: 0 });
    expect(await projectTotals(second.id)).toMatchObject({ totalMinutes: 60, totalAmount: 60 });
    await patch(entry, { projectId: null, billable: false });
    expect(await projectTotals(second.id)).toMatchObject({ totalMinutes: 0, billableMinutes: 0, totalAmount: 0 });
  });

  it('is not hindered by a project that has moved to another client', async () => {
    const [acme, globex] = [await given.client(ana), await given.client(ana)];
    const project = await given.project(ana, { clientId: acme.id });
    const entry = await given.entry(ana, { projectId: project.id });
    await ana.patch(`/v1/work/tracker/projects/${project.id}`, { clientId: globex.id });
    for (const changes of [
      { description: 'Other' },
      { projectId: project.id },
      { entryDate: '2026-01-01' },
      { clientId: globex.id },
    ]) {
      expect((await patch(entry, changes)).status, JSON.stringify(changes)).toBe(200);
    }
    expect((await patch(entry, { clientId: acme.id })).body.code).toBe('client_mismatch');
  });

  it('is refused, as is deletion, once the entry is on an invoice', async () => {
    const client = await given.client(ana);
    const entry = await given.entry(ana, { clientId: client.id, rate: 1 });
    const { id } = entry;
    await given.invoice(ana, { clientId: client.id, lineItems: [{ entryIds: [id] }] });
    for (const reply of [await patch(entry, { description: 'Other' }), await ana.delete(`${path}/${id}`)]) {
      expect(reply.status).toBe(409);
      expect(reply.body.code).toBe('entry_invoiced');
    }
    expect((await ana.get(`${path}/${id}`)).body.data).toMatchObject({
      description: 'Work',
      billingStatus: 'invoiced',
    });
  });

  it('never rewrites history when the rate of a project changes', async () => {
    const project = await given.project(ana, { rate: 100 });
    const entry = await given.entry(ana, { projectId: project.id });
    await ana.patch(`/v1/work/tracker/projects/${project.id}`, { rate: 200 });
    expect((await ana.get(`${path}/${entry.id}`)).body.data).toMatchObject({ rate: '100', amount: '100.00' });
  });

  it('unlinks with null, and shows the present name of a linked client', async () => {
    const client = await given.client(ana, { name: 'Before' });
    const entry = await given.entry(ana, { clientId: client.id });
    await ana.patch(`/clients/${client.id}`, { name: 'After' });
    expect((await ana.get(`${path}/${entry.id}`)).body.data.clientLabel).toBe('After');
    expect((await patch(entry, { clientId: null })).body.data).toMatchObject({ clientId: null, clientLabel: null });
  });

  it('keeps all of many concurrent changes to different members, and counts them once', async () => {
    const project = await given.project(ana);
    const entry = await given.entry(ana);
    const changes = [
      { description: 'D' },
      { durationMinutes: 30 },
      { billable: false },
      { rate: 80 },
      { projectId: project.id },
      { entryDate: '2026-10-01' },
    ];
    const replies = await Promise.all(changes.map((change) => patch(entry, change)));
    expect(replies.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect((await ana.get(`${path}/${entry.id}`)).body.data).toMatchObject({
      description: 'D',
      durationMinutes: 30,
      billable: false,
      rate: '80',
      projectId: project.id,
      entryDate: '2026-10-01T00:00:00.000Z',
    });
    expect(await projectTotals(project.id)).toMatchObject({ totalMinutes: 30, billableMinutes: 0 });
  });

  it.each([
    [{ entryDate: '2026-02-30' }, 'entryDate', 'date'],
    [{ startTime: '09:00' }, 'endTime', 'required'],
    [{ endTime: '09:00' }, 'startTime', 'required'],
    [{ rate: '' }, 'rate', 'decimal'],
    [{ entryDate: '2026-11-20T12:00:00.000Z' }, 'entryDate', 'date'],
  ])('refuses %o', (changes, member, code) => {
    expectBodyRefused(updateEntry, changes, member, code);
  });

  it('takes a midnight in UTC as its day, a rate as text, and loses its rate to null', async () => {
    const project = await given.project(ana, { rate: 80 });
    const entry = await given.entry(ana, { projectId: project.id });
    for (const entryDate of [
      '2026-10-02',
      '2026-10-02T00:00:00.000Z',
      '2026-10-02T00:00Z',
      '2026-10-02T00:00:00+00:00',
    ])
      expect((await patch(entry, { entryDate })).body.data.entryDate).toBe('2026-10-02T00:00:00.000Z');
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
