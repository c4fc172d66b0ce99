import { describe, expect, it } from 'vitest';
import { reviseOrganization, sellerOf } from '#shared/domain/organization/organization.ts';
import { organizationOf } from '#test/support/organization.ts';
import { problem } from '#test/support/refusals.ts';

const acme = organizationOf({ city: 'Hamburg', paymentTermsDays: 14, currency: 'EUR' });

const now = new Date('2026-11-21T00:00:00.000Z');

describe('a change of the organization', () => {
  it('changes what is sent, clears what is null, and says when', () => {
    expect(reviseOrganization(acme, { name: 'Acme & Co', city: null, locale: 'de' }, now)).toEqual({
      ...acme,
      name: 'Acme & Co',
      city: null,
      locale: 'de',
      updatedAt: '2026-11-21T00:00:00.000Z',
    });
  });

  it('is none where all of it is so already', () => {
    expect(reviseOrganization(acme, { city: 'Hamburg', region: null, paymentTermsDays: 14 }, now)).toBe(acme);
  });

  it('compares an electronic address by what it says', () => {
    const at = (id: string) => ({ electronicAddress: { scheme: 'EM', id } });
    const told = reviseOrganization(acme, at('ada@acme.example'), now);
    expect(told).toEqual({ ...acme, ...at('ada@acme.example'), updatedAt: now.toISOString() });
    expect(reviseOrganization(told, at('ada@acme.example'), new Date())).toBe(told);
    expect(reviseOrganization(told, at('bob@acme.example'), now)).toMatchObject(at('bob@acme.example'));
  });

  it.each([
    ['2026-11-21', null, true],
    ['2026-11-22', null, false],
    ['2026-11-22', 'Pacific/Kiritimati', false],
    ['2026-11-20', 'America/New_York', true],
    ['2026-11-21', 'America/New_York', false],
  ])('that closes a period up to %s, in the zone %s, is one up to today: %s', (lockedThrough, timeZone, isTaken) => {
    const change = () => reviseOrganization(acme, { lockedThrough, timeZone }, now).lockedThrough;
    if (isTaken) expect(change()).toBe(lockedThrough);
    else expect(change).toThrow(problem('invalid_date_range'));
  });

  it('leaves a closed period as it is in a zone where its last day has not come', () => {
    const closed = { ...acme, lockedThrough: '2026-11-21' };
    expect(reviseOrganization(closed, { timeZone: 'America/New_York' }, now)).toMatchObject({
      lockedThrough: '2026-11-21',
      timeZone: 'America/New_York',
    });
  });

  it.each([[{ name: 'ACME' }], [{ paymentTermsDays: 0 }], [{ region: '' }]])('is one with %o', (changes) => {
    expect(reviseOrganization(acme, changes, now)).toEqual({ ...acme, ...changes, updatedAt: now.toISOString() });
  });
});

it('the seller of an invoice has copies of what invoices show, and nothing else that comes with the organization', () => {
  const stored = { ...acme, version: 3 };
  const seller = sellerOf(stored);
  expect(acme).toMatchObject(seller);
  expect(['id', 'currency', 'paymentTermsDays', 'version'].filter((member) => member in seller)).toEqual([]);
});
