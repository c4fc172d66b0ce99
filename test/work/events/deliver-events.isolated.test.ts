import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readFeed } from '#shared/data/events/feed.ts';
import { readToldWebhooks } from '#shared/data/events/told-webhooks.ts';
import { findWebhook, readWebhook } from '#shared/data/events/webhooks.ts';
import { feedKey, outboxPartition } from '#shared/data/layout/keys.ts';
import { happening } from '#shared/domain/events/happening.ts';
import type { Webhook } from '#shared/domain/events/webhook.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { deliverEvents } from '#shared/work/events/deliver-events.ts';
import { asFunction } from '#test/support/api.ts';
import type { Reply } from '#test/support/client.ts';
import { deleteOrganization, erase, itemsOf } from '#test/support/deletions.ts';
import { follow, givenPages, happen, recordEach, upTo } from '#test/support/feeds.ts';
import { given, type User } from '#test/support/given.ts';
import { type Death, deathsOf, mayDie, useKilling } from '#test/support/kill.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { answering, type Behaviour, givenReceiver, shortenAttempts } from '#test/support/receiver.ts';
import { WAITS_SECONDS } from '#test/support/waits.ts';
import { type StoredOwner, storedWebhook } from '#test/support/webhooks.ts';

/** The worker in this process, for webhooks of which no queue was told. Of its clock, tests move the date alone. */

useKilling();
const own = useOwnCloud();

/** So that no queue starts a second worker beside this one, until the test is over. */
const loseMessages = () => own.loseMessages().lost;

const stopTheClock = () => vi.useFakeTimers({ toFake: ['Date'] });

const HOUR = 3_600_000;

const NOBODY = { userId: uuidV7(), keyId: null, scopes: SCOPES };

const deliver = ({ organizationId, id: webhookId }: StoredOwner, death?: Death, milliseconds?: number) =>
  mayDie(death, () =>
    asFunction(
      'deliver-events',
      (context) => deliverEvents({ organizationId, webhookId, from: 0 }, () => context.getRemainingTimeInMillis()),
      milliseconds,
    ),
  );

const present = ({ organizationId, id }: StoredOwner) => readWebhook(organizationId, id);

async function scene(behaviour?: Behaviour, values?: Partial<Webhook>) {
  const ana = await given.user();
  const receiver = await givenReceiver(behaviour);
  const owner = await storedWebhook(ana, receiver.url, values);
  await happen(owner.organizationId, 7);
  return { ana, receiver, owner };
}

/** An event of another type than those before. */
const addClient = ({ organizationId }: StoredOwner) =>
  recordEach(organizationId, [[happening('client.created', { id: uuidV7() })]]);

describe('a worker that dies', () => {
  /** Numbering the feed, and keeping the position behind each event. */
  const WRITES = 11;

  it('makes so many writes', async () => {
    const { owner } = await scene();
    expect((await deliver(owner)).writes).toBe(WRITES);
  });

  it.each(deathsOf(WRITES))('$moment its write $write leaves all to the next one, in order', async (death) => {
    const { owner, receiver } = await scene();
    await deliver(owner, death);
    await deliver(owner);
    const sequences = receiver.sequences();
    expect([...new Set(sequences)]).toEqual(upTo(7));
    expect(sequences.toSorted((a, b) => a - b)).toEqual(sequences);
    expect(sequences.length).toBeLessThanOrEqual(8);
    expect(await present(owner)).toMatchObject({ after: 7, status: 'active', failures: 0 });
  });

  it.each(deathsOf(2))('$moment write $write of a failure tries the same event again', async (death) => {
    const { owner, receiver } = await scene(answering(500));
    await readFeed(owner.organizationId, 0, 50, new Date());
    stopTheClock();
    await deliver(owner, death);
    receiver.behaveLike(answering(200));
    vi.setSystemTime(Date.now() + 6_000);
    await deliver(owner);
    expect(receiver.sequences()).toEqual([1, ...upTo(7)]);
  });

  it.each<[string, Partial<Webhook>, object]>([
    ['leaves paused what has no maker any more', { maker: NOBODY }, { status: 'paused', after: 0 }],
    ['passes over what is not wanted', { types: ['client.*'] }, { status: 'active', after: 7 }],
  ])('before or after its only write %s', async (_, values, left) => {
    for (const death of deathsOf(1)) {
      const { owner, receiver } = await scene(undefined, values);
      await readFeed(owner.organizationId, 0, 50, new Date());
      expect(await deliver(owner, death)).toEqual({ writes: 1, outcome: 'killed' });
      await deliver(owner);
      expect(await present(owner)).toMatchObject(left);
      expect(receiver.deliveries).toEqual([]);
    }
  });
});

