import { describe, expect, it } from 'vitest';
import { notLinkable, type Person, theOnly } from '#shared/domain/person.ts';

const ana: Person = { issuer: 'https://issuer.example', subject: '1', email: 'ana@acme.example', hasEmail: true };

describe('a person who is no user', () => {
  it.each([
    [ana, true, 'Your link to one has ended.'],
    [ana, false, 'No active user has your email.'],
    [{ ...ana, email: null }, false, 'Your email is not verified: the claim email_verified of your token is not true.'],
    [{ ...ana, email: null, hasEmail: false }, false, 'Your token has no email.'],
  ])('is told why: %o, linked before: %s', (person, wasLinked, why) => {
    const detail = `You are no user of this organization. ${why}`;
    expect(notLinkable(person, wasLinked)).toMatchObject({ code: 'not_a_member', details: { detail } });
  });
});

describe('the organization of a person', () => {
  const user = { organizationName: 'Acme', currency: 'EUR', webhooks: [], userId: '2', linkGeneration: 1 };
  const [acme, other] = [
    { ...user, organizationId: 'acme', role: 'admin' as const },
    { ...user, organizationId: 'other', role: 'member' as const },
  ];

  it('is its only one', () => expect(theOnly([acme])).toBe(acme));

  it.each([
    [[], 'You are linked to no organization yet: name the one that you belong to.'],
    [[acme, other], 'You belong to several organizations: name one of them.'],
  ])('has to be named with any other number: %#', (linked, message) => {
    const errors = [{ path: 'Billwright-Organization', message, code: 'organization_required' }];
    expect(() => theOnly(linked)).toThrow(
      expect.objectContaining({ code: 'organization_required', details: { detail: message, errors } }),
    );
  });
});
