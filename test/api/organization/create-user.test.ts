import { describe, expect, it } from 'vitest';
import { countKey } from '#shared/data/layout/keys.ts';
import { increase } from '#shared/data/table/sums.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { MAX_USERS } from '#shared/domain/organization/users.ts';
import type { Json } from '#test/support/client.ts';
import { given } from '#test/support/given.ts';

const PATH = '/v1/users';

describe('POST /v1/users', () => {
  it('adds a member, who has what was sent and nothing else', async () => {
    const ana = await given.user();
    const reply = await ana.post(PATH, { name: ' Bea ' });
    expect(reply.status).toBe(201);
    expect(reply.headers.get('etag')).toMatch(/^"/);
    expect(reply.body.data).toEqual({
      id: expect.any(String),
      name: 'Bea',
      email: null,
      role: 'member',
      timeZone: null,
      status: 'active',
      signIns: 0,
      createdAt: expect.any(String),
      updatedAt: reply.body.data.createdAt,
    });
    const full = { name: 'Cem', email: 'Cem@Acme.example', role: 'admin', timeZone: 'Asia/Kolkata' };
    const { data } = (await ana.post(PATH, { ...full, email: ' Cem@Acme.example ', status: 'removed', id: 'mine' }))
      .body;
    expect(data).toMatchObject({ ...full, status: 'active' });
    expect((await ana.get(`${PATH}/${data.id}`)).body.data).toEqual(data);
  });

  it('takes a name once, ignoring case and space around it', async () => {
    const ana = await given.user({ name: 'Ana' });
    await given.colleague(ana, { name: 'Straße' });
    for (const name of ['ANA', ' ana', 'STRASSE']) {
      const { status, body } = await ana.post(PATH, { name });
      expect({ status, code: body.code }).toEqual({ status: 409, code: 'user_name_taken' });
    }
    expect((await ana.get(PATH)).body.meta.total).toBe(2);
  });

  it('takes an email once in an organization, ignoring the case of ASCII alone', async () => {
    const [ana, eve] = [await given.user(), await given.user()];
    await given.colleague(ana, { email: 'bea@acme.example' });
    const { status, body } = await ana.post(PATH, { name: 'Cem', email: 'BEA@Acme.Example' });
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'user_email_taken' });
    expect((await ana.post(PATH, { name: 'Cem' })).status).toBe(201);
    await given.colleague(ana, { email: 'kim@acme.example' });
    // The sign of kelvin, which has the letter k in lower case.
    await given.colleague(ana, { email: '\u212aim@acme.example' });
    await given.colleague(eve, { email: 'bea@acme.example' });
  });

  it('makes one of many with the same name or the same email at the same moment', async () => {
    const ana = await given.user();
    const named = await Promise.all(Array.from({ length: 8 }, () => ana.post(PATH, { name: 'Bea' })));
    const addressed = await Promise.all(
      Array.from({ length: 8 }, (_, i) => ana.post(PATH, { name: `Cem ${i}`, email: 'cem@acme.example' })),
    );
    for (const replies of [named, addressed]) {
      expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
    }
    expect((await ana.get(PATH)).body.meta.total).toBe(3);
  });

  it('makes one of at most a thousand active users', async () => {
    const ana = await given.user();
    await transact([increase(countKey(ana.organization.id, 'USER'), { active: MAX_USERS - 2 })]);
    expect((await ana.post(PATH, { name: 'Bea' })).status).toBe(201);
    const { status, body } = await ana.post(PATH, { name: 'Cem' });
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'too_many_users', errors: [{ path: '' }] } });
    expect((await ana.get(PATH)).body.data.map(({ name }: Json) => name)).not.toContain('Cem');
  });
});
