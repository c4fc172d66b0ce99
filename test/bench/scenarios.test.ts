import { expect, it } from 'vitest';
import { dearestRequests, RICHES } from '#scripts/bench/dearest-requests.ts';
import { scenarioOf } from '#scripts/bench/scenarios.ts';
import { routes } from '#shared/routes.ts';

it('the benchmark knows how to drive every operation', () => {
  for (const endpoint of routes) expect(() => scenarioOf(endpoint), endpoint.operationId).not.toThrow();
});

it('the benchmark knows the dearest request of every operation, and of no other', () => {
  const known = Object.keys(dearestRequests(RICHES.sample));
  expect(known.toSorted()).toEqual(routes.map(({ operationId }) => operationId).toSorted());
});
