import {
  JwtExpiredError,
  JwtInvalidAudienceError,
  JwtInvalidIssuerError,
  JwtInvalidSignatureError,
  JwtNotBeforeError,
} from 'aws-jwt-verify/error';
import { decomposeUnverifiedJwt, validateJwtFields } from 'aws-jwt-verify/jwt';
import { verifyJwtSync } from 'aws-jwt-verify/jwt-verifier';
import * as v from 'valibot';
import type { Person } from '#shared/domain/person.ts';
import { Problem } from '#shared/domain/problems.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** JWTs of people who have signed in. CONTRIBUTING.md compares the libraries. */

export interface Expected {
  readonly issuer: string;
  readonly audience: string;
}

const GRACE_SECONDS = 60;

/** The gateway takes 10,240 bytes of headers. */
const MAXIMUM_CHARACTERS = 10_240;

/** An extension that must be understood (`crit`) is refused, because we understand none. */
const header = v.object({
  alg: v.picklist(['ES256', 'RS256']),
  kid: v.pipe(v.string(), v.nonEmpty()),
  crit: v.optional(v.never()),
});

const claims = v.object({
  iss: v.string(),
  sub: v.pipe(v.string(), v.nonEmpty()),
  exp: v.number(),
  email: v.optional(v.unknown()),
  email_verified: v.optional(v.unknown()),
});

/** @throws Problem `invalid_token`, or `temporarily_unavailable` while the issuer cannot be asked for a key */
export async function personOf(token: string, { issuer, audience }: Expected, keys: IssuerKeys): Promise<Person> {
  if (token.length > MAXIMUM_CHARACTERS) throw invalidToken('It is too long.');
  const rules = { issuer, audience, graceSeconds: GRACE_SECONDS };
  const found = await keys.find(kidOf(token, rules));
  if (!found) throw invalidToken('The issuer has no such key.');
  const { jwk, key } = found;
  try {
    const verified = verifyJwtSync(token, jwk, rules, () => key);
    const { iss, sub, email, email_verified } = v.parse(claims, verified);
    const hasEmail = typeof email === 'string' && email !== '';
    return { issuer: iss, subject: sub, email: hasEmail && email_verified === true ? email : null, hasEmail };
  } catch (error) {
    throw invalidToken(reasonOf(error));
  }
}

/** Nobody is asked for the key of a token that would be refused with it: it may be an old one, of a key that is gone. */
function kidOf(token: string, rules: Expected & { readonly graceSeconds: number }): string {
  const { kid, payload } = parsed(token);
  try {
    validateJwtFields(payload, rules);
  } catch (error) {
    throw invalidToken(reasonOf(error));
  }
  return kid;
}

function parsed(token: string) {
  try {
    const { header: unverified, payload } = decomposeUnverifiedJwt(token);
    return { kid: v.parse(header, unverified).kid, payload };
  } catch {
    throw invalidToken('It is no JWT with RS256 or ES256 that names its key, or a claim of it is malformed.');
  }
}

const REASONS = [
  [JwtInvalidSignatureError, 'Its signature is not right.'],
  [JwtExpiredError, 'It has expired.'],
  [JwtNotBeforeError, 'It is not valid yet.'],
  [JwtInvalidIssuerError, 'It is of another issuer.'],
  [JwtInvalidAudienceError, 'It is for another audience.'],
] as const;

function reasonOf(error: unknown): string {
  const [, reason] = REASONS.find(([kind]) => error instanceof kind) ?? [];
  return reason ?? 'It lacks an expiry or a subject, or its key is for another algorithm.';
}

function invalidToken(reason: string): Problem {
  return new Problem('invalid_token', {
    detail: `The token is not valid here. ${reason}`,
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}
