import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { given, type User } from '#test/support/given.ts';

const path = '/v1/work/tracker/timer';

describe(`POST ${path}/start`, () => {
  let ana: User;

  beforeEach(async () => {
    ana = await given.user({ currency: 'JPY' });
  });

  it('needs no body, and answers the whole session, with the defaults of what was left out', async () => {
    const reply = await ana.post(`${path}/start`);
    expect(reply.status).toBe(201);
    const { startedAt } = reply.body.data;
    expect(reply.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'running',
      description: '',
      clientId: null,
      clientName: null,
      projectId: null,
      projectName: null,
      tags: [],
      billable: true,
      rate: null,
      currency: 'JPY',
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      stoppedAt: null,
      durationMinutes: null,
      workEntryId: null,
      userId: ana.userId,
      createdAt: startedAt,
      updatedAt: startedAt,
    });
    expect(Math.abs(Date.parse(startedAt) - Date.now())).toBeLessThan(10_000);
    expect((await ana.get(`${path}/active`)).body.data).toEqual(reply.body.data);
  });

  it('lets explicit values win over those of the project, a rate of 0 and no client too', async () => {
    const client = await given.client(ana);
    const project = await given.project(ana, { billable: true, rate: 80, currency: 'EUR', clientId: client.id });
    const own = { description: 'Call', clientId: null, billable: false, rate: 0 };
    expect(await given.timer(ana, { ...own, projectId: project.id })).toMatchObject({
      ...own,
      projectId: project.id,
      rate: '0',
      currency: 'EUR',
    });
  });

  it('takes ids in any case and ignores members that it does not know', async () => {
    const [client, project] = [await given.client(ana), await given.project(ana)];
    const ids = { clientId: client.id.toUpperCase(), projectId: project.id.toUpperCase() };
    const timer = await given.timer(ana, { ...ids, startedAt: '2020-01-01T00:00:00.000Z', currency: 'EUR', x: 1 });
    expect(timer).toMatchObject({ clientId: client.id, projectId: project.id, currency: 'JPY' });
    expect(timer.startedAt).not.toMatch(/^2020/);
  });

  it('looks at the links before it looks for a running timer', async () => {
    await given.timer(ana);
    expect((await ana.post(`${path}/start`, { clientId: randomUUID() })).status).toBe(400);
  });
});
