import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEntry } from '#shared/contract/tracker/create-entry.ts';
import { updateEntry } from '#shared/contract/tracker/update-entry.ts';
import { useInstances } from '#test/support/api.ts';
import { removeUser } from '#test/support/directories.ts';
import { given, type User } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

const path = '/v1/work/tracker/entries';
const minimal = { description: 'Work', durationMinutes: 90, entryDate: '2026-11-20' };

const total = async (by: User) => (await by.get(path)).body.meta.total;

describe('POST /v1/work/tracker/entries', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user({ name: 'Ana' });
  });

  it('answers the whole entry, with the defaults of what was left out', async () => {
    const reply = await ana.post(path, minimal);
    expect(reply.status).toBe(201);
    expect(reply.body.data).toEqual({
      id: expect.any(String),
      organizationId: ana.organization.id,
      userId: ana.userId,
      userName: 'Ana',
      userLabel: null,
      description: 'Work',
      entryDate: '2026-11-20T00:00:00.000Z',
      startedAt: null,
      endedAt: null,
      durationMinutes: 90,
      billedMinutes: 90,
      quantity: '1.5',
      unit: 'hour',
      rate: null,
      currency: 'USD',
      amount: null,
      billable: true,
      billingStatus: 'unbilled',
      invoiceId: null,
      isLocked: false,
      source: 'native_tracker',
      timerSessionId: null,
      clientId: null,
      clientLabel: null,
      projectId: null,
      projectName: null,
      tags: [],
      metadata: {},
      createdAt: expect.any(String),
      updatedAt: reply.body.data.createdAt,
    });
    expect((await ana.get(`${path}/${reply.body.data.id}`)).body.data).toEqual(reply.body.data);
  });

  it.each([
    ['endTime', { startTime: '09:00' }],
    ['startTime', { endTime: '09:00' }],
  ])('needs the %s beside %o, as a change does', (member, values) => {
    expectBodyRefused(createEntry, { ...minimal, ...values }, member, 'required');
    expectBodyRefused(updateEntry, values, member, 'required');
  });

  it.each(['clientId', 'projectId'])(
    "answers 400 to a %s that does not exist or is another organization's",
    async (member) => {
      const eve = await given.user();
      const foreign = member === 'clientId' ? await given.client(eve) : await given.project(eve);
      for (const id of [randomUUID(), foreign.id]) {
        const before = await total(ana);
        const reply = await ana.post(path, { ...minimal, [member]: id });
        expect(reply.status).toBe(400);
        expect(reply.body).toMatchObject({ code: 'reference_not_found', errors: [{ path: member }] });
        expect(await total(ana)).toBe(before);
      }
    },
  );

  it('is of another active user where an admin says so', async () => {
    const ben = await given.user({ organization: ana.organization, name: 'Ben', role: 'member' });
    const entry = await given.entry(ana, { userId: ben.userId.toUpperCase() });
    expect(entry).toMatchObject({ userId: ben.userId, userName: 'Ben' });
    expect((await ana.get(path, { userId: ben.userId })).body.data).toEqual([entry]);
    expect((await ben.patch(`${path}/${entry.id}`, { durationMinutes: 5 })).status).toBe(200);
  });

  it("answers 400 to a user who is removed, unknown or another organization's, and makes nothing", async () => {
    const [gone, eve] = [await given.user({ organization: ana.organization }), await given.user()];
    await removeUser(ana.organization.id, gone.userId);
    for (const userId of [gone.userId, randomUUID(), eve.userId]) {
      const before = await total(ana);
      const reply = await ana.post(path, { ...minimal, userId });
      expect(reply).toMatchObject({ status: 400, body: { code: 'reference_not_found', errors: [{ path: 'userId' }] } });
      expect(await total(ana)).toBe(before);
    }
  });

  it('answers 403 to a member who names another user, whether there is one, and takes its own id', async () => {
    const ben = await given.user({ organization: ana.organization, role: 'member' });
    for (const userId of [ana.userId, randomUUID()]) {
      const reply = await ben.post(path, { ...minimal, userId });
      expect(reply).toMatchObject({ status: 403, body: { code: 'not_yours' } });
    }
    expect((await ana.get(path, { userId: ben.userId })).body.meta.total).toBe(0);
    expect(await given.entry(ben, { userId: ben.userId })).toMatchObject({ userId: ben.userId });
  });
});

describe('two hundred callers', () => {
  useInstances();

  it('lose nothing when they create entries in one project at once', async () => {
    const bea = await given.user();
    const project = await given.project(bea, { rate: 60 });
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => given.entry(bea, { projectId: project.id, durationMinutes: i + 1 })),
    );
    const minutes = (40 * 41) / 2;
    expect((await bea.get(`/v1/work/tracker/projects/${project.id}`)).body.data).toMatchObject({
      totalMinutes: minutes,
      totalAmount: minutes,
    });
    expect(await total(bea)).toBe(40);
    const summary = await bea.get(`${path}/summary`, { dateFrom: '2026-11-20', dateTo: '2026-11-20' });
    expect(summary.body.data).toMatchObject({ totalMinutes: minutes, totalAmount: minutes });
  });
});
