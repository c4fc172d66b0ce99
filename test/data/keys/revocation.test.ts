import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { recordAll } from '#shared/data/events/outbox.ts';
import { getApiKey, issueApiKey } from '#shared/data/keys/api-keys.ts';
import { deleteLeftovers, removeApiKey } from '#shared/data/keys/revocation.ts';
import { happening, PLATFORM } from '#shared/domain/events/happening.ts';
import { hashApiKey } from '#shared/domain/keys/api-key.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { eventsOf } from '#test/support/events.ts';
import { given, User } from '#test/support/given.ts';
import { type Death, deathsOf, mayDie, useKilling } from '#test/support/kill.ts';
import { useLog } from '#test/support/log.ts';
import { itemsOfKey } from '#test/support/stored.ts';

const { written, recordLog } = useLog();

it('what is left of keys that ended is logged, and fails nobody', async () => {
  recordLog();
  await deleteLeftovers('home', () => Promise.reject(new Error('made for a test')));
  const left = /"items of revoked keys are left".*"organizationId":"home".*"made for a test"/;
  expect(written).toEqual([expect.stringMatching(left)]);
});

describe('a revocation, wherever the function dies', () => {
  useKilling();

  /** More than one transaction ends, beside that of the key itself. */
  const MADE = 35;

  /** A key that nobody has used yet: no function holds its tokens. */
  async function made(by: User, maker: User): Promise<User> {
    const { id: organizationId } = by.organization;
    const familyHash = hashApiKey(by.apiKey);
    const of = { organizationId, userId: by.userId, createdByKeyId: maker.keyId, familyHash };
    const limits = { scopes: SCOPES, rateLimit: 1_000, expiresAt: null };
    return new User(
      by.organization,
      await issueApiKey({ id: uuidV7(), name: 'Made', ...of, ...limits }, new Date(), async () => []),
    );
  }

  it('ends the key and all that came from it, or nothing, and no other, and leaves an event of each', {
    timeout: 240_000,
  }, async () => {
    const run = async (death?: Death) => {
      const ana = await given.user();
      const [revoked, sibling] = [await made(ana, ana), await made(ana, ana)];
      const family = [revoked, await made(ana, revoked)];
      while (family.length <= MADE) family.push(await made(ana, family[1] ?? revoked));
      const { id: organizationId } = ana.organization;
      const listing = await getApiKey(organizationId, revoked.keyId);
      const revoke = () =>
        removeApiKey(listing, new Date(), async (ended) =>
          recordAll(
            organizationId,
            PLATFORM,
            new Date(),
            ended.map((key) => happening('api_key.revoked', key)),
          ),
        );
      const { writes } = await mayDie(death, revoke);
      const statuses = await Promise.all(family.map(async (key) => (await key.get('/v1/me')).status));
      const isRevoked = statuses[0] === 401;
      expect(new Set(statuses)).toEqual(new Set([isRevoked ? 401 : 200]));
      expect((await ana.get('/v1/api-keys')).body.meta.total).toBe(isRevoked ? 2 : family.length + 2);
      for (const key of family) expect(await itemsOfKey(key)).toBeOneOf(death ? [0, 3] : [0]);
      for (const key of [ana, sibling])
        expect([(await key.get('/v1/me')).status, await itemsOfKey(key)]).toEqual([200, 3]);
      if (!isRevoked) await revoke();
      await expect(revoke()).rejects.toMatchObject({ code: 'not_found' });
      const told = (await eventsOf(ana, 0, { type: 'api_key.revoked' })).map(({ data }) => data.object.id);
      expect(told.toSorted()).toEqual(family.map(({ keyId }) => keyId).toSorted());
      return { writes, isRevoked };
    };
    const { writes } = await run();
    expect(writes).toBeGreaterThan(2);
    const outcomes: boolean[] = [];
    for (const death of deathsOf(writes)) outcomes.push((await run(death)).isRevoked);
    expect(outcomes).toEqual([false, ...Array.from({ length: writes }, () => true)]);
  });
});
