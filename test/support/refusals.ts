import { expect } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { Problem } from '#shared/domain/problems.ts';
import { validateBody, validateQuery } from '#shared/http/validation.ts';

/** The faults that a contract finds, asked of it directly: `test/api/matrices.test.ts` shows how an endpoint answers them. */

function faultsOf(validate: () => unknown): readonly unknown[] {
  try {
    validate();
    return [];
  } catch (error) {
    if (error instanceof Problem && error.code === 'validation_failed') return error.details.errors ?? [];
    throw error;
  }
}

/** @param body as it would be sent: members that are undefined are left out */
export function expectBodyRefused({ body: schema }: Endpoint, body: unknown, path: string, code: string): void {
  if (!schema) throw new Error('The endpoint takes no body.');
  const faults = faultsOf(() => validateBody(schema, JSON.parse(JSON.stringify(body))));
  expect(faults).toEqual([{ path, message: expect.any(String), code }]);
}

export function expectQueryRefused(
  { query: schema }: Endpoint,
  query: Readonly<Record<string, string>>,
  path: string,
  code: string,
): void {
  const faults = faultsOf(() => validateQuery(schema, query));
  expect(faults).toEqual([{ path, message: expect.any(String), code }]);
}
