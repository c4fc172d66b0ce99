import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { signedJwt } from '#scripts/demo/issuer.ts';
import { close, listen } from '#scripts/local/http.ts';
import type { Json } from './client.ts';

/** An OpenID Connect issuer that can be told to misbehave. */

export const AUDIENCE = 'billwright';

export interface KeyPair {
  readonly kid: string;
  readonly alg: 'ES256' | 'RS256';
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function keyPair(kid: string, alg: KeyPair['alg'] = 'ES256', rsaBits = 2_048): KeyPair {
  const pair =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: rsaBits })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { kid, alg, ...pair };
}

export const jwkOf = ({ kid, alg, publicKey }: KeyPair): Json => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  alg,
  use: 'sig',
});

export class TestIssuer {
  url = '';
  keys: Json[] = [];
  /** Members of the discovery document in place of the right ones. */
  discovery: Json = {};
  status = 200;
  delayMilliseconds = 0;
  /** Sent in place of the keys. */
  body: string | undefined;
  /** The paths of all requests. */
  readonly asked: string[] = [];
  readonly #server = createServer(async (request, response) => {
    this.asked.push(request.url ?? '');
    await sleep(this.delayMilliseconds);
    const isKeys = request.url === '/keys';
    const document = isKeys
      ? { keys: this.keys }
      : { issuer: this.url, jwks_uri: `${this.url}/keys`, ...this.discovery };
    const moved = this.status === 302 ? { location: `${this.url}/elsewhere` } : {};
    response.writeHead(this.status, moved).end((isKeys && this.body) || JSON.stringify(document));
  });

  async start(): Promise<void> {
    this.url = `http://127.0.0.1:${await listen(this.#server, 0, '127.0.0.1')}`;
  }

  stop(): Promise<void> {
    return close(this.#server);
  }

  /** How many connections to it are open. */
  connections(): Promise<number> {
    return promisify(this.#server.getConnections.bind(this.#server))();
  }

  /** How often it was asked for its keys. */
  get timesAsked(): number {
    return this.asked.filter((path) => path === '/keys').length;
  }

  /** Behaves well again, with these keys alone. */
  behave(...pairs: readonly KeyPair[]): void {
    Object.assign(this, { keys: pairs.map(jwkOf), discovery: {}, status: 200, delayMilliseconds: 0, body: undefined });
    this.asked.length = 0;
  }

  claims(changes: Json = {}): Json {
    const exp = Math.floor(Date.now() / 1_000) + 600;
    return {
      iss: this.url,
      aud: AUDIENCE,
      sub: 'ana',
      exp,
      email: 'ana@example.com',
      email_verified: true,
      ...changes,
    };
  }

  token({ kid, alg, privateKey }: KeyPair, changes: Json = {}, header: Json = {}): string {
    return signedJwt({ alg, kid, ...header }, this.claims(changes), privateKey);
  }

  /** Signed with a secret in place of a key pair. */
  hmacToken(kid: string, secret: string): string {
    const [header, payload] = [{ alg: 'HS256', kid }, this.claims()].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    return `${header}.${payload}.${createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')}`;
  }
}

/** For all tests of a file. Each begins with one that behaves, and has this key. */
export function useTestIssuer(key: KeyPair): TestIssuer {
  const issuer = new TestIssuer();
  beforeAll(() => issuer.start());
  beforeEach(() => issuer.behave(key));
  afterAll(() => issuer.stop());
  return issuer;
}
