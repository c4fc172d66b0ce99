import { describe, expect, it } from 'vitest';
import { newClient, reviseClient } from '#shared/domain/clients/client.ts';
import { isCountry } from '#shared/domain/country.ts';

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

describe('a country code', () => {
  it('is one of the 249 of ISO 3166-1, in any case', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry);
    expect(codes).toHaveLength(249);
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
    expect(codes.filter((code) => names.of(code) === undefined)).toEqual([]);
    expect(['de', 'Gb', 'US'].every(isCountry)).toBe(true);
    expect(['UK', 'EU', 'XX', 'ZZ', '', 'DEU', 'ıt'].some(isCountry)).toBe(false);
  });
});
