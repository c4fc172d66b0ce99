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
export function faultsOfBody({ body: schema }: Endpoint, body: unknown): readonly unknown[] {
  if (!schema) throw new Error('The endpoint takes no body.');
  return faultsOf(() => validateBody(schema, JSON.parse(JSON.stringify(body))));
}

type Query = Readonly<Record<string, string | undefined>>;

export function faultsOfQuery({ query: schema }: Endpoint, query: Query): readonly unknown[] {
  const sent = Object.entries(query).map(([name, value = '']): [string, string] => [name, value]);
  return faultsOf(() => validateQuery(schema, query, new URLSearchParams(sent).toString()));
}

export function expectBodyRefused(endpoint: Endpoint, body: unknown, path: string, code: string): void {
  expect(faultsOfBody(endpoint, body)).toEqual([{ path, message: expect.any(String), code }]);
}

/** What a rule throws, whatever it says. */
export const problem = (code: string): unknown => expect.objectContaining({ code });

/** What a rule throws that refuses one member. */
export const refused = (code: string, path: string, message: string): unknown =>
  expect.objectContaining({ code, details: expect.objectContaining({ errors: [{ path, message, code }] }) });

export const missingAt = (path: string): unknown =>
  refused('reference_not_found', path, 'The organization has nothing with this id.');
