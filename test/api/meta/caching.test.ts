import { describe, expect, inject, it } from 'vitest';
import { Client } from '#test/support/client.ts';

/** What is the same for every caller goes out once. */

// The static files are part of a built function.
const anyone = new Client(undefined, inject('baseUrl'));

const page = String((await anyone.get('/docs')).body);
const [script = ''] = /\/docs\/reference\.[0-9a-f]+\.js/.exec(page) ?? [];

describe.each([
  ['/docs', 'text/html; charset=utf-8', 'no-cache'],
  ['/openapi.json', 'application/json', 'public, max-age=300'],
  [script, 'text/javascript; charset=utf-8', 'public, max-age=31536000, immutable'],
])('GET %s', (path, contentType, cacheControl) => {
  const get = (headers: Record<string, string> = {}) => anyone.send('GET', path, { headers });

  it('says what it is and how long it may be kept, and has a tag', async () => {
    const { status, headers } = await get();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(contentType);
    expect(headers.get('cache-control')).toBe(cacheControl);
    expect(headers.get('etag')).toMatch(/^W\/"[\w-]{43}"$/);
    expect(headers.get('vary')).toBe('accept-encoding');
  });

  it('answers 304 without a body to whoever has it, and the whole to others', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    for (const known of [etag, etag.slice(2), `"another", ${etag}`, '*']) {
      const { status, headers, body } = await get({ 'if-none-match': known });
      expect({ status, body, etag: headers.get('etag') }).toEqual({ status: 304, body: '', etag });
      expect(headers.get('cache-control')).toBe(cacheControl);
      expect(headers.get('vary')).toBe('accept-encoding');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
    for (const known of ['"another"', 'W/"another"', '']) {
      const { status, body } = await get({ 'if-none-match': known });
      expect({ status, isEmpty: body === '' }).toEqual({ status: 200, isEmpty: false });
    }
  });

  it('is the same for a caller that takes nothing packed', async () => {
    const [packed, plain] = [await get({ 'accept-encoding': 'gzip' }), await get({ 'accept-encoding': 'identity' })];
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.body).toEqual(packed.body);
  });
});
