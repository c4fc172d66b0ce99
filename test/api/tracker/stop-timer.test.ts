import { beforeEach, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';

const path = '/v1/work/tracker/timer';
const entries = '/v1/work/tracker/entries';

describe(`POST ${path}/{sessionId}/stop`, () => {
  let ana: User;

  beforeEach(async () => {
    ana = await given.user();
  });

  const stop = (id: string, body?: Json) => ana.post(`${path}/${id}/stop`, body);
  const stopped = async (id: string, body?: Json) => {
    const reply = await stop(id, body);
    expect(reply.status).toBe(200);
    return reply.body.data;
  };

  it('answers the stopped session, the entry that it booked and the minutes', async () => {
    const running = await given.timer(ana, { description: 'Call', rate: 90 });
    const { session, workEntry, durationMinutes } = await stopped(running.id);
    expect(session).toEqual({
      ...running,
      status: 'stopped',
      stoppedAt: expect.any(String),
      durationMinutes: 1,
      workEntryId: workEntry.id,
      updatedAt: session.stoppedAt,
    });
    expect(workEntry).toMatchObject({ description: 'Call', amount: '1.50', timerSessionId: running.id });
    expect(durationMinutes).toBe(1);
    expect((await ana.get(`${entries}/${workEntry.id}`)).body.data).toEqual(workEntry);
    expect((await ana.get(`${path}/active`)).body.data).toBeNull();
  });

  it('leaves the events of timer and entry, in this order, as a timer leaves one for whatever else is done to it', async () => {
    const [client, project] = [await given.client(ana), await given.project(ana)];
    const after = await presentEnd(ana);
    const links = { clientId: client.id, projectId: project.id };
    const first = await given.timer(ana, links);
    await ana.post(`${path}/start`);
    const same = { ...links, description: first.description, startedAt: first.startedAt, billable: first.billable };
    for (const body of [{}, same]) expect((await ana.patch(`${path}/${first.id}`, body)).body.data).toEqual(first);
    await ana.patch(`${path}/${first.id}`, { ...links, description: 'Call' });
    const { workEntry } = await stopped(first.id);
    await stop(first.id);
    const second = await given.timer(ana);
    await ana.post(`${path}/${second.id}/discard`);
    expect(await happenedSince(ana, after)).toEqual([
      ['timer.started', { type: 'timer', id: first.id }],
      ['timer.updated', { type: 'timer', id: first.id }],
      ['timer.stopped', { type: 'timer', id: first.id }],
      ['entry.created', { type: 'entry', id: workEntry.id, ...links }],
      ['timer.started', { type: 'timer', id: second.id }],
      ['timer.discarded', { type: 'timer', id: second.id }],
    ]);
  });

  it('books what the stop says, but no other project, after which the entry is named without a description', async () => {
    const { id: projectId } = await given.project(ana, { name: 'Relaunch' });
    const { id } = await given.timer(ana, { projectId, description: 'X', rate: 90, billable: true });
    const { workEntry } = await stopped(id, { description: '', billable: false, rate: 0, projectId: null });
    expect(workEntry).toMatchObject({ description: 'Relaunch', billable: false, rate: '0', projectId });
  });

  it('looks at the body before the status', async () => {
    const { id } = await given.timer(ana);
    await stop(id);
    expect((await stop(id, { rate: -1 })).status).toBe(422);
  });

  it('answers a second stop with the session and the entry of the first', async () => {
    const { id } = await given.timer(ana, { description: 'Call' });
    const { session, workEntry } = await stopped(id);
    const reply = await stop(id, { description: 'Changed' });
    expect(reply).toMatchObject({ status: 409, body: { code: 'timer_not_running', session, workEntry } });
  });

  it('shows in a 409 the entry as it is now, and null once it is deleted', async () => {
    const { id } = await given.timer(ana);
    const { workEntry } = await stopped(id);
    await ana.patch(`${entries}/${workEntry.id}`, { description: 'Changed' });
    expect((await stop(id)).body.workEntry).toMatchObject({ id: workEntry.id, description: 'Changed' });
    await ana.delete(`${entries}/${workEntry.id}`);
    expect((await stop(id)).body).toMatchObject({ session: { workEntryId: workEntry.id }, workEntry: null });
  });
});
