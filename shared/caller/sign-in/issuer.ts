import * as v from 'valibot';
import type { Person } from '#shared/domain/person.ts';
import { parseEnv } from '#shared/runtime/env.ts';
import { IssuerKeys } from './issuer-keys.ts';
import { personOf } from './token.ts';

const { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience } = parseEnv({
  OIDC_ISSUER: v.optional(v.string(), ''),
  OIDC_AUDIENCE: v.optional(v.string(), ''),
});

const keys = new IssuerKeys(issuer);

export const hasIssuer = issuer !== '';

/** Checks a token of the issuer that the stage is configured with. */
export function verifiedPerson(token: string): Promise<Person> {
  return personOf(token, { issuer, audience }, keys);
}
