import { expect, it } from 'vitest';
import { scenarioOf } from '#scripts/bench/scenarios.ts';
import { routes } from '#shared/routes.ts';

it('the benchmark knows how to drive every operation', () => {
  for (const endpoint of routes) expect(() => scenarioOf(endpoint), endpoint.operationId).not.toThrow();
});
