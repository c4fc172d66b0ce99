import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createProject } from '#shared/contract/tracker/create-project.ts';
import { updateProject } from '#shared/contract/tracker/update-project.ts';
import { given, type User } from '#test/support/given.ts';
import { expectBodyRefused } from '#test/support/refusals.ts';

const PATH = '/v1/work/tracker/projects';

describe(`POST ${PATH}`, () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it('answers the whole project, with the defaults of what was left out', async () => {
    const reply = await ana.post(PATH, { name: 'Website' });
    expect(reply.status).toBe(201);
    expect(reply.body.data).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organizationId: ana.organization.id,
      clientId: null,
      name: 'Website',
      code: null,
      description: null,
      externalRef: null,
      billingMode: 'hourly',
      billable: false,
      defaultRate: null,
      userRates: [],
      currency: 'USD',
      rounding: null,
      estimateHours: null,
      status: 'in_progress',
      color: null,
      tags: [],
      assignedUserIds: [],
      metadata: {},
      totalMinutes: 0,
      billableMinutes: 0,
      billedMinutes: 0,
      totalAmount: 0,
      amountsByCurrency: [],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updatedAt: reply.body.data.createdAt,
    });
  });

  it('keeps all that it is given', async () => {
    const client = await given.client(ana);
    const values = {
      clientId: client.id,
      code: 'WEB-1',
      description: 'Design',
      externalRef: 'harvest-7',
      billingMode: 'fixed',
      billable: true,
      currency: 'EUR',
      estimateHours: 120,
      status: 'completed',
      color: '#0066cc',
      tags: ['web', 'design', 'web'],
      assignedUserIds: [randomUUID(), randomUUID()],
    };
    const project = await given.project(ana, values);
    expect(project).toMatchObject(values);
    expect((await ana.get(`${PATH}/${project.id}`)).body.data).toEqual(project);
  });

  describe('the rate', () => {
    it.each([
      [{ rate: 95.5, defaultRate: '95.50' }, '95.5'],
      [{ rate: null, defaultRate: null }, null],
    ])('may be called defaultRate, as in a response: %o', async (values, defaultRate) => {
      expect((await given.project(ana, values)).defaultRate).toBe(defaultRate);
    });

    it.each([
      { rate: 95.5, defaultRate: '95.6' },
      { rate: null, defaultRate: 0 },
      { rate: 0, defaultRate: null },
    ])('is one: refuses %o', (values) => {
      expectBodyRefused(createProject, { name: 'Website', ...values }, 'defaultRate', 'exclusive');
      expectBodyRefused(updateProject, values, 'defaultRate', 'exclusive');
    });
  });

  describe('the client', () => {
    it("must be the organization's own: another's answers as a missing one, and nothing is created", async () => {
      const eve = await given.user();
      const foreign = await given.client(ana);
      for (const clientId of [foreign.id, randomUUID()]) {
        const reply = await eve.post(PATH, { name: 'Stolen', clientId });
        expect(reply.status).toBe(400);
        expect(reply.body).toMatchObject({
          code: 'reference_not_found',
          errors: [{ path: 'clientId', code: 'reference_not_found' }],
        });
      }
      expect((await eve.get(PATH)).body.meta.total).toBe(0);
      expect((await eve.post(PATH, { name: 'Stolen' })).status).toBe(201);
    });
  });

  describe('the name', () => {
    const create = (by: User, name: string) => by.post(PATH, { name });

    it('is unique in the organization, whatever its case, composition and surrounding space', async () => {
      const bea = await given.user();
      expect((await create(bea, 'Café Zürich')).status).toBe(201);
      for (const name of ['Café Zürich', 'CAFÉ ZÜRICH', '  café zürich ', 'Cafe\u0301 Zu\u0308rich']) {
        const reply = await create(bea, name);
        expect(reply.status).toBe(409);
        const message = 'Another project of the organization has this name.';
        expect(reply.body).toMatchObject({
          code: 'project_name_taken',
          detail: message,
          errors: [{ path: 'name', message, code: 'project_name_taken' }],
        });
      }
      expect((await create(bea, ' Café  Zürich\t')).body.data.name).toBe('Café  Zürich');
      expect((await bea.get(PATH)).body.meta.total).toBe(2);
    });

    it('may be as long as it may, and is unique then too', async () => {
      const name = '𐐀'.repeat(254);
      expect((await create(ana, `${name}a`)).status).toBe(201);
      expect((await create(ana, `${name}b`)).status).toBe(201);
      expect((await create(ana, `${name}A`)).status).toBe(409);
    });

    it('goes to one of thirty that ask for it at once', async () => {
      const bea = await given.user();
      const replies = await Promise.all(
        Array.from({ length: 30 }, (_, i) => create(bea, i % 2 ? 'Contested' : 'CONTESTED ')),
      );
      expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(29).fill(409)]);
      const { body } = await bea.get(PATH);
      expect(body.meta.total).toBe(1);
      expect(body.data).toHaveLength(1);
    });
  });
});
