import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const path = '/v1/work/tracker/timer';

const MINUTE = 60_000;

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

describe(`PATCH ${path}/{sessionId}`, () => {
  let ana: User;

  beforeEach(async () => {
    ana = await given.user();
  });

  const active = async () => (await ana.get(`${path}/active`)).body.data;
  const change = (id: string, body: Json) => ana.patch(`${path}/${id}`, body);

  it('changes what is sent and nothing else, which the stop then books', async () => {
    const running = await given.timer(ana, { description: 'Call', rate: 90 });
    const { id: clientId, name: clientName } = await given.client(ana);
    const changes = { description: 'Workshop', clientId, billable: false };
    const { status, body } = await change(running.id, { ...changes, rate: '75.50' });
    expect(status).toBe(200);
    const expected = { ...running, ...changes, clientName, rate: '75.50', updatedAt: body.data.updatedAt };
    expect(body.data).toEqual(expected);
    expect(await active()).toEqual(expected);
    expect((await ana.get(`${path}/sessions`)).body.data).toEqual([expected]);
    const stopped = await ana.post(`${path}/${running.id}/stop`);
    expect(stopped.body.data.workEntry).toMatchObject({ ...changes, rate: '75.50' });
  });

  it('takes client, rate, currency and billable of another project, or none if it has none', async () => {
    const own = { billable: true, rate: '80', currency: 'EUR', clientId: (await given.client(ana)).id };
    const [project, bare] = [await given.project(ana, own), await given.project(ana)];
    const { id } = await given.timer(ana);
    expect((await change(id, { projectId: project.id })).body.data).toMatchObject(own);
    const none = { billable: false, rate: null, currency: 'USD', clientId: null };
    expect((await change(id, { projectId: bare.id })).body.data).toMatchObject(none);
  });

  it('starts half an hour ago, with an offset', async () => {
    const { id } = await given.timer(ana);
    const sent = `${ago(30 * MINUTE - 7_200_000).slice(0, 19)}+02:00`;
    const { status, body } = await change(id, { startedAt: sent });
    expect({ status, startedAt: body.data.startedAt }).toEqual({
      status: 200,
      startedAt: new Date(sent).toISOString(),
    });
    const { session, workEntry } = (await ana.post(`${path}/${id}/stop`)).body.data;
    expect(workEntry.startedAt).toBe(body.data.startedAt);
    expect(session.durationMinutes).toBe(Math.ceil((Date.parse(session.stoppedAt) - Date.parse(sent)) / MINUTE));
  });

  it('answers 400 to a start in another age, and changes nothing', async () => {
    const running = await given.timer(ana);
    const reply = await change(running.id, { startedAt: '0001-01-01T00:00:00+14:00', description: 'Changed' });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'invalid_time_range', errors: [{ path: 'startedAt' }] });
    expect(await active()).toEqual(running);
  });

  it.each(['clientId', 'projectId'])('answers 400 to a %s that the organization does not own', async (member) => {
    const running = await given.timer(ana);
    const reply = await change(running.id, { [member]: randomUUID(), description: 'Changed' });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 'reference_not_found', errors: [{ path: member }] });
    expect(await active()).toEqual(running);
  });

  it('answers 400 to another client than that of its project', async () => {
    const { id: projectId } = await given.project(ana, { clientId: (await given.client(ana)).id });
    const { id } = await given.timer(ana, { projectId });
    const { status, body } = await change(id, { clientId: (await given.client(ana)).id });
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'client_mismatch', 'clientId']);
  });
});
