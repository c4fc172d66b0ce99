import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { stopTimer } from '#shared/contract/tracker/stop-timer.ts';
import { clientPartition, outboxPartition, projectPartition } from '#shared/data/layout/keys.ts';
import { database } from '#shared/data/table/database.ts';
import { listSessions } from '#shared/data/tracker/timers.ts';
import { endSession, stopSession } from '#shared/domain/tracker/timer-end.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';
import { heatOf } from '#test/support/heat.ts';
import { beforeCalls, beforeTransaction, betweenCalls } from '#test/support/interleaving.ts';
import { invoke } from '#test/support/invoke.ts';
import { endStoredTimer } from '#test/support/stored.ts';

/** What happens at the worst moment, which requests meet by chance only. */

const startedAt = new Date('2026-01-01T00:00:00.000Z');
const stoppedAt = new Date('2026-01-01T01:00:00.000Z');

let ana: User;

beforeEach(async () => {
  ana = await given.user();
});

const deletion = (at: string) => () => ana.delete(at);

describe('a start', () => {
  it.each(['project', 'client'] as const)(
    'is as if it had been there already when its %s is deleted just before it is written',
    async (kind) => {
      const client = await given.client(ana);
      const project = await given.project(ana, { clientId: client.id });
      const path = kind === 'project' ? `/v1/work/tracker/projects/${project.id}` : `/clients/${client.id}`;
      beforeTransaction(deletion(path));
      await given.timerSince(ana, startedAt, { projectId: project.id });
      const { data } = (await ana.get('/v1/work/tracker/timer/active')).body;
      expect(data.projectId).toBe(kind === 'project' ? null : project.id);
      expect(data.clientId).toBe(kind === 'client' ? null : client.id);
    },
  );

  it('begins again when the timer that was in its way is gone before it could be named', async () => {
    const { id } = await given.timer(ana);
    betweenCalls(async (command, send) => {
      try {
        return await send(command);
      } catch (error) {
        await ana.post(`/v1/work/tracker/timer/${id}/discard`);
        throw error;
      }
    });
    expect(await given.timerSince(ana, startedAt)).toMatchObject({ status: 'running' });
  });

  it('that fails for another reason says so, though a timer is running', async () => {
    await given.timer(ana);
    const failure = new Error('made for a test');
    beforeCalls((command) => command instanceof TransactWriteCommand, [() => Promise.reject(failure)]);
    await expect(given.timerSince(ana, startedAt)).rejects.toBe(failure);
  });
});

