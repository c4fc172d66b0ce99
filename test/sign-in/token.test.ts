import { beforeEach, describe, expect, it } from 'vitest';
import { IssuerKeys } from '#shared/caller/sign-in/issuer-keys.ts';
import { personOf } from '#shared/caller/sign-in/token.ts';
import { Problem } from '#shared/domain/problems.ts';
import { AUDIENCE, keyPair, useTestIssuer } from '#test/support/issuer.ts';

const rsa = keyPair('rsa', 'RS256');
const ec = keyPair('ec');
const foreign = keyPair('ec');
const issuer = useTestIssuer(rsa);

let keys = new IssuerKeys('');

beforeEach(() => {
  issuer.behave(rsa, ec);
  keys = new IssuerKeys(issuer.url);
});

const person = (token: string) => personOf(token, { issuer: issuer.url, audience: AUDIENCE }, keys);

const secondsFromNow = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

async function refusalOf(token: string): Promise<Problem> {
  const error = await person(token).catch((thrown: unknown) => thrown);
  if (error instanceof Problem) return error;
  throw new Error('The token is taken.');
}

describe('a token', () => {
  it.each([rsa, ec])('of the issuer says who has signed in ($alg)', async (pair) => {
    expect(await person(issuer.token(pair))).toEqual({
      issuer: issuer.url,
      subject: 'ana',
      email: 'ana@example.com',
      hasEmail: true,
    });
  });

  it.each([
    ['is for several audiences, and us among them', { aud: ['other', AUDIENCE] }],
    ['has expired less than a minute ago', { exp: secondsFromNow(-50) }],
    ['will be valid in less than a minute', { nbf: secondsFromNow(50) }],
  ])('is taken when it %s', async (_, changes) => {
    expect(await person(issuer.token(ec, changes))).toMatchObject({ subject: 'ana' });
  });

  it.each([
    ['is not verified', { email_verified: false }],
    ['is verified in words alone', { email_verified: 'true' }],
    ['has no word of its verification', { email_verified: undefined }],
  ])('has an email that counts for nothing when that %s', async (_, changes) => {
    expect(await person(issuer.token(ec, changes))).toMatchObject({ email: null, hasEmail: true });
  });

  it.each([
    ['is missing', { email: undefined }],
    ['is empty', { email: '' }],
    ['is no text', { email: ['ana@example.com'] }],
  ])('has no email when that %s', async (_, changes) => {
    expect(await person(issuer.token(ec, changes))).toMatchObject({ email: null, hasEmail: false });
  });

  const unsigned = () => `${issuer.token(ec, {}, { alg: 'none' }).split('.').slice(0, 2).join('.')}.`;
  const publicKey = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const swapped = () => {
    const [header, , signature] = issuer.token(ec).split('.');
    return [header, issuer.token(ec, { sub: 'eve' }).split('.')[1], signature].join('.');
  };

  it.each([
    ['is not signed', unsigned, 'RS256 or ES256'],
    ['says that it is not signed, and is', () => issuer.token(ec, {}, { alg: 'none' }), 'RS256 or ES256'],
    ['is signed with the public key as a secret', () => issuer.hmacToken('rsa', publicKey), 'RS256 or ES256'],
    ['is signed with a longer digest', () => issuer.token(rsa, {}, { alg: 'RS512' }), 'RS256 or ES256'],
    ['names no key', () => issuer.token(ec, {}, { kid: undefined }), 'RS256 or ES256'],
    ['needs an extension', () => issuer.token(ec, {}, { crit: ['b64'], b64: false }), 'RS256 or ES256'],
    ['names another algorithm than its key has', () => issuer.token(ec, {}, { alg: 'RS256' }), 'another algorithm'],
    ['names a key that the issuer lacks', () => issuer.token(keyPair('unknown')), 'no such key'],
    ['is signed by somebody else under the name of a key', () => issuer.token(foreign), 'signature'],
    ['has other claims than were signed', swapped, 'signature'],
    [
      'brings a key of its own',
      () => issuer.token(foreign, {}, { jwk: foreign.publicKey.export({ format: 'jwk' }) }),
      'signature',
    ],
    ['is of another issuer', () => issuer.token(ec, { iss: `${issuer.url}/` }), 'another issuer'],
    ['is of no issuer', () => issuer.token(ec, { iss: undefined }), 'another issuer'],
    ['is for another audience', () => issuer.token(ec, { aud: 'other' }), 'another audience'],
    ['is for nobody', () => issuer.token(ec, { aud: undefined }), 'another audience'],
    ['has expired over a minute ago', () => issuer.token(ec, { exp: secondsFromNow(-62) }), 'expired'],
    ['never expires', () => issuer.token(ec, { exp: undefined }), 'lacks an expiry'],
    ['has an expiry that is no number', () => issuer.token(ec, { exp: '9999999999' }), 'a claim of it is malformed'],
    ['has a subject that is no text', () => issuer.token(ec, { sub: 5 }), 'a claim of it is malformed'],
    ['is not valid yet', () => issuer.token(ec, { nbf: secondsFromNow(70) }), 'not valid yet'],
    ['is of nobody', () => issuer.token(ec, { sub: '' }), 'a subject'],
    ['is no JWT', () => 'a.b.c', 'no JWT'],
    ['has five parts', () => `${issuer.token(ec)}.a.b`, 'no JWT'],
    ['is empty', () => '', 'no JWT'],
  ])('is a 401 when it %s', async (_, make, reason) => {
    const token = make();
    const refusal = await refusalOf(token);
    expect(refusal.code).toBe('invalid_token');
    expect(refusal.details.detail).toContain(reason);
    expect(refusal.details.headers).toEqual({ 'WWW-Authenticate': 'Bearer error="invalid_token"' });
    for (const part of token.split('.').filter(({ length }) => length > 3)) {
      expect(JSON.stringify(refusal.details)).not.toContain(part);
    }
  });

  it('that says where its key lies makes nobody look there', async () => {
    const elsewhere = `${issuer.url}/elsewhere`;
    const refusal = await refusalOf(issuer.token(foreign, {}, { jku: elsewhere, x5u: elsewhere }));
    expect(refusal.details.detail).toContain('signature');
    expect(issuer.asked).not.toContain('/elsewhere');
  });

  it('of 100 KB is refused before anything of it is read', async () => {
    const token = issuer.token(ec, { x: 'x'.repeat(100_000) });
    expect((await refusalOf(token)).details.detail).toContain('too long');
    expect(issuer.asked).toEqual([]);
  });

  it('of a kind that we never take makes nobody ask the issuer', async () => {
    for (const token of [unsigned(), issuer.hmacToken('rsa', publicKey), 'a.b.c']) await refusalOf(token);
    expect(issuer.asked).toEqual([]);
  });

  it('that its key could not save makes nobody ask the issuer, not even a former one of a key that is gone', async () => {
    await person(issuer.token(ec));
    const gone = keyPair('gone');
    for (const claims of [
      { exp: secondsFromNow(-62) },
      { nbf: secondsFromNow(70) },
      { aud: 'other' },
      { iss: 'other' },
    ]) {
      expect((await refusalOf(issuer.token(gone, claims))).code).toBe('invalid_token');
    }
    expect(issuer.timesAsked).toBe(1);
    const next = keyPair('next');
    issuer.behave(ec, next);
    expect(await person(issuer.token(next))).toMatchObject({ subject: 'ana' });
  });
});
