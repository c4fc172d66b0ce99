import * as v from 'valibot';
import type { Answer, Endpoint, RawAnswer } from '#shared/contract/endpoint.ts';
import type { HttpResponse } from './exchange.ts';

interface Listed {
  readonly items: readonly unknown[];
  readonly total: number;
}

type Page = { readonly limit: number; readonly offset: number };

/**
 * Makes the response of what a handler returned. It passes through the contract's schema: an undeclared member never leaves the
 * service, and a wrong one is our fault, hence a 500.
 */
export function answer({ answer: contract, operationId }: Endpoint, result: unknown, query: unknown): HttpResponse {
  if (contract.kind === 'raw') return raw(result as RawAnswer);
  return json(contract.kind === 'resource' ? contract.status : 200, content(contract, result, query, operationId));
}

function content(
  contract: Exclude<Answer, { kind: 'raw' }>,
  result: unknown,
  query: unknown,
  operationId: string,
): unknown {
  switch (contract.kind) {
    case 'resource':
      return { data: checked(contract.schema, result, operationId) };
    case 'list': {
      const { items, total } = result as Listed;
      const { limit, offset } = query as Page;
      return { data: items.map((item) => checked(contract.item, item, operationId)), meta: { total, limit, offset } };
    }
    case 'deletion':
      return { success: true, id: result };
    case 'bare':
      return checked(contract.schema, result, operationId);
  }
}

function checked(schema: v.GenericSchema, value: unknown, operationId: string): unknown {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const paths = result.issues.map((issue) => v.getDotPath(issue)).join(', ');
  throw new Error(`The answer of ${operationId} breaks its schema at: ${paths}`);
}

function json(statusCode: number, value: unknown): HttpResponse {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

function raw({ contentType, body, headers }: RawAnswer): HttpResponse {
  const isText = typeof body === 'string';
  return {
    statusCode: 200,
    headers: { 'content-type': contentType, ...headers },
    body: isText ? body : Buffer.from(body).toString('base64'),
    isBase64Encoded: !isText,
  };
}
