import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { isOfPlatform, matchedSchema, parameterNames, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import { given } from '#test/support/given.ts';
import { pathTo, readOf, resourceOf, tagFor } from '#test/support/resources.ts';

/** What is deleted has no tag afterwards. */
const matched = routes.filter(
  (route) => matchedSchema(route) && !(route.method === 'DELETE' && readOf(route)?.path === route.path),
);

it.each(matched.map((endpoint) => [endpoint.operationId, endpoint] as const))(
  '%s succeeds once of ten with one tag if it changes that, and tells the others, whose keys can be used again',
  async (_, endpoint) => {
    const ana = await given.user();
    const by = isOfPlatform(endpoint.scope) ? await given.platform() : ana;
    const id = parameterNames(endpoint.path).length > 0 ? await resourceOf(endpoint, ana) : '';
    const path = pathTo(endpoint.path, id);
    const tag = await tagFor(endpoint, path, by);
    const keys = Array.from({ length: 10 }, () => randomUUID());
    const send = (key: string, match: Record<string, string>) =>
      by.send(endpoint.method, path, {
        headers: { ...match, ...(takesIdempotencyKey(endpoint) && { 'idempotency-key': key }) },
        body: endpoint.example.body,
      });
    const replies = await Promise.all(keys.map((key) => send(key, { 'if-match': tag })));
    const late = replies.filter(({ status }) => status === 412).length;
    const done = replies.filter(({ status }) => status < 300).length;
    const hasChanged = (await tagFor(endpoint, path, by)) !== tag;
    expect([done, late]).toEqual(hasChanged ? [1, 9] : [10, 0]);
    for (const key of keys.filter((_key, index) => replies[index]?.status === 412)) {
      const again = await send(key, {});
      expect([again.status === 412, again.headers.get('idempotency-replayed')]).toEqual([false, null]);
    }
  },
);
