import { isDeepStrictEqual } from 'node:util';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '#shared/openapi/document.ts';
import type { Header, JsonSchema, Operation, Reference, Response } from '#shared/openapi/types.ts';
import { routes } from '#shared/routes.ts';

/** Compares real responses with the OpenAPI document. */

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  /** The value of a JSON body, or the text of any other body. */
  readonly body: unknown;
}

/** The body as it is compared: the value of a JSON body, or the text of any other body. */
export function bodyOf({ headers, text }: { readonly headers: Headers; readonly text: string }): unknown {
  return text !== '' && /\bjson\b/.test(headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}

/**
 * Compares a response with the document: its status, its content type, the headers that are always there, and its
 * body. The body must fit the schema and have no other member. The document leaves responses open for later versions.
 * Here they are closed, because nothing undocumented may leave the service.
 *
 * @param path as it was called, with real ids and without the query
 * @throws Error if the document does not allow the response
 */
export function assertDocumented(method: string, path: string, answered: Answered): void {
  if (isPreflight(method, answered) || isOfGateway(answered)) return;
  const located = locate(method, path);
  const faults =
    method === 'HEAD' ? headFaults(answered) : located ? responseFaults(located, answered) : unroutedFaults(answered);
  if (faults.length === 0) return;
  const body = JSON.stringify(answered.body)?.slice(0, 1_000);
  throw new Error(
    [
      `${method} ${path} answered ${answered.status} as the OpenAPI document does not say:`,
      ...faults,
      `body: ${body}`,
    ].join('\n  '),
  );
}

/** API Gateway answers preflights itself. They belong to no operation. */
function isPreflight(method: string, { status }: Answered): boolean {
  return method === 'OPTIONS' && status === 204;
}

/**
 * What API Gateway refuses before a function runs. Its answer for a function that failed does not
 * count: that is a fault.
 */
function isOfGateway({ status, headers, body }: Answered): boolean {
  return !headers.has('x-request-id') && isDeepStrictEqual(body, { message: GATEWAY_REFUSALS[status] });
}

const GATEWAY_REFUSALS: Readonly<Record<number, string>> = { 400: 'Bad Request', 413: 'Request Entity Too Large' };

const document = openApiDocument(routes);

const DOCUMENT_ID = 'openapi';

const ajv = new Ajv2020({ allErrors: true, strict: false });
formats.default(ajv);
ajv.addSchema(closed(document) as JsonSchema, DOCUMENT_ID);

interface Located {
  readonly operation: Operation;
  /** JSON pointer of the operation. */
  readonly pointer: string;
}

function locate(method: string, path: string): Located | undefined {
  if (!isUrlPath(path)) return undefined;
  const template = templateOf(path);
  const operation = template && document.paths[template]?.[method.toLowerCase()];
  return operation ? { operation, pointer: pointer('paths', template, method.toLowerCase()) } : undefined;
}

/** The gateway refuses a path that is not a URL path, before it looks for a route. */
function isUrlPath(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/** A literal segment wins over a parameter, whatever methods its path has (`shared/contract/path.ts`). */
const TEMPLATES = Object.keys(document.paths)
  .map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
    parameters: template.split('{').length - 1,
  }))
  .sort((a, b) => a.parameters - b.parameters);

/** @returns the path in the document that a called path is one of */
export function templateOf(path: string): string | undefined {
  return TEMPLATES.find(({ pattern }) => pattern.test(path))?.template;
}

function responseFaults({ operation, pointer: at }: Located, { status, headers, body }: Answered): string[] {
  const declared = operation.responses[status];
  if (!declared) return [`its statuses are ${Object.keys(operation.responses).join(', ')}`];
  const [response, responseAt] = resolve(declared, `${at}${pointer('responses', String(status))}`);
  const type = mediaType(headers);
  const isEmpty = Object.keys(response.content).length === 0;
  if (isEmpty && body !== '') return ['it has a body'];
  if (!isEmpty && !response.content[type])
    return [`content-type is "${type}" instead of ${Object.keys(response.content).join(' or ')}`];
  return [
    ...headerFaults(response, headers),
    ...rateLimitFaults(operation, { status, headers, body }),
    ...(type === PROBLEM_TYPE ? wordFaults(body as ProblemBody) : []),
    ...linkFaults(headers, body),
    ...(isEmpty ? [] : faultsAt(`${responseAt}${pointer('content', type, 'schema')}`, body)),
  ];
}

/** A response that belongs to no operation must be one of the catalogue's problems. */
function unroutedFaults(answered: Answered): string[] {
  const { status, body } = answered;
  const told = (body as { status?: unknown } | null)?.status;
  const differs = told === status ? [] : [`its status is ${status}, and the body says ${told}`];
  return [
    ...headFaults(answered),
    ...differs,
    ...faultsOf(validatorOfUnrouted, body),
    ...wordFaults(body as ProblemBody),
  ];
}

/** No operation has HEAD. It is refused like any other method that a path does not have, but without a body. */
function headFaults({ status, headers }: Answered): string[] {
  const demanded = ['X-Request-Id', ...(status === 405 ? ['Allow'] : [])];
  const missing = demanded.filter((name) => !headers.has(name)).map((name) => `the header ${name} is missing`);
  const type = mediaType(headers);
  return type === PROBLEM_TYPE ? missing : [...missing, `content-type is "${type}" instead of ${PROBLEM_TYPE}`];
}

