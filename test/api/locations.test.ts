import { describe, expect, it } from 'vitest';
import { takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import { Client } from '#test/support/client.ts';
import { requests } from '#test/support/linked-requests.ts';

/** `Location` of what was created. */

const isRead = (path: string) => routes.some((route) => route.method === 'GET' && route.path === path);

describe('a 201', () => {
  it('has a location wherever a GET of what it created exists', () => {
    for (const { operationId, path, location, response } of routes) {
      const creates = response.kind === 'rehearsable' || (response.kind === 'resource' && response.status === 201);
      const named = [`${path}/{id}`, `${path.replace('/invoices/{id}', '')}/{id}`];
      expect(location, operationId).toBe(creates ? named.find(isRead) : undefined);
    }
  });

  it.each(requests(({ location }) => location !== undefined))(
    'tells where it is, and its tag: $title',
    async ({ prepare, endpoint }) => {
      const { credential, path, asked } = await prepare();
      const by = new Client(credential);
      const made = await by.send(endpoint.method, path, asked);
      const found = await by.get(made.headers.get('location') ?? '');
      expect([made.status, found.status, found.body.data.id]).toEqual([201, 200, made.body.data.id]);
      // What shows a secret, once, or can be rehearsed, answers something else than a read.
      const isAsRead = takesIdempotencyKey(endpoint) && endpoint.response.kind === 'resource';
      expect(made.headers.get('etag')).toBe(isAsRead ? found.headers.get('etag') : null);
    },
  );

  it('has none where nothing was created', async () => {
    const [rehearsal] = requests(({ operationId }) => operationId === 'createCreditNote');
    const { credential, path, asked } = (await rehearsal?.prepare()) ?? { credential: '', path: '', asked: {} };
    const tried = await new Client(credential).send('POST', path, { ...asked, query: { dryRun: 'true' } });
    expect([tried.status, tried.headers.has('location')]).toEqual([200, false]);
  });
});
