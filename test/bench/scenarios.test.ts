import { expect, it } from 'vitest';
import { measuredEndpoints, scenarioOf } from '#scripts/bench/scenarios.ts';

it('the benchmark knows how to drive every operation that touches data', () => {
  expect(measuredEndpoints.length).toBeGreaterThan(0);
  for (const endpoint of measuredEndpoints) expect(() => scenarioOf(endpoint), endpoint.operationId).not.toThrow();
});
