import { describe, expect, it } from 'vitest';
import { useInstances } from '#test/support/api.ts';
import type { Reply } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/** Many tabs of one user press the timer's buttons at the same moment. */

useInstances();

const path = '/v1/work/tracker/timer';

const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const start = (by: User) => by.post(`${path}/start`);
const end = (by: User, id: string, how: 'stop' | 'discard') => by.post(`${path}/${id}/${how}`);
const active = async (by: User) => (await by.get(`${path}/active`)).body.data;
const withStatus = (replies: readonly Reply[], status: number) => replies.filter((reply) => reply.status === status);

function tally(replies: readonly Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function total(by: User, at: string, query: Record<string, string> = {}): Promise<number> {
  return (await by.get(at, { ...query, limit: 1 })).body.meta.total;
}

describe('concurrent timers', () => {
  it('run exactly once when fifty tabs start at once', async () => {
    const ana = await given.user();
    const replies = await Promise.all(many(50, () => start(ana)));
    expect(tally(replies)).toEqual({ 201: 1, 409: 49 });
    const running = withStatus(replies, 201)[0]?.body.data;
    for (const { body } of withStatus(replies, 409)) expect(body.session).toEqual(running);
    expect(await active(ana)).toEqual(running);
    expect(await total(ana, `${path}/sessions`)).toBe(1);
  });

  it('book exactly one entry when fifty tabs stop at once', async () => {
    const ana = await given.user();
    const project = await given.project(ana);
    const { id } = await given.timer(ana, { projectId: project.id });
    const replies = await Promise.all(many(50, () => end(ana, id, 'stop')));
    expect(tally(replies)).toEqual({ 200: 1, 409: 49 });
    const { session, workEntry } = withStatus(replies, 200)[0]?.body.data ?? {};
    for (const { body } of withStatus(replies, 409)) expect(body).toMatchObject({ session, workEntry });
    expect((await ana.get('/v1/work/tracker/entries')).body.data).toEqual([workEntry]);
    expect((await ana.get(`/v1/work/tracker/projects/${project.id}`)).body.data.totalMinutes).toBe(1);
  });

  it('end in one way when some tabs stop and others discard', async () => {
    const ana = await given.user();
    for (let round = 0; round < 2; round++) {
      const { id } = await given.timer(ana);
      const before = await total(ana, '/v1/work/tracker/entries');
      const replies = await Promise.all(many(10, (i) => end(ana, id, i % 2 === 0 ? 'stop' : 'discard')));
      expect(tally(replies)).toEqual({ 200: 1, 409: 9 });
      const outcomes = new Set(withStatus(replies, 409).map(({ body }) => body.session.status));
      expect(outcomes.size).toBe(1);
      const booked = (await total(ana, '/v1/work/tracker/entries')) - before;
      expect(booked).toBe(outcomes.has('stopped') ? 1 : 0);
    }
  });

  it('are booked as they were changed last, and never changed once they have ended', async () => {
    const ana = await given.user();
    for (let round = 0; round < 3; round++) {
      const { id } = await given.timer(ana);
      const change = (i: number) => ana.patch(`${path}/${id}`, { description: `Change ${i}` });
      const [stopped, ...changes] = await Promise.all([end(ana, id, 'stop'), ...many(10, change)]);
      const made = withStatus(changes, 200).map(({ body }) => body.data.description);
      const { session, workEntry } = stopped.body.data;
      expect(made.length + withStatus(changes, 409).length).toBe(changes.length);
      for (const { body } of withStatus(changes, 409)) expect(body).toMatchObject({ session, workEntry });
      expect(made.length === 0 ? [''] : made).toContain(session.description);
      expect((await ana.get(`${path}/sessions`, { limit: 1 })).body.data).toEqual([session]);
    }
  });

  it('stop while their project and client are deleted, and keep no link to either', async () => {
    const ana = await given.user();
    for (let round = 0; round < 3; round++) {
      const [client, project] = [await given.client(ana), await given.project(ana)];
      const { id } = await given.timer(ana, { projectId: project.id, clientId: client.id });
      const [stopped, ...deletions] = await Promise.all([
        end(ana, id, 'stop'),
        ana.delete(`/v1/work/tracker/projects/${project.id}`),
        ana.delete(`/clients/${client.id}`),
      ]);
      expect([stopped, ...deletions].map(({ status }) => status)).toEqual([200, 200, 200]);
      const { body } = await ana.get(`/v1/work/tracker/entries/${stopped.body.data.workEntry.id}`);
      expect(body.data).toMatchObject({ projectId: null, clientId: null, clientLabel: client.name });
    }
  });

  it('start in a project that is deleted at the same moment without a link to it, or not at all', async () => {
    const ana = await given.user();
    for (let round = 0; round < 3; round++) {
      const project = await given.project(ana);
      const [started] = await Promise.all([
        ana.post(`${path}/start`, { projectId: project.id }),
        ana.delete(`/v1/work/tracker/projects/${project.id}`),
      ]);
      expect([201, 400]).toContain(started.status);
      const running = await active(ana);
      expect(running !== null).toBe(started.status === 201);
      if (!running) continue;
      expect(running.projectId).toBeNull();
      await end(ana, running.id, 'discard');
    }
  });

  it('start again while others end the one that runs, and leave what the start has answered, or none', async () => {
    const ana = await given.user();
    let running = await given.timer(ana);
    for (let round = 0; round < 3; round++) {
      const press = (i: number) => (i % 2 === 0 ? start(ana) : end(ana, running.id, i % 4 === 1 ? 'stop' : 'discard'));
      const replies = await Promise.all(many(20, press));
      const [started, ended] = [withStatus(replies, 201), withStatus(replies, 200)];
      expect([ended.length, started.length <= 1]).toEqual([1, true]);
      expect(withStatus(replies, 409)).toHaveLength(replies.length - started.length - ended.length);
      expect(await active(ana)).toEqual(started[0]?.body.data ?? null);
      running = started[0]?.body.data ?? (await given.timer(ana));
    }
    expect(await total(ana, `${path}/sessions`, { status: 'running' })).toBe(1);
  });
});