describe('a worker whose message names a moment', () => {
  it('reads neither the feed nor what the webhook wants before', async () => {
    const { owner, receiver } = await scene();
    const reads: number[] = [];
    const end = own.cloud.intercept(({ service, requestBody }) => {
      // What the tests before have left to the queue is read beside it.
      if (service === 'dynamodb' && requestBody.includes(owner.organizationId)) reads.push(Date.now());
      return undefined;
    });
    const from = Date.now() + 500;
    await asFunction('deliver-events', () =>
      deliverEvents({ organizationId: owner.organizationId, webhookId: owner.id, from }, () => 60_000),
    );
    end();
    expect(reads.filter((at) => at < from)).toHaveLength(1);
    expect(receiver.sequences()).toEqual(upTo(7));
  });

  it('waits for nothing where nothing is sent: the webhook stands still, or is gone', async () => {
    const { owner } = await scene(undefined, { status: 'paused' });
    const begun = Date.now();
    for (const webhookId of [owner.id, uuidV7()]) {
      const message = { organizationId: owner.organizationId, webhookId, from: begun + 60_000 };
      await asFunction('deliver-events', () => deliverEvents(message, () => 60_000));
    }
    expect(Date.now() - begun).toBeLessThan(5_000);
  });
});

describe('a worker whose time is up', () => {
  it.each([
    [22_999, 'product.*', [], 0],
    [22_999, 'client.*', [], 0],
    [23_000, 'product.*', upTo(7), 7],
  ])(
    'begins an attempt, which takes 15 s, or passes over others only with 8 s more: %d ms, %s',
    async (left, type, sequences, after) => {
      const { owner, receiver } = await scene(undefined, { types: [type] });
      const message = { organizationId: owner.organizationId, webhookId: owner.id, from: 0 };
      loseMessages();
      await asFunction('deliver-events', () => deliverEvents(message, () => left));
      expect(receiver.sequences()).toEqual(sequences);
      expect(await present(owner)).toMatchObject({ after });
    },
  );

  it.each(deathsOf(1))('that dies $moment it sends a message leaves all to it or to its own', async (death) => {
    const { owner, receiver } = await scene();
    await readFeed(owner.organizationId, 0, 50, new Date());
    expect(await deliver(owner, death, 20_000)).toEqual({ writes: 1, outcome: 'killed' });
    // The queue delivers its own once the other is done.
    if (death.moment === 'after') await expect.poll(() => present(owner)).toMatchObject({ after: 7 });
    await deliver(owner);
    expect(receiver.sequences()).toEqual(upTo(7));
  });
});

describe('a feed that is longer than one reading', () => {
  const EVENTS = 100;

  it.each([
    [100, 3],
    [101, 4],
  ])(
    'arrives whole and in order, and is read by fifty events, and once behind them: %d in %d',
    async (events, expected) => {
      const { owner, receiver } = await scene();
      const { organizationId } = owner;
      await happen(organizationId, events - 7);
      await follow(organizationId);
      let readings = 0;
      const end = own.cloud.intercept(({ operation, requestBody }) => {
        if (operation === 'GetItem' && requestBody.includes(feedKey(organizationId).pk)) readings += 1;
        return undefined;
      });
      await deliver(owner);
      end();
      expect(receiver.sequences()).toEqual(upTo(events));
      expect(readings).toBe(expected);
    },
  );

  it('is passed over up to the one event that is wanted', async () => {
    const { owner, receiver } = await scene(undefined, { types: ['client.*'] });
    await happen(owner.organizationId, EVENTS - 7);
    await addClient(owner);
    await deliver(owner);
    expect(receiver.sequences()).toEqual([EVENTS + 1]);
    expect(await present(owner)).toMatchObject({ status: 'active', after: EVENTS + 1 });
  });
});

