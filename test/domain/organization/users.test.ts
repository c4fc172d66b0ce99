import { describe, expect, it } from 'vitest';
import { newInvitation } from '#shared/domain/organization/invitation.ts';
import {
  acceptedBy,
  endSignIns,
  inviteUser,
  newUser,
  reviseUser,
  tooManyUsers,
  withdrawUser,
} from '#shared/domain/organization/users.ts';
import { problem } from '#test/support/refusals.ts';

const now = new Date('2026-11-20T09:30:00.000Z');
const later = new Date('2026-11-21T09:30:00.000Z');
const { code, ...invitation } = newInvitation(new Uint8Array(32), now);
const fresh = newUser({ name: 'Bea', email: 'Bea@acme.example', role: 'member' }, 'id', now);
const linked = { ...fresh, signIns: 2, linkGeneration: 3, invitation };

it('a new user is active, and nobody signs in as it', () => {
  expect(newUser({ name: 'Bea', role: 'member' }, 'id', now)).toEqual({
    id: 'id',
    name: 'Bea',
    email: null,
    role: 'member',
    timeZone: null,
    status: 'active',
    signIns: 0,
    linkGeneration: 0,
    invitation: null,
    createdAt: now.toISOString(),
    updatedAt: now.toISOString(),
  });
});

it('a removed user keeps what it was called, and is neither changed nor removed again', () => {
  const removed = withdrawUser(fresh, later);
  const changed = { status: 'removed', linkGeneration: 1, updatedAt: later.toISOString() };
  expect(removed).toEqual({ ...fresh, ...changed });
  expect(() => reviseUser(removed, { name: 'Beatrice' }, later)).toThrow(problem('user_removed'));
  expect(() => withdrawUser(removed, later)).toThrow(problem('user_removed'));
});

describe('the sign-ins of a user', () => {
  it.each([
    ['another email', (user: typeof linked) => reviseUser(user, { email: 'bea@other.example' }, later)],
    ['no email', (user: typeof linked) => reviseUser(user, { email: null }, later)],
    ['its removal', (user: typeof linked) => withdrawUser(user, later)],
  ])('end with %s, and so does an open invitation', (_, change) => {
    expect(change(linked)).toMatchObject({ signIns: 0, linkGeneration: 4, invitation: null });
  });

  it('end with the first email too, since whoever accepted an invitation need not have it', () => {
    const revised = reviseUser({ ...linked, email: null }, { email: 'bea@acme.example' }, later);
    expect(revised).toMatchObject({ signIns: 0, linkGeneration: 4, invitation: null });
  });

  it.each([
    ['the case of the email', { email: 'bea@ACME.example' }],
    ['the email, which is sent as it is,', { email: 'Bea@acme.example' }],
    ['the name', { name: 'Beatrice' }],
    ['nothing', {}],
  ])('outlive a change of %s', (_, changes) => {
    expect(reviseUser(linked, changes, later)).toMatchObject({ ...changes, signIns: 2, linkGeneration: 3, invitation });
  });

  it('end at the wish of an admin, who leaves the open invitation; without any, nothing changes', () => {
    const ended = { ...linked, signIns: 0, linkGeneration: 4, updatedAt: later.toISOString() };
    expect(endSignIns(linked, later)).toEqual(ended);
    expect(endSignIns(ended, now)).toBe(ended);
  });

  it('are one more when an invitation is accepted, by somebody who is not linked yet', () => {
    expect(acceptedBy(linked, false)).toEqual({ ...linked, signIns: 3, invitation: null });
    expect(acceptedBy(linked, true)).toEqual({ ...linked, invitation: null });
  });
});

describe('an invitation', () => {
  it('has a code of its random bytes, of which the user keeps the hash alone, for seven days', () => {
    expect(code).toBe(`inv_${'A'.repeat(43)}`);
    expect(invitation).toEqual({ hash: expect.stringMatching(/^[\da-f]{64}$/), expiresAt: '2026-11-27T09:30:00.000Z' });
    expect(inviteUser(fresh, invitation)).toEqual({ ...fresh, invitation });
  });

  it('is refused to a user who was removed', () => {
    expect(() => inviteUser(withdrawUser(fresh, now), invitation)).toThrow(problem('user_removed'));
  });
});

it('an organization has at most 1,000 active users', () => {
  const message = 'An organization has at most 1000 active users.';
  const errors = [{ path: 'email', message, code: 'too_many_users' }];
  expect(tooManyUsers('email')).toMatchObject({ code: 'too_many_users', details: { detail: message, errors } });
});
