import { v7 as uuidV7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { listEvents } from '#shared/contract/events/list-events.ts';
import { readFeed } from '#shared/data/events/feed.ts';
import { EVENT_FAMILIES } from '#shared/domain/events/event.ts';
import { EVENT_TYPES } from '#shared/domain/events/event-types.ts';
import { happening } from '#shared/domain/events/happening.ts';
import type { Scope } from '#shared/domain/keys/scopes.ts';
import { eventsOf, happenedSince, presentEnd } from '#test/support/events.ts';
import { givenPages, happen, recordEach } from '#test/support/feeds.ts';
import { given } from '#test/support/given.ts';
import { newPerson } from '#test/support/person.ts';
import { faultsOfQuery } from '#test/support/refusals.ts';

const DAYS_MILLISECONDS = 86_400_000;

const daysAgo = (days: number) => new Date(Date.now() - days * DAYS_MILLISECONDS);

/** One of each type, in the order of the list. */
async function happenOfEachType(organizationId: string): Promise<void> {
  const id = uuidV7();
  const happenings = EVENT_TYPES.map((type) => ({
    ...happening(type, { id, invoiceId: id }),
    ...(type.startsWith('entries.') && { entryIds: [uuidV7()] }),
  }));
  await recordEach(organizationId, [happenings]);
}

describe('GET /v1/events', () => {
  it('answers what has happened, oldest first, under numbers without gaps', async () => {
    const ana = await given.user();
    const after = await presentEnd(ana);
    const product = (await ana.post('/products', { name: 'Consulting', price: '19.90' })).body.data;
    await ana.patch(`/products/${product.id}`, { price: '20.00' });
    await ana.patch(`/products/${product.id}`, { price: '20.00' });
    await ana.delete(`/products/${product.id}`);
    const events = await eventsOf(ana, after);
    expect(events.map(({ sequence, type }) => [sequence - after, type])).toEqual([
      [1, 'product.created'],
      [2, 'product.updated'],
      [3, 'product.deleted'],
    ]);
    expect(events[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      sequence: after + 1,
      type: 'product.created',
      timestamp: product.createdAt,
      data: {
        object: { type: 'product', id: product.id },
        actor: { userId: ana.userId, keyId: ana.keyId, via: 'api_key' },
      },
    });
    expect(await eventsOf(ana, after)).toEqual(events);
  });

  it('answers events of every type, as the document says', async () => {
    const ana = await given.user();
    await happenOfEachType(ana.organization.id);
    const events = await eventsOf(ana);
    expect(events.map(({ type }) => type)).toEqual(EVENT_TYPES);
  });

  it('answers nothing and the present end where nothing has happened, or from the latest on', async () => {
    const ana = await given.user();
    const { organization } = ana;
    expect((await ana.get('/v1/events')).body).toEqual({ data: [], meta: { next: 0, hasMore: false, oldest: 1 } });
    await happen(organization.id, 3);
    const meta = { next: 3, hasMore: false, oldest: 1 };
    expect((await ana.get('/v1/events', { limit: 3 })).body.meta).toEqual(meta);
    expect((await ana.get('/v1/events', { after: 'latest' })).body).toEqual({ data: [], meta });
    expect((await ana.get('/v1/events', { after: '3' })).body).toEqual({ data: [], meta });
    expect((await ana.get('/v1/events', { limit: 2 })).body.meta).toEqual({ ...meta, next: 2, hasMore: true });
  });

  it.each([
    ['after', ['-1', '1.5', 'x', '', 'Latest', '00000000000000001', '9999999999999999']],
    [
      'type',
      ['', 'quote.sent', 'product', 'quote.*', '*', 'product.created,product.created', 'product.*,', ' product.*'],
    ],
  ])('refuses another %s', (name, values) => {
    for (const value of values)
      expect(faultsOfQuery(listEvents, { [name]: value })).toEqual([expect.objectContaining({ path: name })]);
  });

  it('takes up to 20 types', () => {
    const types = (count: number) => EVENT_TYPES.slice(0, count).join(',');
    expect(faultsOfQuery(listEvents, { type: types(20) })).toEqual([]);
    expect(faultsOfQuery(listEvents, { type: types(21) })).toHaveLength(1);
    expect(faultsOfQuery(listEvents, { type: EVENT_FAMILIES.join(',') })).toEqual([]);
  });

  it('answers 400 behind the present end', async () => {
    const ana = await given.user();
    await happen(ana.organization.id, 2);
    const { status, body } = await ana.get('/v1/events', { after: '3' });
    expect([status, body.code, body.detail]).toEqual([400, 'invalid_sequence', expect.stringContaining('at most 2,')]);
    expect((await ana.get('/v1/events', { after: '2' })).status).toBe(200);
  });

  it('answers 410 with the number of the oldest event where those behind a number have expired, or were cut', async () => {
    const [ana, bea] = [await given.user(), await given.user()];
    await givenPages(ana.organization.id, 2, daysAgo(1));
    await readFeed(bea.organization.id, undefined, 1, daysAgo(9));
    await happen(bea.organization.id, 5, daysAgo(8));
    for (const [by, oldest] of [[ana, 101] as const, [bea, 2] as const]) {
      const { status, body } = await by.get('/v1/events', { after: oldest - 2 });
      expect({ status, code: body.code, oldest: body.oldest }).toEqual({ status: 410, code: 'events_expired', oldest });
      const { body: begun } = await by.get('/v1/events', { after: 'latest' });
      expect(begun).toEqual({ data: [], meta: { next: oldest - 1, hasMore: false, oldest } });
      expect((await by.get('/v1/events', { after: oldest - 1 })).body).toEqual(begun);
    }
  });

  it('answers events of the types and families that are asked for alone', async () => {
    const ana = await given.user();
    await happenOfEachType(ana.organization.id);
    const typesFor = async (type: string) => (await eventsOf(ana, 0, { type })).map((event) => event.type);
    expect(await typesFor('product.*')).toEqual(['product.created', 'product.updated', 'product.deleted']);
    expect(await typesFor('invoice.sent,payment.*')).toEqual(['invoice.sent', 'payment.created', 'payment.deleted']);
    const { body } = await ana.get('/v1/events', { type: 'client.*', limit: 3 });
    expect(body).toEqual({ data: [], meta: { next: 3, hasMore: true, oldest: 1 } });
  });

  it('answers nobody else', async () => {
    const [ana, eve] = [await given.user(), await given.user()];
    await given.product(ana);
    await given.product(eve);
    expect(await happenedSince(eve, 0)).toHaveLength(1);
    expect(JSON.stringify(await eventsOf(eve))).not.toContain(ana.organization.id);
  });
});

describe('the rights of a caller', () => {
  const seenWith = async (scopes: readonly Scope[]) => {
    const { organization } = await given.user();
    await happenOfEachType(organization.id);
    const events = await eventsOf(await given.user({ organization, scopes }));
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map(({ type }) => EVENT_TYPES.indexOf(type) + 1));
    return [...new Set(events.map(({ type }) => `${type.split('.')[0]}.*`))];
  };

  it('show events of what it may read, whose numbers are those of all', async () => {
    expect(await seenWith(['events:read'])).toEqual(['organization.*']);
    const ofTracker = ['project.*', 'entry.*', 'timer.*', 'entries.*', 'user.*', 'organization.*'];
    expect(await seenWith(['events:read', 'tracker:read'])).toEqual(ofTracker);
  });

  it('are those of a member who has signed in', async () => {
    const { organization } = await given.user();
    await happenOfEachType(organization.id);
    const member = await newPerson(organization, 'member');
    const events = await eventsOf(member.in(organization.id));
    const types = new Set(events.map(({ type }) => type.split('.')[0]));
    expect([...types]).toEqual(['product', 'client', 'project', 'entry', 'timer', 'entries', 'user', 'organization']);
    const { status, body } = await (await given.user({ organization, scopes: ['products:read'] })).get('/v1/events');
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'insufficient_scope' });
  });
});