describe('a worker', () => {
  it('leaves no connection open, which its receiver would end', async () => {
    const { owner, receiver } = await scene();
    await deliver(owner);
    expect(receiver.sequences()).toHaveLength(7);
    await expect.poll(receiver.connections, { timeout: 2_000 }).toBe(0);
  });

  it('decrypts a secret once, however many events it signs', async () => {
    const { owner, receiver } = await scene();
    let decryptions = 0;
    const end = own.cloud.observe(({ operation, requestBody }) => {
      if (operation === 'Decrypt' && requestBody.includes(owner.organizationId)) decryptions += 1;
    });
    await deliver(owner);
    end();
    expect([receiver.sequences(), decryptions]).toEqual([upTo(7), 1]);
  });

  it('looks again each second for as long as its message says', async () => {
    const { owner, receiver } = await scene();
    const message = { organizationId: owner.organizationId, webhookId: owner.id, from: 0, until: Date.now() + 5_000 };
    const looking = asFunction('deliver-events', () => deliverEvents(message, () => 60_000));
    await expect.poll(() => present(owner)).toMatchObject({ after: 7 });
    await sleep(1_500);
    await happen(owner.organizationId, 1);
    await looking;
    expect(receiver.sequences()).toEqual(upTo(8));
  });

  it('reads again behind what it has passed over since its last attempt', async () => {
    const { owner, receiver } = await scene(
      async (response, attempt) => {
        if (attempt === 7) await happen(owner.organizationId, 1);
        response.writeHead(204).end();
      },
      { types: ['product.*'] },
    );
    await addClient(owner);
    await deliver(owner);
    expect(receiver.sequences()).toEqual([...upTo(7), 9]);
  });
});

