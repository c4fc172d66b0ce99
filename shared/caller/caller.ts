import { type Endpoint, isOfPlatform } from '#shared/contract/endpoint.ts';
import type { Bucket } from '#shared/data/keys/api-keys.ts';
import { hashApiKey, hasKeyPrefix, isWellFormedApiKey, type Principal } from '#shared/domain/keys/api-key.ts';
import type { Person } from '#shared/domain/person.ts';
import { unauthenticated } from '#shared/domain/problems.ts';
import { keyLease } from './key-lease.ts';
import { type Charged, type Lease, takeRest, takeToken } from './lease.ts';
import { hasIssuer, verifiedPerson } from './sign-in/issuer.ts';
import { type Naming, personLease, userLease } from './user-lease.ts';

/**
 * Who is calling: a request goes in, and a caller comes out, with rights and with tokens to pay for the request. This
 * module is the face of its folder.
 */

export interface Presented extends Naming {
  /** The header, with an API key or the token of a person. */
  readonly authorization: string | undefined;
}

export interface Caller {
  /** Undefined for a person who acts as no user. */
  readonly principal?: Principal;
  /** Who has signed in, where that person need not be a user. */
  readonly person?: Person;
  /**
   * Takes the tokens of the request, up to what it weighs in all as far as that is known: first one, so that a request
   * that is refused later has paid it. What was paid before is never given back.
   *
   * @throws Problem `rate_limited`
   */
  readonly charge: (weight: number) => Promise<void>;
}

/**
 * @param operation for one that takes any person, or is the platform's, a person calls as no user; `authorization.ts`
 *   refuses the latter
 * @throws Problem `unauthenticated`, `invalid_token`; `not_a_member`, `organization_required`, which have cost a token
 */
export async function callerOf(
  request: Presented,
  { scope, takesAnyPerson }: Pick<Endpoint, 'scope' | 'takesAnyPerson'>,
): Promise<Caller> {
  const credential = bearerCredential(request.authorization);
  if (isWellFormedApiKey(credential)) {
    const lease = await keyLease(hashApiKey(credential), request.now);
    return { principal: lease.principal, charge: charging(lease, request) };
  }
  if (!hasIssuer || hasKeyPrefix(credential)) throw unauthenticated();
  const person = await verifiedPerson(credential);
  if (takesAnyPerson || isOfPlatform(scope)) {
    return { person, charge: charging(await personLease(person, request.now), request) };
  }
  const lease = await userLease(person, request);
  return { principal: lease.principal, charge: charging(lease, request) };
}

function bearerCredential(authorization = ''): string {
  const [, credential] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (!credential) throw unauthenticated();
  return credential;
}

function charging<Own extends Bucket>(lease: Lease<Own>, request: Charged): Caller['charge'] {
  let paid = 0;
  return async (weight) => {
    if (paid === 0) {
      takeToken(lease, request);
      paid = 1;
    }
    if (weight <= paid) return;
    await takeRest(lease, weight, paid, request);
    paid = weight;
  };
}
