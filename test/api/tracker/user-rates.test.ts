import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { removeUser } from '#test/support/directories.ts';
import { happenedSince, presentEnd } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';

const PROJECTS = '/v1/work/tracker/projects';
const ENTRIES = '/v1/work/tracker/entries';
const TIMER = '/v1/work/tracker/timer';

let ana: User;
let ben: User;

beforeAll(async () => {
  ana = await given.user();
  ben = await given.user({ organization: ana.organization });
});

const ofAna = (rate: string) => [{ userId: ana.userId, rate }];
const patch = (project: Json, userRates: unknown) => ana.patch(`${PROJECTS}/${project.id}`, { userRates });

describe('the rates of the users of a project', () => {
  it('are shown as they were sent, and replaced by a change, which writes nothing where they are equal', async () => {
    const userRates = [
      { userId: ben.userId.toUpperCase(), rate: 90.5 },
      { userId: ana.userId, rate: '0' },
    ];
    const project = await given.project(ana, { rate: 80, userRates });
    expect(project.userRates).toEqual([{ userId: ben.userId, rate: '90.5' }, ...ofAna('0')]);
    const after = await presentEnd(ana);
    expect((await patch(project, project.userRates)).body.data).toEqual(project);
    expect(await happenedSince(ana, after)).toEqual([]);
    expect((await patch(project, ofAna('70'))).body.data).toMatchObject({ defaultRate: '80', userRates: ofAna('70') });
    expect((await patch(project, [])).body.data.userRates).toEqual([]);
    const { body } = await ana.get(`${PROJECTS}/${project.id}`);
    expect(body.data).toMatchObject({ defaultRate: '80', userRates: [] });
    expect((await given.project(ana)).userRates).toEqual([]);
  });

  const TAIL = '-aaaa-7aaa-8aaa-aaaaaaaaaaaa';

  it.each([
    ['a user twice', ['a', 'A'].map((digit) => ({ userId: digit.repeat(8) + TAIL, rate: 1 })), 'unique'],
    ['no rate', [{ userId: randomUUID(), rate: null }], 'type'],
    ['no user', [{ rate: 1 }], 'required'],
  ])('with %s are a 422, and change nothing', async (_, userRates, code) => {
    const project = await given.project(ana, { userRates: ofAna('70') });
    const replies = [await patch(project, userRates), await ana.post(PROJECTS, { name: randomUUID(), userRates })];
    for (const { status, body } of replies) {
      expect({ status, code: body.errors[0].code }).toEqual({ status: 422, code });
    }
    expect((await ana.get(`${PROJECTS}/${project.id}`)).body.data).toEqual(project);
  });

  it('are of active users of the organization; one who is removed may stay', async () => {
    const cleo = await given.user({ organization: ana.organization });
    const project = await given.project(ana, { userRates: [{ userId: cleo.userId, rate: '60' }] });
    const other = await given.project(ana);
    await removeUser(ana.organization.id, cleo.userId);
    const eve = await given.user();
    for (const userId of [eve.userId, randomUUID(), cleo.userId]) {
      for (const position of [0, 1]) {
        const userRates = ofAna('1').toSpliced(position, 0, { userId, rate: '1' });
        const path = `userRates.${position}.userId`;
        for (const reply of [await patch(other, userRates), await ana.post(PROJECTS, { name: 'New', userRates })]) {
          expect(reply.status).toBe(400);
          expect(reply.body).toMatchObject({ code: 'reference_not_found', errors: [{ path }] });
        }
      }
    }
    expect((await ana.get(`${PROJECTS}/${other.id}`)).body.data).toEqual(other);
    const kept = [...ofAna('70'), { userId: cleo.userId, rate: '65' }];
    expect((await patch(project, kept)).body.data.userRates).toEqual(kept);
  });
});