describe('a receiver that fails', () => {
  it('is tried again after a time that is drawn', async () => {
    const { owner } = await scene(answering(500));
    loseMessages();
    vi.spyOn(Math, 'random').mockReturnValue(1);
    await deliver(owner);
    const { lastFailureAt, nextAttemptAt } = await present(owner);
    expect(Date.parse(nextAttemptAt ?? '') - Date.parse(lastFailureAt ?? '')).toBe(5_500);
  });

  it.each([
    [0, true],
    [1, false],
    [WAITS_SECONDS.length, false],
  ])(
    'is left to a message of that moment after its first failure, and else to the schedule: after %d before',
    async (failures, isTold) => {
      const { owner } = await scene(answering(500), { failures });
      const lost = loseMessages();
      await deliver(owner);
      const { nextAttemptAt } = await present(owner);
      const told = lost.filter((body) => body.includes(owner.id));
      const moments = told.map((body) => JSON.parse(JSON.parse(body).Entries[0].MessageBody).from);
      expect(new Set(moments)).toEqual(new Set(isTold ? [Date.parse(nextAttemptAt ?? '')] : []));
    },
  );

  it('at the first event that is wanted has passed over what came before', async () => {
    const { owner } = await scene(answering(500), { types: ['client.*'] });
    await addClient(owner);
    loseMessages();
    await deliver(owner);
    expect(await present(owner)).toMatchObject({ status: 'failing', after: 7 });
  });

  it('for an hour gets all events once it is back, each once and in order', async () => {
    const { owner, receiver } = await scene();
    stopTheClock();
    const isBackAt = Date.now() + HOUR;
    receiver.behaveLike((response) => response.writeHead(Date.now() < isBackAt ? 503 : 204).end());
    for (let at = Date.now(); !Number.isNaN(at); at = Date.parse((await present(owner)).nextAttemptAt ?? '')) {
      vi.setSystemTime(at);
      await deliver(owner);
    }
    expect(receiver.sequences()).toEqual([1, 1, 1, 1, ...upTo(7)]);
  });

  it('for days has ten attempts for one event, and then none until somebody wants them', async () => {
    const { ana, owner, receiver } = await scene(answering(503));
    stopTheClock();
    for (const failures of WAITS_SECONDS.keys()) {
      await deliver(owner);
      const webhook = await present(owner);
      expect(webhook).toMatchObject({ status: 'failing', failures: failures + 1, after: 0, lastFailure: 'http_5xx' });
      const nextAt = Date.parse(webhook.nextAttemptAt ?? '');
      vi.setSystemTime(nextAt - 1);
      await deliver(owner);
      expect(receiver.deliveries).toHaveLength(failures + 1);
      vi.setSystemTime(nextAt);
    }
    await deliver(owner);
    expect(await present(owner)).toMatchObject({ status: 'disabled', nextAttemptAt: null, after: 0 });
    expect(await readToldWebhooks(owner.organizationId)).toEqual([]);
    vi.setSystemTime(Date.now() + 24 * HOUR);
    await deliver(owner);
    expect(receiver.sequences()).toEqual(Array(WAITS_SECONDS.length + 1).fill(1));
    receiver.deliveries.length = 0;
    receiver.behaveLike(answering(200));
    loseMessages();
    await ana.patch(`/v1/webhooks/${owner.id}`, { status: 'active' });
    await deliver(owner);
    expect(receiver.sequences()).toEqual(upTo(7));
  });

  it('by its silence has its attempt ended after 15 seconds', async () => {
    const { owner, receiver } = await scene(() => {});
    shortenAttempts();
    await deliver(owner);
    expect(receiver.sequences()).toEqual([1]);
    expect(await present(owner)).toMatchObject({ status: 'failing', lastFailure: 'timeout' });
  });

  it('to end its answer has its events all the same, each a second after the one before', async () => {
    const { owner, receiver } = await scene((response) => response.writeHead(200).write('a'));
    shortenAttempts(1_000);
    await deliver(owner);
    expect(receiver.sequences()).toEqual(upTo(7));
  });
});

it('a receiver that cannot be reached has failed by what the way out says', async () => {
  const owner = await storedWebhook(await given.user(), 'https://10.0.0.1/');
  await happen(owner.organizationId, 1);
  await deliver(owner);
  const failed = { status: 'failing', failures: 1, after: 0, lastFailure: 'refused_address' };
  expect(await present(owner)).toMatchObject(failed);
});

describe.each([200, 500])('a change while an event is on its way that is answered %i', (status) => {
  type Change = (ana: User, path: string) => Promise<Reply>;

  async function changed(change: Change) {
    const { ana, owner, receiver } = await scene();
    loseMessages();
    receiver.behaveLike(async (response, attempt) => {
      if (attempt === 1) expect((await change(ana, `/v1/webhooks/${owner.id}`)).status).toBe(200);
      response.writeHead(attempt === 1 ? status : 204).end();
    });
    await deliver(owner);
    return { owner, receiver };
  }

  it.each<[string, Change, number[], object | undefined]>([
    ['a position', (ana, path) => ana.patch(path, { after: 5 }), [1, 6, 7], { status: 'active', after: 7 }],
    ['a pause', (ana, path) => ana.patch(path, { status: 'paused' }), [1], { status: 'paused', after: 0 }],
    ['types', (ana, path) => ana.patch(path, { types: ['client.*'] }), [1], { status: 'active', after: 7 }],
    ['its end', (ana, path) => ana.delete(path), [1], undefined],
    [
      'another secret',
      (ana, path) => ana.post(`${path}/rotate-secret`),
      [1, ...upTo(7)],
      { status: 'active', after: 7, secrets: [{}, {}] },
    ],
  ])('stands, and the attempt counts for nothing: %s', async (_, change, sequences, left) => {
    const { owner, receiver } = await changed(change);
    const { organizationId, id } = owner;
    expect(receiver.sequences()).toEqual(sequences);
    const found = await findWebhook(organizationId, id);
    if (left) expect(found).toMatchObject({ ...left, failures: 0, lastFailureAt: null });
    else expect(found).toBeUndefined();
    const isTold = found?.status === 'active';
    expect(await readToldWebhooks(organizationId)).toEqual(isTold ? [id] : []);
  });

  it('stands, and all arrive elsewhere: a URL', async () => {
    const elsewhere = await givenReceiver();
    const { owner, receiver } = await changed((ana, path) => ana.patch(path, { url: elsewhere.url }));
    expect(receiver.sequences()).toEqual([1]);
    expect(elsewhere.sequences()).toEqual(upTo(7));
    expect(await present(owner)).toMatchObject({ status: 'active', after: 7, failures: 0, lastFailureAt: null });
  });
});

