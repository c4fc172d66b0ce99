import { isDeepStrictEqual } from 'node:util';
import { type Endpoint, type ProblemMember, pascalCase, problemsOf } from '#shared/contract/endpoint.ts';
import { STATUS_OF_KIND } from '#shared/contract/statuses.ts';
import { kindsOf, PROBLEMS, type ProblemCode } from '#shared/domain/problems.ts';
import { type HeaderName, headerReferences } from './headers.ts';
import { generalSample, type Sample, sampleOf } from './problem-samples.ts';
import { type SchemaRegistry, schemaReference } from './schemas.ts';
import type { Example, JsonSchema, ProblemEntry, Reference, Response } from './types.ts';

export const PROBLEM_CODES = Object.keys(PROBLEMS).sort() as ProblemCode[];

export function problemEntries(routes: readonly Endpoint[]): Record<string, ProblemEntry> {
  const general = generalProblems(routes);
  return Object.fromEntries(
    PROBLEM_CODES.map((code) => [
      code,
      {
        type: typeOf(code),
        status: usualStatusOf(code),
        title: PROBLEMS[code].title,
        ...(general.has(code) && { isGeneral: true }),
      },
    ]),
  );
}

/** Problems of the steps around every operation, but for the 422, whose faults depend on the operation. */
export function generalProblems(routes: readonly Endpoint[]): ReadonlySet<ProblemCode> {
  const ofSteps = (route: Endpoint) => problemsOf(route).filter((code) => !route.problems?.includes(code));
  return new Set(routes.flatMap(ofSteps).filter((code) => code !== 'validation_failed'));
}

export type ProblemComponents = ReadonlyMap<string, Response>;

/** A longer name tells less than what it stands for. */
const LONGEST_NAME = 60;

/** Responses that several operations share, by name. */
export function problemComponents(routes: readonly Endpoint[], schemas: SchemaRegistry): ProblemComponents {
  const all = routes.flatMap((endpoint) =>
    byStatus(problemsOf(endpoint)).map(([status, codes]) => ({
      name: nameOf(codes, endpoint),
      endpoint,
      status,
      codes,
    })),
  );
  const shared = [...Map.groupBy(all, ({ name }) => name)].flatMap(([name, [first, ...others]]) =>
    first && others.length > 0 && name.length <= LONGEST_NAME ? [{ ...first, name }] : [],
  );
  const named = shared.map(
    ({ name, endpoint, status, codes }) => [name, response(endpoint, status, codes, schemas)] as const,
  );
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The responses of an endpoint by status, in full where they differ from the component. */
export function problemResponses(
  endpoint: Endpoint,
  schemas: SchemaRegistry,
  components: ProblemComponents,
): Record<string, Reference | Response> {
  return Object.fromEntries(
    byStatus(problemsOf(endpoint)).map(([status, codes]) => {
      const name = nameOf(codes, endpoint);
      const own = response(endpoint, status, codes, schemas);
      const isAlike = isDeepStrictEqual(components.get(name), own);
      return [status, isAlike ? { $ref: `#/components/responses/${name}` } : own];
    }),
  );
}

export function problemExamples(routes: readonly Endpoint[]): Record<string, Example> {
  const shared = new Set(routes.flatMap((route) => problemsOf(route).filter((code) => isShared(code, route))));
  return Object.fromEntries(
    [...shared].sort().flatMap((code) => {
      const sample = generalSample(code);
      return sample ? [[pascalCase(code), example(code, sample)]] : [];
    }),
  );
}

function isShared(code: ProblemCode, endpoint: Endpoint): boolean {
  return problemMembers(endpoint, [code]).length === 0 && generalSample(code) !== undefined;
}

/** From the first operation that has this problem. */
export function problemExample(code: ProblemCode, routes: readonly Endpoint[]): Example {
  const route = routes.find((each) => problemsOf(each).includes(code));
  const sample = generalSample(code) ?? (route && sampleOf(code, route));
  if (!sample) throw new Error(`The reference has no example of ${code}.`);
  return example(code, sample, { own: route && memberExamples(route, code) });
}

interface NamedMember extends ProblemMember {
  readonly code: ProblemCode;
  readonly name: string;
}

/** Additional members of the problems of an endpoint. */
export function problemMembers(
  endpoint: Endpoint,
  codes: readonly ProblemCode[] = problemsOf(endpoint),
): NamedMember[] {
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
        description: 'The stable URI of the kind of problem: `/problems/{code}`.',
      },
      title: { type: 'string', description: 'The kind of problem, in a few words.' },
      status: { type: 'integer', minimum: 400, maximum: 599, description: 'The status of the response.' },
      detail: {
        type: 'string',
        description: 'A sentence about this request; with several faults, about the first.',
      },
      code: { type: 'string', enum: PROBLEM_CODES, description: 'The stable name of the problem, for programs.' },
      requestId: { type: 'string', description: 'The value of the header `x-request-id`.' },
      errors: schemaReference('Violations'),
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  },
  Violation: {
    title: 'Violation',
    description: 'A fault of a request.',
    type: 'object',
    properties: {
      path: {
        type: 'string',
        description: 'Dotted path with array positions as numbers; empty for the whole body.',
        examples: ['rows.3.date'],
      },
      message: {
        type: 'string',
        description:
          'A sentence for people about the expected value. It repeats no value that was sent, but for a number or a duration in the form that is expected.',
      },
      code: { type: 'string', examples: ['required'], description: 'The stable name of the fault, for programs.' },
      rule: {
        type: 'string',
        examples: ['BR-DE-15'],
        description: 'The broken rule of an e-invoice, as its specification calls it. Only with `e_invoice_rule`.',
      },
    },
    required: ['path', 'message', 'code'],
  },
  Violations: {
    title: 'Violations',
    description: 'The first 100 faults. Every 400 and 422 has them.',
    type: 'array',
    minItems: 1,
    items: schemaReference('Violation'),
  },
};

