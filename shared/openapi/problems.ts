import { isDeepStrictEqual } from 'node:util';
import { type Endpoint, type ProblemMember, problemsOf } from '#shared/contract/endpoint.ts';
import { STATUS_OF_KIND } from '#shared/contract/statuses.ts';
import { faulty, PROBLEMS, type ProblemCode } from '#shared/domain/problems.ts';
import { type HeaderName, headerReferences } from './headers.ts';
import { type SchemaRegistry, schemaReference } from './schemas.ts';
import type { Example, JsonSchema, ProblemEntry, Reference, Response } from './types.ts';

/** The catalogue of problems in OpenAPI's terms. */

export const PROBLEM_CODES = Object.keys(PROBLEMS).sort() as ProblemCode[];

export function problemEntries(): Record<string, ProblemEntry> {
  return Object.fromEntries(
    PROBLEM_CODES.map((code) => [code, { type: typeOf(code), status: statusOf(code), title: PROBLEMS[code].title }]),
  );
}

/** The responses for these problems, one per status. */
export function problemResponses(codes: readonly ProblemCode[]): Record<string, Reference> {
  return Object.fromEntries(
    byStatus(codes).map(([status, group]) => [status, { $ref: `#/components/responses/${nameOf(group)}` }]),
  );
}

/** The responses that {@link problemResponses} refers to, for all operations together. */
export function problemComponents(routes: readonly Endpoint[], schemas: SchemaRegistry): Record<string, Response> {
  const named = new Map<string, Response>();
  for (const endpoint of routes) {
    for (const [, codes] of byStatus(problemsOf(endpoint))) {
      const name = nameOf(codes);
      const made = response(codes, problemMembers(endpoint, codes), schemas);
      if (!isDeepStrictEqual(named.get(name) ?? made, made)) throw new Error(`Two different problems are ${name}.`);
      named.set(name, made);
    }
  }
  return Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface NamedMember extends ProblemMember {
  readonly code: ProblemCode;
  readonly name: string;
}

/** Members that the problems of an endpoint (or only the given codes) have beyond those of every problem. */
export function problemMembers(endpoint: Endpoint, codes = problemsOf(endpoint)): NamedMember[] {
  return codes.flatMap((code) =>
    Object.entries(endpoint.problemMembers?.[code] ?? {}).map(([name, member]) => ({ ...member, code, name })),
  );
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
      detail: {
        type: 'string',
        description: 'A sentence about this very request; of several faults it tells the first.',
      },
      code: { type: 'string', enum: PROBLEM_CODES },
      requestId: { type: 'string', description: 'The same as in the header `x-request-id`.' },
      errors: { type: 'array', minItems: 1, items: schemaReference('Violation') },
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
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

function response(codes: readonly ProblemCode[], members: readonly NamedMember[], schemas: SchemaRegistry): Response {
  const status = Math.max(...codes.map(statusOf));
  return {
    description: codes.map((code) => `${PROBLEMS[code].title}.`).join(' '),
    headers: headerReferences(headersOf(status, codes)),
    content: {
      'application/problem+json': {
        schema: schemaOf(status, codes, members, schemas),
        examples: Object.fromEntries(codes.map((code) => [code, example(code, members)])),
      },
    },
  };
}

/** The rate limit is known only once the key is. So no 401 has these headers, and not every 5xx. */
function headersOf(status: number, codes: readonly ProblemCode[]): HeaderName[] {
  const common: HeaderName[] = ['x-request-id', 'RateLimit', 'RateLimit-Policy'];
  if (status === 401) return ['x-request-id', 'WWW-Authenticate'];
  const mayRetry = status === 429 || status === 503 || codes.some((code) => IN_PROGRESS.has(code));
  return mayRetry ? [...common, 'Retry-After'] : common;
}

/** Conflicts that pass. */
const IN_PROGRESS: ReadonlySet<ProblemCode> = new Set(['idempotency_in_progress', 'invoicing_in_progress']);

/** Bad requests list what is wrong with them. */
function hasErrors(status: number): boolean {
  return status === 400 || status === 422;
}

function schemaOf(
  status: number,
  codes: readonly ProblemCode[],
  members: readonly NamedMember[],
  schemas: SchemaRegistry,
): JsonSchema {
  const own = Object.fromEntries(members.map(({ name, schema }) => [name, schemas.ofOutput(schema)]));
  const properties = { status: { const: status }, code: { enum: codes }, ...own };
  const narrowed = { type: 'object', properties, ...(hasErrors(status) ? { required: ['errors'] } : {}) };
  return { allOf: [schemaReference('Problem'), narrowed, ...certainMembers(members)] };
}

/** A response may stand for several problems. Each says which members it always has. */
function certainMembers(members: readonly NamedMember[]): JsonSchema[] {
  return [...Map.groupBy(members, ({ code }) => code)].map(([code, own]) => ({
    anyOf: [{ properties: { code: { not: { const: code } } } }, { required: own.map(({ name }) => name) }],
  }));
}

const DETAILS: Partial<Record<ProblemCode, string>> = {
  idempotency_in_progress: 'The first request with this key is still at work.',
  precondition_failed: 'The resource has changed since it had a tag of If-Match. Read it again, and decide anew.',
  entry_invoiced: 'The entry is on the invoice 019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61.',
  invoice_state_forbids: 'The invoice is sent; only a draft invoice can be changed.',
  invoice_has_payments: 'The invoice has payments, and cannot be voided until they are taken back.',
  insufficient_scope: 'The API key lacks the scope products:write.',
  organization_name_taken: 'Another organization has this name.',
  not_found: 'The organization has no resource with this id.',
  rate_limited: 'The key allows 600 requests a minute; try again in 2 s.',
  scope_not_grantable: 'Your key lacks the scope keys:write.',
  unauthenticated: 'Send a valid API key as "Authorization: Bearer <API_KEY>".',
};

const WHOLE_BODY = { path: '', message: 'Expected a JSON text in UTF-8.', code: 'json' };

const MISSING_MEMBER = { path: 'name', message: 'This member is required.', code: 'required' };

function example(code: ProblemCode, members: readonly NamedMember[]): Example {
  const { title } = PROBLEMS[code];
  const status = statusOf(code);
  const own = Object.fromEntries(
    members.filter((member) => member.code === code).map((member) => [member.name, member.example]),
  );
  const fault = status === 400 ? WHOLE_BODY : MISSING_MEMBER;
  const errors = hasErrors(status) ? { errors: [fault] } : {};
  const { detail } = hasErrors(status) ? faulty(code, [fault]).details : { detail: DETAILS[code] ?? `${title}.` };
  return {
    summary: title,
    value: { type: typeOf(code), title, status, detail, code, requestId: 'Yx4dGjT1oAMEJzQ=', ...errors, ...own },
  };
}