describe('the rights of its maker', () => {
  async function heldScene({ expiresAt, hasSignedIn }: { expiresAt?: string; hasSignedIn?: boolean } = {}) {
    const [ana, receiver] = [await given.user(), await givenReceiver()];
    const maker = await given.user({ organization: ana.organization, expiresAt });
    const person = { userId: maker.userId, keyId: null, scopes: SCOPES };
    const owner = await storedWebhook(maker, receiver.url, hasSignedIn ? { maker: person } : {});
    await happen(owner.organizationId, 2);
    await deliver(owner);
    expect(receiver.sequences()).toEqual([1, 2]);
    return { ana, maker, owner, receiver };
  }

  type Scene = Awaited<ReturnType<typeof heldScene>>;

  async function expectPaused({ owner, receiver }: Scene): Promise<void> {
    await happen(owner.organizationId, 2);
    await deliver(owner);
    expect(receiver.sequences()).toEqual([1, 2]);
    expect(await present(owner)).toMatchObject({ status: 'paused', after: 2, nextAttemptAt: null });
  }

  const demote = ({ ana, maker }: Scene) => ana.patch(`/v1/users/${maker.userId}`, { role: 'member' });
  const remove = ({ ana, maker }: Scene) => ana.delete(`/v1/users/${maker.userId}`);

  it.each<[string, boolean, (scene: Scene) => Promise<Reply>]>([
    ['has lost its key', false, ({ ana, maker }) => ana.delete(`/v1/api-keys/${maker.keyId}`)],
    ['is a member', false, demote],
    ['was removed', false, remove],
    ['had signed in, and so needs no key, but is a member', true, demote],
    ['had signed in, and so needs no key, but was removed', true, remove],
  ])('pause it where the maker %s', async (_, hasSignedIn, lose) => {
    const held = await heldScene({ hasSignedIn });
    expect((await lose(held)).status).toBe(200);
    await expectPaused(held);
  });

  it('pause it where the key has expired', async () => {
    const held = await heldScene({ expiresAt: new Date(Date.now() + HOUR).toISOString() });
    stopTheClock();
    vi.setSystemTime(Date.now() + 2 * HOUR);
    await expectPaused(held);
  });

  it('count anew before each event', async () => {
    const { ana, owner, receiver } = await scene();
    const other = await given.user({ organization: ana.organization });
    receiver.behaveLike(async (response, attempt) => {
      if (attempt === 2) await other.delete(`/v1/api-keys/${ana.keyId}`);
      response.writeHead(204).end();
    });
    await deliver(owner);
    expect(receiver.sequences()).toEqual([1, 2]);
    expect(await present(owner)).toMatchObject({ status: 'paused', after: 2 });
  });

  /** Something changes after the webhook was looked at, and then something happens before the feed is read. */
  async function deliverAcross(held: Scene, change: () => Promise<unknown>): Promise<void> {
    const { organizationId } = held.owner;
    let isFirst = true;
    const end = own.cloud.intercept(async ({ operation, requestBody }) => {
      if (!isFirst || operation !== 'Query' || !requestBody.includes(outboxPartition(organizationId))) return undefined;
      isFirst = false;
      await change();
      await happen(organizationId, 1);
      return undefined;
    });
    onTestFinished(end);
    await deliver(held.owner);
  }

  it('count for what happens once they are lost', async () => {
    const held = await heldScene();
    await deliverAcross(held, () => held.ana.delete(`/v1/api-keys/${held.maker.keyId}`));
    expect(held.receiver.sequences()).toEqual([1, 2]);
    expect(await present(held.owner)).toMatchObject({ status: 'paused', after: 2 });
  });

  it('have what happens after a rotation signed with the new secret', async () => {
    const held = await heldScene();
    const { id, secret } = held.owner;
    held.receiver.deliveries.length = 0;
    await deliverAcross(held, () => held.ana.post(`/v1/webhooks/${id}/rotate-secret`, { graceHours: 0 }));
    expect(held.receiver.sequences()).toEqual([3]);
    expect(() => held.receiver.verify(secret)).toThrow();
  });

  it('end with the scopes that it had, whatever types are wanted', async () => {
    const ana = await given.user();
    const receiver = await givenReceiver();
    const maker = { userId: ana.userId, keyId: ana.keyId, scopes: ['events:read', 'clients:read'] } as const;
    const owner = await storedWebhook(ana, receiver.url, { maker });
    await happen(owner.organizationId, 3);
    await deliver(owner);
    expect(await present(owner)).toMatchObject({ status: 'active', after: 3 });
    expect(receiver.deliveries).toEqual([]);
  });
});

