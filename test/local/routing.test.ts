import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Router } from '#scripts/local/routing.ts';
import { routes } from '#shared/routes.ts';

const ID = '019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61';

describe('the route of a request', () => {
  it('is the one without a parameter where there is one, in whatever order the routes are deployed', () => {
    const keys = routes.map(({ method, path }) => `${method} ${path}`);
    fc.assert(
      fc.property(fc.shuffledSubarray(keys, { minLength: keys.length }), (shuffled) => {
        const router = new Router(
          shuffled.map((routeKey) => ({ routeKey, functionName: routeKey, timeoutMilliseconds: 1_000 })),
        );
        for (const { method, path } of routes) {
          const match = router.match(method, path.replaceAll(/\{\w+\}/g, ID));
          expect(match?.route.routeKey).toBe(`${method} ${path}`);
        }
      }),
      { numRuns: 50 },
    );
  });
});
