import { fault, Problem } from './problems.ts';
import type { Role } from './role.ts';

/** A person who has signed in at the issuer, and need not be a user of any organization. */
export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** Only if the issuer has verified it. */
  readonly email: string | null;
  /** Whether the token has one, verified or not. */
  readonly hasEmail: boolean;
}

/** An active user that a person is, or may be by its email. */
export interface Membership {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly currency: string;
  /** Of the organization: those that its events are sent to. */
  readonly webhooks: readonly string[];
  readonly userId: string;
  readonly role: Role;
  /** The user's present generation: a link of another one has ended. */
  readonly linkGeneration: number;
}

/** Requests a minute of a user who has signed in, and of a person for what it asks as no user. */
export const PERSON_RATE_LIMIT = 600;

export function notAMember(why = ''): Problem {
  return new Problem('not_a_member', { detail: `You are no user of this organization.${why && ` ${why}`}` });
}

/** The same for an organization that does not exist. @param wasLinked to a user of it */
export function notLinkable({ email, hasEmail }: Person, wasLinked: boolean): Problem {
  if (wasLinked) return notAMember('Your link to one has ended.');
  if (email !== null) return notAMember('No active user has your email.');
  return notAMember(
    hasEmail
      ? 'Your email is not verified: the claim email_verified of your token is not true.'
      : 'Your token has no email.',
  );
}

/** @throws Problem `organization_required` if there is none, or if there are several */
export function theOnly(linked: readonly Membership[]): Membership {
  const [first, second] = linked;
  if (first && !second) return first;
  const message = first
    ? 'You belong to several organizations: name one of them.'
    : 'You are linked to no organization yet: name the one that you belong to.';
  throw fault('organization_required', 'Billwright-Organization', message);
}
