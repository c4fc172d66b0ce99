import { describe, expect, it } from 'vitest';
import {
  difference,
  eventsExpired,
  invalidSequence,
  isWanted,
  mayRead,
  type NumberedEvent,
  plusEvents,
} from '#shared/domain/events/event.ts';
import { EVENT_TYPES } from '#shared/domain/events/event-types.ts';
import { actorOf, entriesHappening, happening, SCHEDULE } from '#shared/domain/events/happening.ts';
import { presentEvent, presentPage } from '#shared/domain/events/present-event.ts';
import { SCOPES, type Scope } from '#shared/domain/keys/scopes.ts';

/** By what its types begin with: the scopes that read an event. */
const READ_BY: Readonly<Record<string, readonly Scope[]>> = {
  product: ['products:read'],
  client: ['clients:read'],
  project: ['tracker:read'],
  entry: ['tracker:read'],
  timer: ['tracker:read'],
  entries: ['tracker:read', 'tracker:remote'],
  import: ['tracker:remote'],
  remote: ['tracker:remote'],
  invoice: ['invoices:read'],
  payment: ['invoices:read'],
  credit_note: ['invoices:read'],
  user: ['tracker:read'],
  api_key: ['keys:read'],
  organization: SCOPES,
};

const familyOf = (type: string) => type.split('.')[0] ?? '';

it.each(EVENT_TYPES)('%s is read by the scopes of its object alone', (type) => {
  const reading = SCOPES.filter((scope) => mayRead([scope], { type }));
  expect(reading.toSorted()).toEqual(READ_BY[familyOf(type)]?.toSorted());
  expect(mayRead([], { type })).toBe(familyOf(type) === 'organization');
  expect(mayRead(SCOPES, { type })).toBe(true);
});

it.each(EVENT_TYPES)('%s is wanted by its name, and by its family', (type) => {
  const families = Object.keys(READ_BY).map((family) => `${family}.*`);
  expect(families.filter((family) => isWanted({ type }, [family]))).toEqual([`${familyOf(type)}.*`]);
  expect(EVENT_TYPES.filter((other) => isWanted({ type }, [other]))).toEqual([type]);
  expect(isWanted({ type }, undefined)).toBe(true);
});

describe('an event', () => {
  it('keeps the ids of what its object belongs to, where its type has them', () => {
    const object = { id: '1', projectId: '2', clientId: null, invoiceId: '3', description: 'Work' };
    expect(happening('entry.created', object).object).toEqual({ id: '1', projectId: '2' });
    expect(happening('entry.deleted', { ...object, clientId: '4' }).object).toEqual({
      id: '1',
      projectId: '2',
      clientId: '4',
    });
    for (const type of ['payment.deleted', 'credit_note.created'] as const) {
      expect(happening(type, object).object).toEqual({ id: '1', invoiceId: '3' });
    }
    expect(happening('project.updated', object).object).toEqual({ id: '1' });
  });

  it('of an import names the entries of its transaction', () => {
    const written = [{ id: '1' }, { id: '2' }];
    const happened = { type: 'entries.imported', object: { id: 'job' }, entryIds: ['1', '2'] };
    expect(entriesHappening('entries.imported', { id: 'job' }, written)).toEqual(happened);
  });

  it('says who acted, and how', () => {
    const acting = { userId: '2' };
    expect(actorOf({ ...acting, keyId: '3' })).toEqual({ userId: '2', keyId: '3', via: 'api_key' });
    expect(actorOf({ ...acting, keyId: null })).toEqual({ userId: '2', keyId: null, via: 'sign_in' });
  });
});

it('events are counted by their types, and taken from each count', () => {
  const counts = plusEvents(
    { 'client.created': 3 },
    ['client.created', 'timer.started', 'timer.started'].map((type) => ({ type })),
  );
  expect(counts).toEqual({ 'client.created': 4, 'timer.started': 2 });
  expect(difference(counts, { 'client.created': 3 })).toEqual({ 'client.created': 1, 'timer.started': 2 });
});

it('a number before the oldest event or behind the newest is refused with that', () => {
  expect(eventsExpired(7)).toMatchObject({
    code: 'events_expired',
    details: { detail: expect.stringContaining('has the number 7.'), extensions: { oldest: 7 } },
  });
  const message = 'Expected at most 9, the number of the newest event.';
  const errors = [{ path: 'after', message, code: 'invalid_sequence' }];
  expect(invalidSequence(9)).toMatchObject({ code: 'invalid_sequence', details: { detail: message, errors } });
});

describe('a page', () => {
  const imported = (i: number): NumberedEvent => {
    const entryIds = Array.from({ length: 100 }, () => '019aa2f5-2000-7a10-9b1c-2d3e4f5a6b7c');
    const of = { id: String(i), type: 'entries.imported', object: { id: '1' }, entryIds } as const;
    return { ...of, sequence: i + 1, timestamp: '2026-11-20T09:30:00.000Z', actor: SCHEDULE };
  };
  const events = Array.from({ length: 100 }, (_, i) => imported(i));
  const reading = { events, last: 120, oldest: 1, hasMore: false };

  it('ends where it would be too long, and goes on there', () => {
    const { data, meta } = presentPage(reading, () => true);
    expect(meta).toEqual({ next: data.length, hasMore: true, oldest: 1 });
  });

  it.each([0, 1])('of 199,000 bytes is whole, and with %i more it ends before', (more) => {
    const [first, second] = [{ ...imported(0), id: '' }, imported(1)];
    const bytes = JSON.stringify([first, second].map(presentEvent)).length - 1;
    const long = { ...first, id: 'x'.repeat(199_000 - bytes + more) };
    const { data, meta } = presentPage({ ...reading, events: [long, second] }, () => true);
    expect([data.length, meta.hasMore]).toEqual(more === 0 ? [2, false] : [1, true]);
  });

  it('has of an event what callers may see, with the ids of its entries', () => {
    const { id, sequence, timestamp, actor, entryIds } = imported(4);
    const shown = { id, sequence, type: 'entries.imported', timestamp };
    const object = { type: 'import', id: '1' };
    expect(presentEvent(imported(4))).toEqual({ ...shown, data: { object, actor, entryIds } });
  });

  it('passes what is not shown, to its end', () => {
    const { data, meta } = presentPage(reading, ({ sequence }) => sequence % 10 === 0);
    expect(data.map(({ sequence }) => sequence)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(meta).toEqual({ next: 120, hasMore: false, oldest: 1 });
  });
});
