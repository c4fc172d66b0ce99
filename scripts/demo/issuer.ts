import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { ISSUER_FILE, readDataFile } from '#scripts/local/data-files.ts';
import { StartError } from '#scripts/local/errors.ts';
import { close, listen } from '#scripts/local/http.ts';
import { writePrivateFile } from '#scripts/local/private-files.ts';

/**
 * An OpenID Connect issuer that signs tokens for `npm run token`. Its key and its port lie in the data folder, so that
 * a token outlives a restart.
 */

const LOCAL_AUDIENCE = 'billwright';

const kept = v.object({ port: v.number(), privateKey: v.string() });

export interface LocalIssuer {
  /** Parameters of the stacks. */
  readonly parameters: { readonly OidcIssuer: string; readonly OidcAudience: string };
  stop(): Promise<void>;
}

export async function startIssuer(dataDir: string): Promise<LocalIssuer> {
  const path = join(dataDir, ISSUER_FILE);
  const former = existsSync(path) ? readKept(path) : { port: 0, privateKey: newPrivateKey() };
  const key = createPrivateKey(former.privateKey);
  const server = createServer((request, response) => {
    const document = documentsOf(key, urlOf(port))[request.url ?? ''];
    response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  const port = await listen(server, former.port, '127.0.0.1').catch(async (error) => {
    if (error instanceof StartError) return listen(server, 0, '127.0.0.1');
    throw error;
  });
  writePrivateFile(path, { ...former, port });
  return { parameters: { OidcIssuer: urlOf(port), OidcAudience: LOCAL_AUDIENCE }, stop: () => close(server) };
}

const urlOf = (port: number) => `http://127.0.0.1:${port}`;

const readKept = (path: string) => readDataFile(path, kept, 'it holds no key');

function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function documentsOf(key: KeyObject, issuer: string): Readonly<Record<string, unknown>> {
  return {
    '/.well-known/openid-configuration': {
      issuer,
      jwks_uri: `${issuer}/keys`,
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
    },
    '/keys': { keys: [{ ...publicJwk(key), kid: kidOf(key), alg: 'ES256', use: 'sig' }] },
  };
}

const publicJwk = (key: KeyObject) => createPublicKey(key).export({ format: 'jwk' });

const kidOf = (key: KeyObject) =>
  createHash('sha256')
    .update(JSON.stringify(publicJwk(key)))
    .digest('base64url');

/** Whether it is the issuer of the data folder, which has none where another was configured from the first start on. */
export function isLocalIssuer(url: string | undefined, dataDir: string): boolean {
  const path = join(dataDir, ISSUER_FILE);
  return existsSync(path) && urlOf(readKept(path).port) === url;
}

/** The issuer that keeps its key in the data folder. */
export function localIssuer(dataDir: string) {
  const { port, privateKey } = readKept(join(dataDir, ISSUER_FILE));
  const key = createPrivateKey(privateKey);
  const tokenOf = (claims: Readonly<Record<string, unknown>>) =>
    signedJwt({ alg: 'ES256', kid: kidOf(key) }, { iss: urlOf(port), aud: LOCAL_AUDIENCE, ...claims }, key);
  return { tokenOf };
}

export function signedJwt(header: Readonly<Record<string, unknown>>, claims: unknown, key: KeyObject): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}
