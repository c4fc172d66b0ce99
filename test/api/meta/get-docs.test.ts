import { expect, it } from 'vitest';
import { Client } from '#test/support/client.ts';

it('answers a page that a strict content security policy lets run', async () => {
  const { headers, body } = await new Client().get('/docs');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(body).not.toMatch(/<script(?! src=)|<style|style=|(?:src|<link [^>]*href)="https?:/);
});