describe('a stop', () => {
  it('books without its project and client when they are deleted before it is written', async () => {
    const [client, project] = [await given.client(ana), await given.project(ana)];
    const running = await given.timerSince(ana, startedAt, { clientId: client.id, projectId: project.id });
    beforeTransaction(async () => {
      await ana.delete(`/v1/work/tracker/projects/${project.id}`);
      await ana.delete(`/clients/${client.id}`);
    });
    const { entry } = await endStoredTimer(running, (links) =>
      stopSession(running, { createWorkEntry: true }, links, running.id, stoppedAt),
    );
    expect(entry).toMatchObject({ projectId: null, clientId: null, clientLabel: client.name, durationMinutes: 60 });
    const { body } = await ana.get('/v1/work/tracker/entries');
    expect(body.data).toMatchObject([{ projectId: null, clientId: null, clientLabel: client.name }]);
  });

  it('leaves its events once, without a project that is deleted before it is written', async () => {
    const project = await given.project(ana);
    const timer = await given.timer(ana, { projectId: project.id });
    const after = await presentEnd(ana);
    beforeTransaction(deletion(`/v1/work/tracker/projects/${project.id}`));
    const { data } = await invoke(stopTimer, ana, { params: { sessionId: timer.id } });
    const happened = await happenedSince(ana, after);
    expect(happened.filter(([, { type }]) => type !== 'project')).toEqual([
      ['timer.stopped', { type: 'timer', id: timer.id }],
      ['entry.created', { type: 'entry', id: data.workEntry.id }],
    ]);
  });

  it('writes two units to a key of the organization, and none to its client: one key takes 500 stops a second', async () => {
    const client = await given.client(ana);
    const project = await given.project(ana, { clientId: client.id });
    const running = await given.timerSince(ana, startedAt, { projectId: project.id });
    const byKey = await heatOf(() => invoke(stopTimer, ana, { params: { sessionId: running.id } }));
    const { id } = ana.organization;
    expect([...byKey.keys()]).toEqual(expect.arrayContaining([projectPartition(id), outboxPartition(id)]));
    expect([...byKey.keys()]).not.toContain(clientPartition(id));
    const shared = [...byKey].filter(([key]) => !key.includes('#USER#'));
    expect(Math.max(...shared.map(([, units]) => units))).toBe(2);
  });

  it('answers what another has done before it was written', async () => {
    const running = await given.timerSince(ana, startedAt);
    beforeTransaction(() => ana.post(`/v1/work/tracker/timer/${running.id}/stop`));
    const ending = endStoredTimer(running, () => ({
      session: endSession(running, 'discarded', stoppedAt),
      entry: null,
    }));
    await expect(ending).rejects.toMatchObject({
      code: 'timer_not_running',
      details: { extensions: { session: { status: 'stopped' }, workEntry: { timerSessionId: running.id } } },
    });
  });
});

describe('a change', () => {
  it('is in the entry of a stop that had read the timer before', async () => {
    const { id } = await given.timer(ana);
    beforeTransaction(() => ana.patch(`/v1/work/tracker/timer/${id}`, { description: 'Call' }));
    const { session, workEntry } = (await ana.post(`/v1/work/tracker/timer/${id}/stop`)).body.data;
    expect([session.description, workEntry.description]).toEqual(['Call', 'Call']);
  });

  it('keeps another one that was made before it was written', async () => {
    const path = `/v1/work/tracker/timer/${(await given.timer(ana)).id}`;
    beforeTransaction(() => ana.patch(path, { description: 'Call' }));
    const { data } = (await ana.patch(path, { rate: 90 })).body;
    expect(data).toMatchObject({ description: 'Call', rate: '90' });
  });

  it('is refused after an end that came before it was written', async () => {
    const path = `/v1/work/tracker/timer/${(await given.timer(ana)).id}`;
    beforeTransaction(() => ana.post(`${path}/discard`));
    expect(await ana.patch(path, { rate: 80 })).toMatchObject({
      status: 409,
      body: { code: 'timer_not_running', session: { rate: null } },
    });
  });
});

describe('a list of sessions', () => {
  it('finds those of a rare status in few requests, and those that are not there in none', {
    timeout: 60_000,
  }, async () => {
    const owner = { organizationId: ana.organization.id, userId: ana.userId };
    const oldest = await given.timerSince(ana, startedAt);
    await endStoredTimer(oldest, () => ({ session: endSession(oldest, 'discarded', startedAt), entry: null }));
    for (let i = 1; i <= 100; i++) {
      const now = new Date(startedAt.getTime() + i);
      const running = await given.timerSince(ana, now);
      await endStoredTimer(running, (links) => stopSession(running, { createWorkEntry: false }, links, '', now));
    }
    const send = vi.spyOn(database, 'send');
    const listing = async (status: 'discarded' | 'running') => {
      send.mockClear();
      const { items, total } = await listSessions(owner, { status, limit: 1, offset: 0 });
      return { ids: items.map(({ id }) => id), total, requests: send.mock.calls.length };
    };
    expect(await listing('running')).toEqual({ ids: [], total: 0, requests: 1 });
    const found = await listing('discarded');
    expect(found).toMatchObject({ ids: [oldest.id], total: 1 });
    expect(found.requests).toBeLessThanOrEqual(10);
  });
});
