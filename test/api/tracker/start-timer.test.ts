import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { given, type User } from '#test/support/given.ts';

const path = '/v1/work/tracker/timer';

describe(`POST ${path}/start`, () => {
  let ana: User;

  beforeEach(async () => {
    ana = await given.user();
  });

  const active = async (by = ana) => (await by.get(`${path}/active`)).body.data;

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
      currency: 'USD',
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      stoppedAt: null,
      durationMinutes: null,
      workEntryId: null,
      userId: ana.userId,
      createdAt: startedAt,
      updatedAt: startedAt,
    });
    expect(Math.abs(Date.parse(startedAt) - Date.now())).toBeLessThan(10_000);
    expect(await active()).toEqual(reply.body.data);
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

  it('takes the currency of its organization without a project', async () => {
    const kenji = await given.user({ currency: 'JPY' });
    expect(await given.timer(kenji, { rate: 9_000 })).toMatchObject({ rate: '9000', currency: 'JPY', billable: true });
  });

  it('takes ids in any case and ignores members that it does not know', async () => {
    const [client, project] = [await given.client(ana), await given.project(ana)];
    const ids = { clientId: client.id.toUpperCase(), projectId: project.id.toUpperCase() };
    const timer = await given.timer(ana, { ...ids, startedAt: '2020-01-01T00:00:00.000Z', currency: 'EUR', x: 1 });
    expect(timer).toMatchObject({ clientId: client.id, projectId: project.id, currency: 'USD' });
    expect(timer.startedAt).not.toMatch(/^2020/);
  });

  it('looks at the links before it looks for a running timer', async () => {
    await given.timer(ana);
    expect((await ana.post(`${path}/start`, { clientId: randomUUID() })).status).toBe(400);
  });

  it('gives every user of an organization a timer of their own', async () => {
    const bea = await given.user({ organization: ana.organization });
    const [first, second] = [await given.timer(ana), await given.timer(bea)];
    expect(await active(ana)).toEqual(first);
    expect(await active(bea)).toEqual(second);
  });

  it('counts one timer for a user with two keys', async () => {
    const name = `User ${randomUUID()}`;
    const desktop = await given.user({ organization: ana.organization, name });
    const phone = await given.user({ organization: ana.organization, name });
    const running = await given.timer(desktop);
    const reply = await phone.post(`${path}/start`);
    expect(reply.status).toBe(409);
    expect(reply.body.session).toEqual(running);
  });
});
