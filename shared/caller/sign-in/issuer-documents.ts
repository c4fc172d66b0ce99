import { createPublicKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';
import { WayOut } from '#shared/runtime/way-out.ts';

/** The documents of an OpenID Connect issuer (Discovery 1.0): one names the address of its keys, the other has them. */

const DISCOVERY_PATH = '/.well-known/openid-configuration';

/** A few keys with chains of certificates have a tenth of it. */
const MAXIMUM_BYTES = 256 * 1_024;

/** The issuer would close a connection that is kept while the function is frozen, and the next request would fail on it. */
const HEADERS = { accept: 'application/json', connection: 'close' };

const wayOut = new WayOut();

/** An issuer says itself where its documents are. */
async function readJson(url: string, signal: AbortSignal): Promise<unknown> {
  const answer = await wayOut.request(new URL(url), { headers: HEADERS, signal });
  if (answer.status !== 200) {
    answer.drop();
    throw new Error(`The issuer answered ${answer.status}.`);
  }
  const body = await answer.read(MAXIMUM_BYTES);
  if (!body) throw new Error(`The issuer answered with more than ${MAXIMUM_BYTES} bytes.`);
  return JSON.parse(body.toString());
}

const discovery = v.object({ issuer: v.string(), jwks_uri: v.pipe(v.string(), v.url()) });

/** @throws Error if the document is of another issuer, or names an address that is not as safe as its own */
export async function readKeysUrl(issuer: string, signal: AbortSignal): Promise<string> {
  const document = v.parse(discovery, await readJson(`${issuer.replace(/\/$/, '')}${DISCOVERY_PATH}`, signal));
  if (document.issuer !== issuer) throw new Error('The issuer names itself differently than the setting.');
  const isSafe = document.jwks_uri.startsWith('https://') || issuer.startsWith('http://');
  if (!isSafe) throw new Error('The keys of the issuer are not behind https.');
  return document.jwks_uri;
}

const common = { kid: v.pipe(v.string(), v.nonEmpty()), use: v.optional(v.literal('sig')) };

/** Each key has one algorithm, so that no token chooses another for it (RFC 8725, 3.1). */
const signingKey = v.variant('kty', [
  v.object({
    ...common,
    kty: v.literal('RSA'),
    alg: v.optional(v.literal('RS256'), 'RS256'),
    n: v.string(),
    e: v.string(),
  }),
  v.object({
    ...common,
    kty: v.literal('EC'),
    alg: v.optional(v.literal('ES256'), 'ES256'),
    crv: v.literal('P-256'),
    x: v.string(),
    y: v.string(),
  }),
]);

export interface SigningKey {
  readonly jwk: v.InferOutput<typeof signingKey>;
  readonly key: KeyObject;
}

const keySet = v.object({ keys: v.array(v.unknown()) });

/** Reads the keys that sign as we accept it: an issuer may have others, for encryption or with other algorithms. */
export async function readKeys(url: string, signal: AbortSignal): Promise<readonly SigningKey[]> {
  return v.parse(keySet, await readJson(url, signal)).keys.flatMap(usable);
}

const MINIMUM_RSA_BITS = 2_048;

function usable(document: unknown): SigningKey[] {
  const { success, output: jwk } = v.safeParse(signingKey, document);
  const key = success && publicKeyOf(jwk);
  if (!key) return [];
  const { modulusLength = MINIMUM_RSA_BITS } = key.asymmetricKeyDetails ?? {};
  return modulusLength < MINIMUM_RSA_BITS ? [] : [{ jwk, key }];
}

function publicKeyOf(jwk: SigningKey['jwk']): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return undefined;
  }
}
