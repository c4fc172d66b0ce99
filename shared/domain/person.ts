import { fault, Problem } from './problems.ts';
import type { Role } from './role.ts';

/** A person who has signed in at the issuer, and need not be a user of any organization. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** Only if the issuer has verified it. */
  readonly email: string | null;
}

/** An active user that a person is, or may be by its email. */
export interface Membership {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly currency: string;
  readonly userId: string;
  readonly role: Role;
}

/** Requests a minute of a user who has signed in, and of a person for what it asks as no user. */
export const PERSON_RATE_LIMIT = 600;

export function notAMember(): Problem {
  return new Problem('not_a_member', { detail: 'You are no user of this organization.' });
}

/** @throws Problem `not_a_member` if there is none, `organization_required` if there are several */
export function theOnly(memberships: readonly Membership[]): Membership {
  const [first, second] = memberships;
  if (!first) throw notAMember();
  if (!second) return first;
  const message = 'You belong to several organizations: name one of them.';
  throw fault('organization_required', 'Billwright-Organization', message);
}
