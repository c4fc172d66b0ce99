import { describe, expect, it } from 'vitest';
import { isWanted, mayRead, type NumberedEvent } from '#shared/domain/events/event.ts';
import { EVENT_TYPES } from '#shared/domain/events/event-types.ts';
import { actorOf, happening, SCHEDULE } from '#shared/domain/events/happening.ts';
import { presentPage } from '#shared/domain/events/present-event.ts';
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
    expect(happening('payment.deleted', object).object).toEqual({ id: '1', invoiceId: '3' });
    expect(happening('project.updated', object).object).toEqual({ id: '1' });
  });

  it('says who acted, and how', () => {
    const acting = { userId: '2' };
    expect(actorOf({ ...acting, keyId: '3' })).toEqual({ userId: '2', keyId: '3', via: 'api_key' });
    expect(actorOf({ ...acting, keyId: null })).toEqual({ userId: '2', keyId: null, via: 'sign_in' });
  });
});

describe('a page', () => {
  const events = Array.from({ length: 100 }, (_, i): NumberedEvent => {
    const entryIds = Array.from({ length: 100 }, () => '019aa2f5-2000-7a10-9b1c-2d3e4f5a6b7c');
    const of = { id: String(i), type: 'entries.imported', object: { id: '1' }, entryIds } as const;
    return { ...of, sequence: i + 1, timestamp: '2026-11-20T09:30:00.000Z', actor: SCHEDULE };
  });
  const reading = { events, last: 120, oldest: 1, hasMore: false };

  it('ends where it would be longer than 200 KB, and goes on there', () => {
    const { data, meta } = presentPage(reading, () => true);
    expect(meta).toEqual({ next: data.length, hasMore: true, oldest: 1 });
    const bytes = JSON.stringify({ data, meta }).length;
    expect(bytes).toBeLessThanOrEqual(200_000);
    expect(bytes + JSON.stringify(data[0]).length).toBeGreaterThan(199_000);
  });

  it('passes what is not shown, to its end', () => {
    const { data, meta } = presentPage(reading, ({ sequence }) => sequence % 10 === 0);
    expect(data.map(({ sequence }) => sequence)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(meta).toEqual({ next: 120, hasMore: false, oldest: 1 });
  });
});