describe('work without a rate', () => {
  it('takes the rate of its user, then that of the project, and keeps it', async () => {
    const project = await given.project(ana, { rate: 80, userRates: ofAna('70') });
    const { id: projectId } = project;
    const own = await given.entry(ana, { projectId });
    expect(own).toMatchObject({ rate: '70', amount: '70.00' });
    expect((await given.entry(ana, { projectId, userId: ben.userId })).rate).toBe('80');
    expect((await given.entry(ana, { projectId, rate: null })).rate).toBeNull();
    expect((await given.entry(ana, { projectId, rate: 5 })).rate).toBe('5');
    expect((await given.entry(ana, { projectId, currency: 'JPY' })).rate).toBeNull();
    await patch(project, ofAna('99'));
    expect((await ana.get(`${ENTRIES}/${own.id}`)).body.data.rate).toBe('70');
    expect((await given.entry(ana, { projectId })).rate).toBe('99');
    await patch(project, []);
    expect((await given.entry(ana, { projectId })).rate).toBe('80');
  });

  it('keeps the rate where its user changes, and takes one with a project if it has none', async () => {
    const { id: projectId } = await given.project(ana, { rate: 80, userRates: ofAna('70') });
    const own = await given.entry(ana, { projectId });
    expect((await ana.patch(`${ENTRIES}/${own.id}`, { userId: ben.userId })).body.data.rate).toBe('70');
    const unpriced = await given.entry(ana);
    expect((await ana.patch(`${ENTRIES}/${unpriced.id}`, { projectId })).body.data.rate).toBe('70');
    const moved = await given.entry(ana);
    const changes = { projectId, userId: ben.userId };
    expect((await ana.patch(`${ENTRIES}/${moved.id}`, changes)).body.data.rate).toBe('80');
  });

  it('of a timer does the same, at its start and with another project', async () => {
    const { id: projectId } = await given.project(ana, { rate: 80, userRates: ofAna('70') });
    const timer = await given.timer(ana, { projectId });
    const others = await given.timer(ben, { projectId });
    expect([timer.rate, others.rate]).toEqual(['70', '80']);
    const next = await given.project(ana, { rate: 10, userRates: ofAna('20') });
    expect((await ana.patch(`${TIMER}/${timer.id}`, { projectId: next.id })).body.data.rate).toBe('20');
    expect((await ana.post(`${TIMER}/${timer.id}/stop`)).body.data.workEntry.rate).toBe('20');
    expect((await ben.post(`${TIMER}/${others.id}/stop`)).body.data.workEntry.rate).toBe('80');
  });

  it('of a timer keeps its rate while its project stays, whatever that has now', async () => {
    const project = await given.project(ana, { rate: 80, userRates: ofAna('70') });
    const timer = await given.timer(ana, { projectId: project.id });
    await patch(project, ofAna('99'));
    const changes = { projectId: project.id, description: 'Same' };
    expect((await ana.patch(`${TIMER}/${timer.id}`, changes)).body.data.rate).toBe('70');
    const other = await given.project(ana, { userRates: ofAna('20') });
    expect((await ana.patch(`${TIMER}/${timer.id}`, { projectId: other.id, rate: 5 })).body.data.rate).toBe('5');
    expect((await ana.patch(`${TIMER}/${timer.id}`, { projectId: project.id })).body.data.rate).toBe('99');
    await ana.post(`${TIMER}/${timer.id}/discard`);
  });

  it('of a row does the same, whether its user is mapped or is who imports it', async () => {
    const userRates = [...ofAna('70'), { userId: ben.userId, rate: '60' }];
    const { id } = await given.project(ana, { rate: 80, userRates });
    const rows = ['A', 'B'].map((user) => ({ date: '2026-11-02', durationMinutes: 60, project: 'P', user }));
    const mappings = { projectMapping: { P: id }, userMapping: { B: ben.userId } };
    await ana.post('/v1/work/tracker/imports', { origin: 'old', rows, ...mappings });
    const { data } = (await ana.get(ENTRIES, { projectId: id })).body;
    expect(data.map(({ userLabel, rate }: Json) => `${userLabel} ${rate}`).sort()).toEqual(['A 70', 'B 60']);
  });
});
