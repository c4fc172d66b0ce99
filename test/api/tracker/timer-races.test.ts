import { describe, expect, it } from 'vitest';
import { useInstances } from '#test/support/api.ts';
import type { Reply } from '#test/support/client.ts';
import { draws } from '#test/support/draws.ts';
import { given, type User } from '#test/support/given.ts';

/** Many tabs of one user press the timer's buttons at the same moment. */

useInstances();

const path = '/v1/work/tracker/timer';

const STRESS_ROUNDS = draws(3);

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

  it('leave one running at most, and agree with a recount, whatever starts and ends at once', {
    timeout: draws(60_000),
  }, async () => {
    const ana = await given.user();
    const project = await given.project(ana);
    const expected = await stress(ana, project.id);
    expect(await recount(ana)).toEqual(expected);
    for (const status of ['running', 'stopped', 'discarded'] as const) {
      expect(await total(ana, `${path}/sessions`, { status })).toBe(expected[status]);
    }
    expect(await total(ana, '/v1/work/tracker/entries', { projectId: project.id })).toBe(expected.stopped);
    const { body } = await ana.get(`/v1/work/tracker/projects/${project.id}`);
    expect(body.data.totalMinutes).toBe(expected.stopped);
  });
});

/** How many sessions there are of each status. */
interface Figures {
  running: number;
  stopped: number;
  discarded: number;
}

/**
 * A round is ten starts at once with ten ends of the timer that ran before: exactly one end succeeds, at most one start, and what runs
 * afterwards is what that start has answered.
 */
async function stress(by: User, projectId: string): Promise<Figures> {
  const figures: Figures = { running: 1, stopped: 0, discarded: 0 };
  let running = await given.timer(by, { projectId });
  for (let round = 0; round < STRESS_ROUNDS; round++) {
    const replies = await Promise.all(
      many(20, (i) =>
        i % 2 === 0 ? by.post(`${path}/start`, { projectId }) : end(by, running.id, i % 4 === 1 ? 'stop' : 'discard'),
      ),
    );
    const [started, ended] = [withStatus(replies, 201), withStatus(replies, 200)];
    expect(ended).toHaveLength(1);
    expect(started.length).toBeLessThanOrEqual(1);
    expect(withStatus(replies, 409)).toHaveLength(replies.length - started.length - ended.length);
    expect(await active(by)).toEqual(started[0]?.body.data ?? null);
    figures[ended[0]?.body.data.status === 'discarded' ? 'discarded' : 'stopped'] += 1;
    running = started[0]?.body.data ?? (await given.timer(by, { projectId }));
  }
  return figures;
}

async function recount(by: User): Promise<Figures> {
  const found = { running: 0, stopped: 0, discarded: 0 };
  for (let offset = 0; ; offset += 200) {
    const { data } = (await by.get(`${path}/sessions`, { limit: 200, offset })).body;
    for (const { status } of data) found[status as keyof typeof found] += 1;
    if (data.length < 200) return found;
  }
}
