import { expect, it } from 'vitest';
import { costlyRequestOf, costlyRequests, LONGEST } from '#scripts/bench/costly-requests.ts';
import { routes } from '#shared/routes.ts';

const SIZE = { scale: 1, texts: LONGEST };

it('the benchmark knows how to send a costly request of every operation', () => {
  for (const { operationId } of routes) expect(() => costlyRequestOf(operationId, SIZE), operationId).not.toThrow();
});

it('the benchmark has dear requests of operations that exist only', () => {
  const operations = routes.map(({ operationId }) => operationId);
  expect(Object.keys(costlyRequests(SIZE)).filter((operationId) => !operations.includes(operationId))).toEqual([]);
});
