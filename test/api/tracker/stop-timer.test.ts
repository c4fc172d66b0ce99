import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { stopTimer } from '#shared/contract/tracker/stop-timer.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

const path = '/v1/work/tracker/timer';
const entries = '/v1/work/tracker/entries';
const projects = '/v1/work/tracker/projects';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);

describe(`POST ${path}/{sessionId}/stop`, () => {
  let ana: User;

  beforeEach(async () => {
    ana = await given.user({ name: 'Ana' });
  });

  const stop = (id: string, body?: Json) => ana.post(`${path}/${id}/stop`, body);
  const stopped = async (id: string, body?: Json) => {
    const reply = await stop(id, body);
    expect(reply.status).toBe(200);
    return reply.body.data;
  };
  const total = async (by = ana) => (await by.get(entries)).body.meta.total;

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
    expect(workEntry).toEqual({
      id: expect.any(String),
      organizationId: ana.organization.id,
      userId: ana.userId,
      userName: 'Ana',
      userLabel: null,
      description: 'Call',
      entryDate: `${running.startedAt.slice(0, 10)}T00:00:00.000Z`,
      startedAt: running.startedAt,
      endedAt: session.stoppedAt,
      durationMinutes: 1,
      quantity: '0.016667',
      unit: 'hour',
      rate: '90',
      currency: 'USD',
      amount: '1.50',
      billable: true,
      billingStatus: 'unbilled',
      invoiceId: null,
      source: 'native_tracker',
      timerSessionId: running.id,
      clientId: null,
      clientLabel: null,
      projectId: null,
      projectName: null,
      createdAt: session.stoppedAt,
      updatedAt: session.stoppedAt,
    });
    expect(durationMinutes).toBe(1);
    expect((await ana.get(`${entries}/${workEntry.id}`)).body.data).toEqual(workEntry);
    expect((await ana.get(`${path}/active`)).body.data).toBeNull();
  });

  it('rounds a started minute up', async () => {
    const { id } = await given.timerSince(ana, ago(90 * MINUTE + 1_000));
    expect(await stopped(id)).toMatchObject({
      durationMinutes: 91,
      session: { durationMinutes: 91 },
      workEntry: { durationMinutes: 91 },
    });
  });

  it('books a timer that ran past midnight, for days, on the UTC date of its start', async () => {
    const startedAt = new Date(
      `${ago(3 * DAY)
        .toISOString()
        .slice(0, 10)}T23:58:30.000Z`,
    );
    const { id } = await given.timerSince(ana, startedAt);
    const minutes = Math.ceil((Date.now() - startedAt.getTime()) / MINUTE);
    const { workEntry, durationMinutes } = await stopped(id);
    expect(workEntry).toMatchObject({
      entryDate: `${startedAt.toISOString().slice(0, 10)}T00:00:00.000Z`,
      startedAt: startedAt.toISOString(),
    });
    expect([minutes, minutes + 1]).toContain(durationMinutes);
    const { body } = await ana.get(entries, { dateTo: startedAt.toISOString().slice(0, 10) });
    expect(body.data).toEqual([workEntry]);
  });

  it('counts at most the year that an entry can have', async () => {
    const { id, startedAt } = await given.timerSince(ana, ago(400 * DAY));
    const { session, workEntry, durationMinutes } = await stopped(id);
    expect(durationMinutes).toBe(525_600);
    expect(session.durationMinutes).toBe(525_600);
    expect(workEntry).toMatchObject({ durationMinutes: 525_600, startedAt, endedAt: session.stoppedAt });
    expect((await ana.patch(`${entries}/${workEntry.id}`, { durationMinutes: 525_600 })).status).toBe(200);
  });

  it('adds to the totals of its project, once', async () => {
    const project = await given.project(ana, { rate: 60, billable: true });
    const { id } = await given.timerSince(ana, ago(29 * MINUTE + 30_000), { projectId: project.id });
    const { workEntry } = await stopped(id);
    await stop(id);
    expect(workEntry).toMatchObject({ projectId: project.id, amount: '30.00' });
    expect((await ana.get(`${projects}/${project.id}`)).body.data).toMatchObject({
      totalMinutes: 30,
      billableMinutes: 30,
      totalAmount: 30,
    });
  });

  it('lets what is sent win over what the start said, a rate of 0 too', async () => {
    const { id } = await given.timer(ana, { description: 'Call', rate: 90, billable: true });
    const changes = { description: 'Long call', billable: false, rate: 0 };
    const { session, workEntry } = await stopped(id, changes);
    expect(session).toMatchObject({ ...changes, rate: '0' });
    expect(workEntry).toMatchObject({ ...changes, rate: '0', billingStatus: 'non_billable', amount: '0.00' });
  });

  it.each([
    ['the name of its project', { name: 'Relaunch' }, {}, {}, 'Relaunch'],
    ['"Tracked time" without one', null, {}, {}, 'Tracked time'],
    ['its project for a blank description', { name: 'Relaunch' }, { description: '  ' }, {}, 'Relaunch'],
    [
      'its project for a description taken back',
      { name: 'Relaunch' },
      { description: 'X' },
      { description: '' },
      'Relaunch',
    ],
    ['the description of the stop', { name: 'Relaunch' }, {}, { description: 'Call' }, 'Call'],
  ])('says in the entry what was worked on: %s', async (_case, named, start, end, description) => {
    const projectId = named && (await given.project(ana, named)).id;
    const { id } = await given.timer(ana, { projectId, ...start });
    expect((await stopped(id, end)).workEntry.description).toBe(description);
  });

  it('books nothing when asked not to', async () => {
    const { id } = await given.timer(ana, { description: 'Call' });
    const { session, workEntry, durationMinutes } = await stopped(id, { createWorkEntry: false });
    expect(workEntry).toBeNull();
    expect(durationMinutes).toBe(1);
    expect(session).toMatchObject({ status: 'stopped', workEntryId: null, durationMinutes: 1 });
    expect(await total()).toBe(0);
  });

  it.each([
    ['rate', { rate: -0.01 }, 'rate'],
    ['rate', { rate: 'free' }, 'decimal'],
  ])('refuses a wrong %s: %o', (member, values, code) => {
    expectBodyRefused(stopTimer, values, member, code);
  });

  it('accepts the longest description', async () => {
    const { id } = await given.timer(ana);
    const description = '😀'.repeat(2_000);
    expect((await stopped(id, { description })).workEntry.description).toBe(description);
  });

  it('ignores links: those of the start hold', async () => {
    const project = await given.project(ana);
    const { id } = await given.timer(ana);
    expect((await stopped(id, { projectId: project.id })).workEntry.projectId).toBeNull();
  });

  it("answers 404 to another user's session, like to one that does not exist, and lets it run on", async () => {
    const bea = await given.user({ organization: ana.organization });
    const running = await given.timer(bea);
    const [foreign, missing] = [await stop(running.id), await stop(randomUUID())];
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' });
    expect((await bea.get(`${path}/active`)).body.data).toEqual(running);
  });

  it('looks for the session before it looks at the body, and at the body before the status', async () => {
    expect((await stop(randomUUID(), { rate: -1 })).status).toBe(404);
    const { id } = await given.timer(ana);
    await stop(id);
    expect((await stop(id, { rate: -1 })).status).toBe(422);
  });

  it('answers a second stop with the session and the entry of the first, and books nothing more', async () => {
    const { id } = await given.timer(ana, { description: 'Call' });
    const { session, workEntry } = await stopped(id);
    const reply = await stop(id, { description: 'Changed' });
    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({ code: 'timer_not_running', session, workEntry });
    expect(await total()).toBe(1);
  });

  it('shows in a 409 the entry as it is now, and null once it is deleted', async () => {
    const { id } = await given.timer(ana);
    const { workEntry } = await stopped(id);
    await ana.patch(`${entries}/${workEntry.id}`, { description: 'Changed' });
    expect((await stop(id)).body.workEntry).toMatchObject({ id: workEntry.id, description: 'Changed' });
    await ana.delete(`${entries}/${workEntry.id}`);
    expect((await stop(id)).body).toMatchObject({ session: { workEntryId: workEntry.id }, workEntry: null });
  });

  it('answers 409 for a discarded session, and for one that was stopped without an entry', async () => {
    const { id: discarded } = await given.timer(ana);
    await ana.post(`${path}/${discarded}/discard`);
    expect((await stop(discarded)).body).toMatchObject({
      code: 'timer_not_running',
      session: { id: discarded, status: 'discarded' },
      workEntry: null,
    });
    const { id: unbooked } = await given.timer(ana);
    await stop(unbooked, { createWorkEntry: false });
    expect((await stop(unbooked)).body).toMatchObject({
      session: { id: unbooked, status: 'stopped' },
      workEntry: null,
    });
    expect(await total()).toBe(0);
  });

  it('leaves out a project that was deleted while the timer ran, and keeps its rate', async () => {
    const project = await given.project(ana, { rate: 60, currency: 'EUR', billable: true });
    const { id } = await given.timer(ana, { projectId: project.id });
    await ana.delete(`${projects}/${project.id}`);
    const { session, workEntry } = await stopped(id);
    expect(session.projectId).toBeNull();
    expect(workEntry).toMatchObject({ projectId: null, rate: '60', currency: 'EUR', description: 'Tracked time' });
  });

  it('keeps the name of a client that was deleted while the timer ran, however long ago', async () => {
    const client = await given.client(ana, { name: 'Globex' });
    const { id } = await given.timer(ana, { clientId: client.id });
    await ana.delete(`/clients/${client.id}`);
    const { session, workEntry } = await stopped(id);
    expect(session.clientId).toBeNull();
    expect(workEntry).toMatchObject({ clientId: null, clientLabel: 'Globex' });
  });
});
