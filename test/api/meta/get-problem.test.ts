import { describe, expect, it } from 'vitest';
import { PROBLEMS } from '#shared/domain/problems.ts';
import { Client } from '#test/support/client.ts';

const anyone = new Client();

describe('the page of a problem', () => {
  it.each(Object.keys(PROBLEMS))('says without a key what has happened and what to do: %s', async (code) => {
    const { status, headers, body } = await anyone.get(`/problems/${code}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const sections =
      /<code>(\w+)<\/code>[\s\S]+<h2>Cause<\/h2>\s*<p>(.{20,})<\/p>\s*<h2>Remedy<\/h2>\s*<p>(.{20,})<\/p>/;
    expect(sections.exec(String(body))?.[1]).toBe(code);
    expect(body, 'Markdown').not.toMatch(/`|\]\(/);
  });

  it('has no script and nothing from elsewhere, under the security headers of the reference', async () => {
    const [page, reference] = [await anyone.get('/problems/not_found'), await anyone.get('/docs')];
    expect(page.body).not.toMatch(/<script|<style|style=|https?:/);
    for (const name of ['content-security-policy', 'x-content-type-options', 'referrer-policy', 'cache-control']) {
      expect(page.headers.get(name), name).toBe(reference.headers.get(name));
    }
    const [sheet = ''] = /\/docs\/reference\.[0-9a-f]+\.css/.exec(String(page.body)) ?? [];
    expect((await anyone.get(sheet)).headers.get('content-type')).toBe('text/css; charset=utf-8');
  });

  it('shows what it looks like, and leads to the operations whose rule it is', async () => {
    const { body } = await anyone.get('/problems/timer_already_running');
    expect(body).toContain('&quot;code&quot;: &quot;timer_already_running&quot;');
    expect([...String(body).matchAll(/href="(\/docs#\/[^"]+)"/g)].map(([, link]) => link)).toEqual([
      '/docs#/tracker/startTimer',
    ]);
    expect((await anyone.get('/problems/unauthenticated')).body).not.toContain('href="/docs#/');
  });

  it.each(['unknown', 'NOT_FOUND', '..%2findex', 'not_found.html', 'not-found'])(
    'is not there for anything else: %s',
    async (code) => {
      const { status, body } = await anyone.get(`/problems/${code}`);
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'not_found' });
    },
  );
});
