import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it, vi } from 'vitest';
import { record } from '#shared/data/events/outbox.ts';
import { issueApiKey } from '#shared/data/keys/api-keys.ts';
import { apiKeyIdKey } from '#shared/data/layout/keys.ts';
import { findUser, insertUser, readUser, readUsers, saveUser } from '#shared/data/organization/users.ts';
import { retrying } from '#shared/data/table/retrying.ts';
import { findRunningSession, getSession } from '#shared/data/tracker/timers.ts';
import { PLATFORM } from '#shared/domain/events/happening.ts';
import { DEFAULT_RATE_LIMIT } from '#shared/domain/keys/api-key.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { newUser, reviseUser } from '#shared/domain/organization/users.ts';
import { withdraw } from '#shared/work/organization/withdraw.ts';
import type { Json } from '#test/support/client.ts';
import { removeUser } from '#test/support/directories.ts';
import { eventsOf } from '#test/support/events.ts';
import { given, type User } from '#test/support/given.ts';
import { beforeTransaction, betweenCalls } from '#test/support/interleaving.ts';
import { type Death, deathsOf, mayDie, useKilling } from '#test/support/kill.ts';
import { itemsOfKey } from '#test/support/stored.ts';

/** Removals and demotions at the worst moment. */

const demote = (organizationId: string, id: string) =>
  retrying(
    () => readUser(organizationId, id),
    (user) => saveUser(organizationId, user, reviseUser(user, { role: 'member' }, new Date()), []),
  );

describe('the last active admin', () => {
  it('stays one, however many admins are removed or made members at the same moment', async () => {
    const { id: organizationId } = await given.organization();
    const ids = Array.from({ length: 8 }, (_, i) => `01900000-0000-7000-8000-00000000000${i}`);
    for (const id of ids)
      await insertUser(organizationId, newUser({ name: id, role: 'admin' }, id, new Date()), '', []);
    const endings = await Promise.allSettled(
      ids.map((id, i) => (i % 2 ? removeUser(organizationId, id) : demote(organizationId, id))),
    );
    const refusals = endings.flatMap((ending) => (ending.status === 'rejected' ? [ending.reason] : []));
    expect(refusals).toEqual([expect.objectContaining({ code: 'last_admin' })]);
    const { items } = await readUsers({ organizationId, limit: 200, offset: 0 });
    expect(items.filter(({ role, status }) => role === 'admin' && status === 'active')).toHaveLength(1);
  });
});

describe('a timer that starts while its user is removed', () => {
  it('is stopped', async () => {
    const ana = await given.user();
    const bea = await given.keyOf(ana, (await given.colleague(ana)).id);
    let started: Json = {};
    beforeTransaction(async () => {
      started = await given.timer(bea);
    });
    await removeUser(ana.organization.id, bea.userId);
    const owner = { organizationId: ana.organization.id, userId: bea.userId };
    expect(await findRunningSession(owner)).toBeUndefined();
    expect(await getSession(owner, started.id)).toMatchObject({ status: 'stopped', workEntryId: null });
  });
});

it('a removal ends a key whose id looks older than that of the key which made it, as clocks differ', async () => {
  const id = uuidV7();
  const ana = await given.user();
  const { id: organizationId } = ana.organization;
  const { id: userId } = await given.colleague(ana);
  const key = { id, name: 'x', organizationId, userId, createdByKeyId: ana.keyId, scopes: SCOPES, expiresAt: null };
  await issueApiKey({ ...key, rateLimit: DEFAULT_RATE_LIMIT }, new Date(), async () => []);
  await removeUser(organizationId, userId);
  expect((await ana.get('/v1/api-keys')).body.data.map((each: Json) => each.id)).toEqual([ana.keyId]);
});

it('a removal ends as many keys at once as have room beside all else that it writes', async () => {
  const ana = await given.user();
  const { id } = await given.colleague(ana, { role: 'admin' });
  const bea = await given.keyOf(ana, id);
  for (let keys = 1; keys < 31; keys++) await given.keyOf(bea, id);
  const { id: organizationId } = ana.organization;
  const user = await readUser(organizationId, id);
  const endedBeside = async (others: number) => {
    let ended = 0;
    betweenCalls((command, send) => {
      if (!(command instanceof TransactWriteCommand)) return send(command);
      const removed = (command.input.TransactItems ?? []).flatMap(({ Delete }) => Delete?.Key?.pk ?? []);
      ended = removed.filter((pk: string) => pk.startsWith(apiKeyIdKey('').pk)).length;
      throw new Error('Not written.');
    });
    const beside = Array.from({ length: others }, () => record(organizationId, PLATFORM, new Date(), []));
    await expect(withdraw(organizationId, user, new Date(), beside)).rejects.toThrow('Not written.');
    vi.restoreAllMocks();
    return ended;
  };
  expect([await endedBeside(0), await endedBeside(6)]).toEqual([29, 27]);
});

describe('a removal, wherever the function dies', () => {
  useKilling();

  /** More keys than one transaction ends, some of which made keys for others. */
  const KEYS = 34;

  async function scene(): Promise<{ ana: User; bea: User; cem: User; keys: User[] }> {
    const ana = await given.user();
    const { id } = await given.colleague(ana, { name: 'Bea', email: 'bea@acme.example', role: 'admin' });
    const bea = await given.keyOf(ana, id);
    const cem = await given.keyOf(bea, ana.userId);
    const keys = [bea];
    while (keys.length < KEYS) keys.push(await given.keyOf(bea, id));
    await given.timer(bea);
    return { ana, bea, cem, keys };
  }

  it('ends all that the user can do, or nothing', { timeout: 240_000 }, async () => {
    const run = async (death?: Death) => {
      const { ana, bea, cem, keys } = await scene();
      const owner = { organizationId: ana.organization.id, userId: bea.userId };
      const { writes } = await mayDie(death, () => removeUser(owner.organizationId, owner.userId));
      const isRemoved = (await readUser(owner.organizationId, owner.userId)).status === 'removed';
      const listed: string[] = (await ana.get('/v1/api-keys')).body.data.map((key: Json) => key.id);
      expect(listed).toHaveLength(isRemoved ? 2 : KEYS + 2);
      expect(listed).toContain(cem.keyId);
      expect((await findUser(owner.organizationId, 'bea')) === undefined).toBe(isRemoved);
      expect((await findRunningSession(owner)) === undefined).toBe(isRemoved);
      for (const key of keys) expect(await itemsOfKey(key)).toBeOneOf(death ? [0, 3] : [0]);
      const statuses = await Promise.all(keys.map(async (key) => (await key.get('/v1/me')).status));
      expect(new Set(statuses)).toEqual(new Set([isRemoved ? 401 : 200]));
      expect((await cem.get('/v1/me')).status).toBe(200);
      if (!isRemoved) await removeUser(owner.organizationId, owner.userId);
      await expect(removeUser(owner.organizationId, owner.userId)).rejects.toMatchObject({ code: 'user_removed' });
      const told = await eventsOf(ana, 0, { type: 'user.removed' });
      expect(told.map(({ data }) => data.object.id)).toEqual([bea.userId]);
      await given.colleague(ana, { name: 'Bea', email: 'bea@acme.example' });
      return { writes, isRemoved };
    };
    const { writes } = await run();
    expect(writes).toBe(2);
    const outcomes: boolean[] = [];
    for (const death of deathsOf(writes)) outcomes.push((await run(death)).isRemoved);
    expect(outcomes).toEqual([false, true, true]);
  });
});
