import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

const PATH = '/v1/work/tracker/projects';

describe(`PATCH ${PATH}/{id}`, () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  const patch = (project: Json, changes: unknown, by = ana) => by.patch(`${PATH}/${project.id}`, changes);
  const read = async (project: Json, by = ana) => (await by.get(`${PATH}/${project.id}`)).body.data;

  it('changes what is sent and nothing else', async () => {
    const project = await given.project(ana, { code: 'A', rate: 80, tags: ['x'] });
    const reply = await patch(project, { status: 'archived', rate: 99.5, description: 'New' });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({
      ...project,
      status: 'archived',
      defaultRate: '99.5',
      description: 'New',
      updatedAt: expect.any(String),
    });
    expect(reply.body.data.updatedAt > project.updatedAt).toBe(true);
    expect(await read(project)).toEqual(reply.body.data);
  });

  it('clears what may be null', async () => {
    const { id: clientId } = await given.client(ana);
    const values = { clientId, code: 'A', description: 'B', externalRef: 'C', estimateHours: 1, color: 'D' };
    const project = await given.project(ana, { ...values, rate: 80 });
    const cleared = Object.fromEntries(Object.keys(values).map((name) => [name, null]));
    expect((await patch(project, { ...cleared, rate: null })).body.data).toMatchObject({
      ...cleared,
      defaultRate: null,
    });
  });

  it.each([[{}], [{ surprise: true }], [{ id: 'mine', totalMinutes: 9 }]])(
    'refuses a body without any field of a project: %o',
    async (body) => {
      const project = await given.project(ana);
      const reply = await patch(project, body);
      expect(reply.status).toBe(422);
      expect(reply.body.errors).toEqual([
        { path: '', message: expect.stringContaining('at least one'), code: 'required' },
      ]);
      expect(await read(project)).toEqual(project);
    },
  );

  describe('a rename', () => {
    it('to the name of another project is refused, whatever its case', async () => {
      const bea = await given.user();
      await given.project(bea, { name: 'Taken' });
      const project = await given.project(bea, { name: 'Own' });
      const { status, body } = await patch(project, { name: ' TAKEN', code: 'X' }, bea);
      expect([status, body.code, body.errors[0].path]).toEqual([409, 'project_name_taken', 'name']);
      expect(await read(project, bea)).toEqual(project);
    });

    it('that changes only the case is none', async () => {
      const bea = await given.user();
      const project = await given.project(bea, { name: 'case' });
      expect((await patch(project, { name: 'CASE' }, bea)).body.data.name).toBe('CASE');
      expect((await bea.post(PATH, { name: 'case' })).status).toBe(409);
    });

    it('leaves exactly the last name taken, however many race on one project', async () => {
      const bea = await given.user();
      const project = await given.project(bea, { name: 'Name 0' });
      const names = ['Name 1', 'Name 2', 'Name 3', 'Name 4'];
      await Promise.all(names.map((name) => patch(project, { name }, bea)));
      const { name: last } = await read(project, bea);
      for (const name of ['Name 0', ...names]) {
        expect((await bea.post(PATH, { name })).status, name).toBe(name === last ? 409 : 201);
      }
    });
  });

  describe('a new client', () => {
    it("must be the organization's own", async () => {
      const eve = await given.user();
      const foreign = await given.client(eve);
      const project = await given.project(ana);
      for (const clientId of [foreign.id, randomUUID()]) {
        const reply = await patch(project, { clientId, code: 'X' });
        expect(reply.status).toBe(400);
        expect(reply.body).toMatchObject({ code: 'reference_not_found', errors: [{ path: 'clientId' }] });
      }
      expect(await read(project)).toEqual(project);
    });

    it('is taken over, and found by', async () => {
      const client = await given.client(ana);
      const project = await given.project(ana);
      expect((await patch(project, { clientId: client.id })).body.data.clientId).toBe(client.id);
      expect((await ana.get(PATH, { clientId: client.id })).body.data.map(({ id }: Json) => id)).toEqual([project.id]);
    });
  });

  it('loses nothing that entries add to the totals at the same moment', async () => {
    const project = await given.project(ana, { rate: 60 });
    const entries = Array.from({ length: 20 }, () => given.entry(ana, { projectId: project.id, durationMinutes: 3 }));
    const replies = Array.from({ length: 20 }, (_, i) => patch(project, { code: `${i}` }));
    await Promise.all([...entries, ...replies]);
    expect(await read(project)).toMatchObject({
      totalMinutes: 60,
      billableMinutes: 60,
      totalAmount: 60,
      amountsByCurrency: [{ currency: 'USD', amount: '60.00' }],
    });
  });
});
