import { expect, it } from 'vitest';
import { dearRequestOf, dearRequests, LONGEST } from '#scripts/bench/dear-requests.ts';
import { routes } from '#shared/routes.ts';

const RICHES = { scale: 1, texts: LONGEST };

it('the benchmark knows how to send a dear request of every operation', () => {
  for (const { operationId } of routes) expect(() => dearRequestOf(operationId, RICHES), operationId).not.toThrow();
});

it('the benchmark has dear requests of operations that exist only', () => {
  const operations = routes.map(({ operationId }) => operationId);
  expect(Object.keys(dearRequests(RICHES)).filter((operationId) => !operations.includes(operationId))).toEqual([]);
});