describe('a webhook that stands still', () => {
  it('for so long that its next events have expired is paused, and gets none', async () => {
    const [ana, receiver] = [await given.user(), await givenReceiver()];
    const owner = await storedWebhook(ana, receiver.url);
    await givenPages(owner.organizationId, 2, new Date(Date.now() - HOUR));
    await happen(owner.organizationId, 1);
    await deliver(owner);
    expect(await present(owner)).toMatchObject({ status: 'paused', after: 0, nextAttemptAt: null });
    expect(receiver.deliveries).toEqual([]);
  });

  it('has its feed read once a day, so that it is not cut', async () => {
    const { owner, receiver } = await scene(undefined, { status: 'paused' });
    await deliver(owner);
    expect(receiver.deliveries).toEqual([]);
    expect((await readFeed(owner.organizationId, 0, 50, new Date(Date.now() + 8 * 86_400_000))).events).toHaveLength(7);
  });
});

describe('an organization that is being deleted', () => {
  it.each(['active', 'paused'] as const)('sends and writes nothing more for one that is %s', async (status) => {
    const { owner, receiver } = await scene(undefined, { status });
    await (await given.platform()).delete(`/v1/organizations/${owner.organizationId}`);
    expect((await deliver(owner)).writes).toBe(0);
    expect(receiver.deliveries).toEqual([]);
  });

  it('is sent nothing more where this begins while an event is on its way', async () => {
    const { ana, owner, receiver } = await scene();
    await readFeed(owner.organizationId, 0, 50, new Date());
    receiver.behaveLike(async (response, attempt) => {
      if (attempt === 1) await deleteOrganization(ana);
      response.writeHead(204).end();
    });
    // The position behind this event.
    expect((await deliver(owner)).writes).toBe(1);
    expect(receiver.sequences()).toEqual([1]);
  });

  it('has nothing written back where it is gone before the answer', async () => {
    const { ana, owner, receiver } = await scene();
    receiver.behaveLike(async (response) => {
      await deleteOrganization(ana);
      await erase(ana);
      response.writeHead(204).end();
    });
    await deliver(owner);
    expect(receiver.sequences()).toEqual([1]);
    expect((await itemsOf(ana)).own).toEqual([]);
  });
});
