import { describe, expect, it } from 'vitest';
import { Client } from '#test/support/client.ts';

const anyone = new Client();

describe('an asset of the reference page', () => {
  it('is there for every script and style sheet that the page names, and may be kept for ever', async () => {
    const page = await anyone.get('/docs');
    const links = [...String(page.body).matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map((match) => match[1] ?? '');
    expect(links).toHaveLength(2);
    for (const link of links) {
      const { status, headers } = await anyone.get(link);
      expect(status).toBe(200);
      expect(headers.get('content-type')).toBe(`text/${link.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(link).toMatch(/\.[0-9a-f]{16}\.(?:css|js)$/);
    }
  });

  it.each([
    '/docs/other.js',
    '/docs/index.html',
    '/docs/..%2findex.js',
    '/docs/reference.css',
    '/docs/reference.css.map',
    '/docs/...js',
  ])('is nothing else: %s', async (path) => {
    const { status, body } = await anyone.get(path);
    expect(status).toBe(404);
    expect(body.code).toBe('not_found');
  });
});
