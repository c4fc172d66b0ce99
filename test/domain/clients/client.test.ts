import { describe, expect, it } from 'vitest';
import { newClient, reviseClient } from '#shared/domain/clients/client.ts';

const createdAt = new Date('2026-11-20T09:30:00.000Z');
const later = new Date('2026-11-21T09:30:00.000Z');
const client = newClient({ name: 'Northwind', city: 'Berlin' }, 'org', 'id', createdAt);

describe('a client', () => {
  it('starts with what is known and nothing else', () => {
    const { id, organizationId, name, city, metadata, createdAt: created, updatedAt, ...rest } = client;
    expect({ id, organizationId, name, city, metadata }).toEqual({
      id: 'id',
      organizationId: 'org',
      name: 'Northwind',
      city: 'Berlin',
      metadata: {},
    });
    expect([created, updatedAt]).toEqual(Array(2).fill(createdAt.toISOString()));
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });

  it('changes only where a change was sent', () => {
    const revised = reviseClient(client, { city: null, phone: '1' }, later);
    expect(revised).toEqual({ ...client, city: null, phone: '1', updatedAt: later.toISOString() });
    expect(reviseClient(client, {}, later)).toBe(client);
  });
});
