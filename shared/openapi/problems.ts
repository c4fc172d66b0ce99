import { STATUS_OF_KIND } from '#shared/contract/statuses.ts';
import { PROBLEMS, type ProblemCode } from '#shared/domain/problems.ts';
import { type HeaderName, headerReferences } from './headers.ts';
import { schemaReference } from './schemas.ts';
import type { Example, JsonSchema, ProblemEntry, Reference, Response } from './types.ts';

/** The catalogue of problems in the terms of OpenAPI. */

export const PROBLEM_CODES = Object.keys(PROBLEMS).sort() as ProblemCode[];

export function problemEntries(): Record<string, ProblemEntry> {
  return Object.fromEntries(
    PROBLEM_CODES.map((code) => [code, { type: typeOf(code), status: statusOf(code), title: PROBLEMS[code].title }]),
  );
}

/** The responses of an operation that can answer these problems, one for each status. */
export function problemResponses(codes: readonly ProblemCode[]): Record<string, Reference> {
  return Object.fromEntries(
    byStatus(codes).map(([status, group]) => [status, { $ref: `#/components/responses/${nameOf(group)}` }]),
  );
}

/** The responses that {@link problemResponses} refers to, for all operations together. */
export function problemComponents(operations: readonly (readonly ProblemCode[])[]): Record<string, Response> {
  const groups = operations.flatMap((codes) => byStatus(codes).map(([, group]) => group));
  const named = new Map(groups.map((group) => [nameOf(group), response(group)]));
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export const problemSchemas: Readonly<Record<string, JsonSchema>> = {
  Problem: {
    title: 'Problem',
    description: 'An RFC 9457 document. Switch on `code`; `title` and `detail` are for people and may change.',
    type: 'object',
    properties: {
      type: {
        type: 'string',
        format: 'uri-reference',
        description: 'A stable name of the kind of problem: `/problems/{code}`.',
      },
      title: { type: 'string' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { type: 'string', description: 'A sentence about this occurrence.' },
      code: { type: 'string', enum: PROBLEM_CODES },
      requestId: { type: 'string', description: 'The same as in the header `x-request-id`.' },
      errors: { type: 'array', minItems: 1, items: schemaReference('Violation') },
    },
    required: ['type', 'title', 'status', 'code', 'requestId'],
  },
  Violation: {
    title: 'Violation',
    description: 'One thing that is wrong with a request.',
    type: 'object',
    properties: {
      path: {
        type: 'string',
        description: 'Dotted, with array positions as numbers; empty for the whole body.',
        examples: ['rows.3.date'],
      },
      message: { type: 'string' },
      code: { type: 'string', examples: ['required'] },
    },
    required: ['path', 'message', 'code'],
  },
};

function statusOf(code: ProblemCode): number {
  return STATUS_OF_KIND[PROBLEMS[code].kind];
}

function typeOf(code: ProblemCode): string {
  return `/problems/${code}`;
}

function byStatus(codes: readonly ProblemCode[]): [status: string, codes: ProblemCode[]][] {
  const groups = new Map<number, ProblemCode[]>();
  for (const code of [...codes].sort()) groups.set(statusOf(code), [...(groups.get(statusOf(code)) ?? []), code]);
  return [...groups].sort(([a], [b]) => a - b).map(([status, group]) => [String(status), group]);
}

/** `['malformed_encoding', 'malformed_json']` -> `MalformedEncodingOrMalformedJson` */
function nameOf(codes: readonly ProblemCode[]): string {
  return codes.map(pascalCase).join('Or');
}

function pascalCase(code: string): string {
  return code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function response(codes: readonly ProblemCode[]): Response {
  const status = Math.max(...codes.map(statusOf));
  return {
    description: codes.map((code) => `${PROBLEMS[code].title}.`).join(' '),
    headers: headerReferences(headersOf(status)),
    content: {
      'application/problem+json': {
        schema: schemaOf(status, codes),
        examples: Object.fromEntries(codes.map((code) => [code, example(code)])),
      },
    },
  };
}

/** The rate limit is told as soon as the key is known, so that neither a 401 nor every 5xx has it. */
function headersOf(status: number): HeaderName[] {
  const common: HeaderName[] = ['x-request-id', 'RateLimit', 'RateLimit-Policy'];
  if (status === 401) return ['x-request-id', 'WWW-Authenticate'];
  return status === 429 || status === 503 ? [...common, 'Retry-After'] : common;
}

/** Bad requests say what is bad about them (decisions, section 2). */
function hasErrors(status: number): boolean {
  return status === 400 || status === 422;
}

function schemaOf(status: number, codes: readonly ProblemCode[]): JsonSchema {
  const narrowed = { status: { const: status }, code: { enum: codes } };
  const required = hasErrors(status) ? { required: ['errors'] } : {};
  return { allOf: [schemaReference('Problem'), { type: 'object', properties: narrowed, ...required }] };
}

const DETAILS: Partial<Record<ProblemCode, string>> = {
  insufficient_scope: 'The API key lacks the scope products:write.',
  not_found: 'The organization has no resource with this id.',
  rate_limited: 'The key allows 600 requests a minute; try again in 2 s.',
  scope_not_grantable: 'Your key lacks the scope keys:write.',
  unauthenticated: 'Send a valid API key as "Authorization: Bearer <API_KEY>".',
};

const WHOLE_BODY = { path: '', message: 'Expected a JSON text in UTF-8.', code: 'json' };

const MISSING_MEMBER = { path: 'name', message: 'This member is required.', code: 'required' };

function example(code: ProblemCode): Example {
  const { title } = PROBLEMS[code];
  const status = statusOf(code);
  const detail = DETAILS[code] === undefined ? {} : { detail: DETAILS[code] };
  const errors = hasErrors(status) ? { errors: [status === 400 ? WHOLE_BODY : MISSING_MEMBER] } : {};
  return {
    summary: title,
    value: { type: typeOf(code), title, status, ...detail, code, requestId: 'Yx4dGjT1oAMEJzQ=', ...errors },
  };
}
