import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kebabCase } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import { root, sourceOf } from './modules.ts';

/** A handler reads like its paragraph of the contract. */

const MAX_LINES = 40;

describe.each(routes.map((endpoint) => [endpoint.operationId, endpoint] as const))('%s', (_name, endpoint) => {
  const file = join('functions', endpoint.area, `${kebabCase(endpoint.operationId)}.ts`);
  const source = existsSync(join(root, file)) ? sourceOf(file) : '';

  it('has a handler of its name whose comment begins with its method and path', () => {
    expect(source, `${file} is missing`).not.toBe('');
    expect(source).toContain(`/** ${endpoint.method} ${endpoint.path}: `);
    expect(source).toContain(
      `export const handler = ${endpoint.scope ? 'implement' : 'implementPublic'}(${endpoint.operationId},`,
    );
  });

  it('is short and knows neither HTTP nor the SDK', () => {
    expect(source.split('\n').length).toBeLessThanOrEqual(MAX_LINES);
    expect(source).not.toMatch(/@aws-sdk|statusCode|\btry\b|\bcatch\b|headers\[/);
  });
});