const PROBLEM_TYPE = 'application/problem+json';

const validatorOfUnrouted = ajv.compile({
  allOf: [{ $ref: `${DOCUMENT_ID}#/components/schemas/Problem` }],
  properties: {
    code: {
      enum: ['route_not_found', 'method_not_allowed', 'internal_error'],
    },
  },
  unevaluatedProperties: false,
});

function headerFaults(response: Response, headers: Headers): string[] {
  return Object.entries(response.headers).flatMap(([name, declared]) => {
    const [header, at] = resolve<Header>(declared, '');
    const value = headers.get(name);
    if (value === null) return header.required ? [`the header ${name} is missing`] : [];
    return faultsAt(`${at}/schema`, header.schema.type === 'integer' ? Number(value) : value, `header ${name}`);
  });
}

/** Made for a person, before it is known which user it is. */
const OF_A_PERSON = /"code":"(?:not_a_member|organization_required)"/;

/** Every authenticated response says the rate limit, unless it was made before the key or user was looked up. */
function rateLimitFaults({ security, operationId }: Operation, { status, headers, body }: Answered): string[] {
  const refusesPeople = status === 403 && !security.some(({ signIn }) => signIn);
  const ofPerson = refusesPeople || operationId === 'listOwnOrganizations' || OF_A_PERSON.test(JSON.stringify(body));
  const isExempt = security.length === 0 || status === 401 || status === 413 || status >= 500 || ofPerson;
  const demanded = [...(isExempt ? [] : ['RateLimit', 'RateLimit-Policy']), ...(status === 429 ? ['Retry-After'] : [])];
  return demanded.filter((name) => !headers.has(name)).map((name) => `the header ${name} is missing`);
}

interface ProblemBody {
  readonly title: string;
  readonly detail: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** It may begin with the place of a fault: `rows.3.date: Expected a date.` */
const SENTENCE = /^\w.* .*\.$/s;

/** What a problem tells a person are whole sentences, whichever of them a test compares. */
function wordFaults({ title, detail, errors = [] }: ProblemBody): string[] {
  return [
    ...(title === '' ? ['its title is empty'] : []),
    ...(SENTENCE.test(detail) ? [] : [`its detail is no sentence: "${detail}"`]),
    ...errors
      .filter(({ message }) => !SENTENCE.test(message))
      .map(({ path, message }) => `the message of ${path} is no sentence: "${message}"`),
  ];
}

/**
 * A page of a list by cursor links to the first page, to the last page, and to each neighbour that it has. No
 * other response has links.
 */
function linkFaults(headers: Headers, body: unknown): string[] {
  const links = headers.get('link');
  if (typeof body !== 'object' || body === null || !('pageInfo' in body)) return links === null ? [] : ['it has links'];
  const { hasPreviousPage, hasNextPage } = body.pageInfo as { hasPreviousPage: unknown; hasNextPage: unknown };
  const demanded = ['first', ...(hasPreviousPage ? ['prev'] : []), ...(hasNextPage ? ['next'] : []), 'last'];
  const relations = [...(links ?? '').matchAll(/rel="(\w+)"/g)].map(([, relation]) => relation);
  return relations.join() === demanded.join() ? [] : [`its links are "${links}" instead of ${demanded.join(', ')}`];
}

const validators = new Map<string, ValidateFunction>();

/** Says in words why a value does not fit the schema at a JSON pointer of the (closed) document. */
export function faultsAt(at: string, value: unknown, name = 'body'): string[] {
  const validate = validators.get(at) ?? ajv.compile({ $ref: `${DOCUMENT_ID}#${encodeURI(at)}` });
  validators.set(at, validate);
  return faultsOf(validate, value, name);
}

function faultsOf(validate: ValidateFunction, value: unknown, name = 'body'): string[] {
  validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${name}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/**
 * Follows a reference to a component.
 *
 * @returns the component and its JSON pointer
 */
function resolve<T extends Response | Header>(declared: T | Reference, at: string): [T, string] {
  if (!('$ref' in declared)) return [declared, at];
  const target = declared.$ref.slice(1);
  const [, , kind, name] = target.split('/');
  const components = document.components[kind as 'responses' | 'headers'] as Readonly<Record<string, T>>;
  const found = name && components[name];
  if (!found) throw new Error(`The document has no ${declared.$ref}.`);
  return [found, target];
}

function mediaType(headers: Headers): string {
  return headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? 'none';
}

/** `pointer("paths", "/health")` -> `/paths/~1health` */
export function pointer(...keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The document with all objects closed. Parts of an `allOf` stay open, and the whole of them is closed. */
function closed(value: unknown, isPart = false): unknown {
  if (Array.isArray(value)) return value.map((item) => closed(item, isPart));
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, closed(child, key === 'allOf' || key === 'Problem')]),
  );
  if ('allOf' in inner) return { ...inner, unevaluatedProperties: false };
  const isClosable = !isPart && inner.type === 'object' && 'properties' in inner && !('additionalProperties' in inner);
  return isClosable ? { ...inner, additionalProperties: false } : inner;
}
