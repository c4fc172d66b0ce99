import { describe, expect, it } from 'vitest';
import { request } from '#test/support/api.ts';
import { Client } from '#test/support/client.ts';
import { assertDocumented } from '#test/support/openapi-validator.ts';

describe('GET /', () => {
  const ask = (accept: string) => new Client().send('GET', '/', { headers: { accept } });

  it.each(['*/*', 'application/json', 'text/html;q=0, */*'])(
    'says what the service is, and where to read on: %s',
    async (accept) => {
      const { status, headers, body } = await ask(accept);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          data: { name: 'Billwright', version: '0.1.0', docs: '/docs', openapi: '/openapi.json', health: '/health' },
        },
      });
      expect(headers.get('vary')).toBe('accept');
    },
  );

  it('redirects a browser to the reference', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers } = await request((url) => fetch(`${url}/`, { redirect: 'manual', headers: { accept } }));
    assertDocumented('GET', '/', { status, headers, body: '' });
    expect([status, headers.get('location'), headers.get('vary')]).toEqual([302, '/docs', 'accept']);
  });
});
