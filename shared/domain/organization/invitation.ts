import { createHash } from 'node:crypto';
import { fault, Problem } from '#shared/domain/problems.ts';

/** `inv_` and 43 random characters. Only the SHA-256 is stored. */

const PREFIX = 'inv_';

export const INVITATION_CODE = /^inv_[A-Za-z0-9_-]{43}$/;

export const INVITATION_RANDOM_BYTES = 32;

const DAYS = 7;

const MILLISECONDS_PER_DAY = 86_400_000;

/** Links whoever has its code to a user, once. */
export interface Invitation {
  readonly hash: string;
  readonly expiresAt: string;
}

export interface NewInvitation extends Invitation {
  readonly code: string;
}

/** @param random {@link INVITATION_RANDOM_BYTES} bytes */
export function newInvitation(random: Uint8Array, now: Date): NewInvitation {
  const code = `${PREFIX}${Buffer.from(random).toString('base64url')}`;
  const expiresAt = new Date(now.getTime() + DAYS * MILLISECONDS_PER_DAY).toISOString();
  return { code, hash: hashInvitationCode(code), expiresAt };
}

export function hashInvitationCode(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

/** The same for a code that never was, was used or replaced, or has expired. */
export function invitationInvalid(): Problem {
  const message = 'No open invitation has this code: it is wrong, or it was used, replaced or ended, or has expired.';
  return fault('invitation_invalid', 'code', message);
}

export function alreadyLinked(): Problem {
  return new Problem('already_linked', { detail: 'You are linked to another user of the organization already.' });
}