/** The usual one first. */
export function statusesOf(code: ProblemCode): number[] {
  return kindsOf(code).map((kind) => STATUS_OF_KIND[kind]);
}

function usualStatusOf(code: ProblemCode): number {
  return STATUS_OF_KIND[PROBLEMS[code].kind];
}

function typeOf(code: ProblemCode): string {
  return `/problems/${code}`;
}

function byStatus(codes: readonly ProblemCode[]): [status: number, codes: ProblemCode[]][] {
  const statused = [...codes].sort().flatMap((code) => statusesOf(code).map((status) => ({ status, code })));
  const groups = Map.groupBy(statused, ({ status }) => status);
  return [...groups].sort(([a], [b]) => a - b).map(([status, group]) => [status, group.map(({ code }) => code)]);
}

/** `['malformed_encoding', 'malformed_json']` -> `MalformedEncodingOrMalformedJson` */
function nameOf(codes: readonly ProblemCode[], { scope }: Endpoint): string {
  return codes.map((code) => pascalCase(code === 'insufficient_scope' ? `${code}_${scope}` : code)).join('Or');
}

function response(
  endpoint: Endpoint,
  status: number,
  codes: readonly ProblemCode[],
  schemas: SchemaRegistry,
): Response {
  const members = problemMembers(endpoint, codes);
  return {
    description: codes.map((code) => `${PROBLEMS[code].title}.`).join(' '),
    headers: headerReferences(headersOf(status, codes)),
    content: {
      'application/problem+json': {
        schema: schemaOf(status, codes, members, schemas),
        examples: Object.fromEntries(codes.map((code) => [code, exampleFor(endpoint, status, code)])),
      },
    },
  };
}

/** No 401 has the headers of the rate limit, which is known only once the key is. */
function headersOf(status: number, codes: readonly ProblemCode[]): HeaderName[] {
  const common: HeaderName[] = ['x-request-id', 'RateLimit', 'RateLimit-Policy'];
  if (status === 401) return ['x-request-id', 'WWW-Authenticate'];
  const mayRetry = status === 429 || status === 503 || codes.some((code) => PASSING_CONFLICTS.has(code));
  return mayRetry ? [...common, 'Retry-After'] : common;
}

const PASSING_CONFLICTS: ReadonlySet<ProblemCode> = new Set(['idempotency_in_progress', 'invoicing_in_progress']);

function schemaOf(
  status: number,
  codes: readonly ProblemCode[],
  members: readonly NamedMember[],
  schemas: SchemaRegistry,
): JsonSchema {
  const properties = { status: { const: status }, code: { type: 'string', enum: codes } };
  const faults = { properties: { ...properties, errors: schemaReference('Violations') }, required: ['errors'] };
  const narrowed = { type: 'object', ...(status === 400 || status === 422 ? faults : { properties }) };
  return { allOf: [schemaReference('Problem'), narrowed, ...ownMembers(codes, members, schemas)] };
}

/** Each problem with members of its own is an alternative, so that in generated types its code tells that it has them. */
function ownMembers(
  codes: readonly ProblemCode[],
  members: readonly NamedMember[],
  schemas: SchemaRegistry,
): JsonSchema[] {
  if (members.length === 0) return [];
  const byCode = Map.groupBy(members, ({ code }) => code);
  const own = [...byCode].map(([code, named]) => ({
    properties: {
      code: { const: code },
      ...Object.fromEntries(named.map(({ name, schema }) => [name, schemas.ofOutput(schema)])),
    },
    required: ['code', ...named.map(({ name }) => name)],
  }));
  const others = codes.filter((code) => !byCode.has(code));
  const other = { properties: { code: { type: 'string', enum: others } }, required: ['code'] };
  const alternatives = others.length > 0 ? [...own, other] : own;
  return alternatives.length > 1 ? [{ oneOf: alternatives }] : alternatives;
}

function exampleFor(endpoint: Endpoint, status: number, code: ProblemCode): Example | Reference {
  const isUsual = status === usualStatusOf(code);
  if (isUsual && isShared(code, endpoint)) return { $ref: `#/components/examples/${pascalCase(code)}` };
  return example(code, sampleOf(code, endpoint), { status, own: memberExamples(endpoint, code) });
}

function memberExamples(endpoint: Endpoint, code: ProblemCode): Record<string, unknown> {
  return Object.fromEntries(problemMembers(endpoint, [code]).map((member) => [member.name, member.example]));
}

function example(
  code: ProblemCode,
  { detail, ...faults }: Sample,
  { status = usualStatusOf(code), own }: { readonly status?: number; readonly own?: Record<string, unknown> } = {},
): Example {
  const { title } = PROBLEMS[code];
  const value = { type: typeOf(code), title, status, detail, code, requestId: 'Yx4dGjT1oAMEJzQ=' };
  return { summary: title, value: { ...value, ...faults, ...own } };
}
