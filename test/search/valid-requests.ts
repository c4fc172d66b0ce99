import fc from 'fast-check';
import * as v from 'valibot';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { PARAMETERS_OF_PAGING } from '#shared/contract/pagination.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import type { Operation } from '#shared/openapi/types.ts';
import { routes } from '#shared/routes.ts';
import { LOGO } from '#test/support/pictures.ts';
import type { KnownIds, RandomRequest } from '#test/support/random-requests.ts';
import { operationOf, pathTo } from '#test/support/resources.ts';
import { type Hints, valuesOf } from './schema-values.ts';

/** Requests that fit the schemas of the OpenAPI document, made from nothing but it and the resources that exist. */
export interface SchemaRequest extends RandomRequest {
  /** Whether the contract takes body and query: it has rules that a JSON Schema cannot say. */
  readonly isValid: boolean;
}

const document = openApiDocument(routes);

export function schemaRequest(
  endpoint: Endpoint,
  pathIds: fc.Arbitrary<string>,
  hints: Hints,
): fc.Arbitrary<SchemaRequest> {
  const { method, path } = endpoint;
  const operation = operationOf(endpoint);
  return fc
    .record({
      id: pathIds,
      query: preferring((query) => fitsQuery(endpoint, query), queryOf(operation, hints)),
      body: preferring((body) => fitsBody(endpoint, body), requestBodyOf(endpoint, operation, hints)),
    })
    .map(({ id, query, body }) => ({
      method,
      path: pathTo(path, id),
      query: Object.fromEntries(
        Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
      ),
      ...(endpoint.file ? LOGO : { rawBody: body === undefined ? undefined : JSON.stringify(body) }),
      isValid: fitsQuery(endpoint, query) && fitsBody(endpoint, body),
    }));
}

function fitsQuery({ query: schema }: Endpoint, query: unknown): boolean {
  return !schema || v.is(schema, query);
}

function fitsBody({ body: schema, bodyOptional }: Endpoint, body: unknown): boolean {
  return !schema || v.is(schema, body ?? (bodyOptional ? {} : undefined));
}

/**
 * Draws of which the first that fits is taken: rules between members, which a JSON Schema does not say, make many
 * values wrong.
 */
const DRAWS = 4;

function preferring<T>(fits: (value: T) => boolean, values: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc
    .tuple(values, fc.array(values, { minLength: DRAWS - 1, maxLength: DRAWS - 1 }))
    .map(([first, others]) => [first, ...others].find(fits) ?? first);
}

function queryOf({ parameters = [] }: Operation, hints: Hints): fc.Arbitrary<Record<string, unknown>> {
  const members = parameters.filter((parameter) => parameter.in === 'query');
  const requiredKeys = members.filter(({ required }) => required).map(({ name }) => name);
  const values = members.map(({ name, schema }) => [name, valuesOf(schema, document.components.schemas, hints, name)]);
  const queries: fc.Arbitrary<Record<string, unknown>> = fc.record(Object.fromEntries(values), { requiredKeys });
  return queries.map(ofOnePaging);
}

/** The contract's schema takes parameters of the other way of paging: the HTTP layer refuses them. */
function ofOnePaging(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const others: readonly string[] = PARAMETERS_OF_PAGING[query.pagination === 'cursor' ? 'offset' : 'cursor'];
  return Object.fromEntries(Object.entries(query).filter(([name]) => !others.includes(name)));
}

function requestBodyOf({ bodyOptional }: Endpoint, { requestBody }: Operation, hints: Hints): fc.Arbitrary<unknown> {
  const schema = requestBody?.content['application/json']?.schema;
  if (!schema) return fc.constant(undefined);
  const values = valuesOf(schema, document.components.schemas, hints);
  return bodyOptional ? fc.option(values, { freq: 5, nil: undefined }) : values;
}

/** Whose resources a member with an id may name. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  clientId: ['/clients/{id}'],
  projectId: ['/v1/work/tracker/projects/{id}'],
  productId: ['/products/{id}'],
  entryIds: ['/v1/work/tracker/entries/{id}'],
  userId: ['/v1/users/{id}'],
  additionalProperties: ['/clients/{id}', '/v1/work/tracker/projects/{id}', '/v1/users/{id}'],
};

/** @returns the ids that a member of a body or query, called so, may well have */
export function idsFor(name: string, known: KnownIds): readonly string[] {
  return (PATHS[name] ?? []).flatMap((path) => known.get(path) ?? []);
}

const CURRENCIES = ['USD', 'usd', 'EUR', 'JPY', 'BHD'];
const COUNTRIES = ['DE', 'us', 'JP'];
const WORDS = ['', 'a', 'x', 'work', 'Acme', '\u00e9', '%'];

/** Known of every organization: which codes and URLs are good, and which words find something. */
export const commonHints: Hints = (name, { type }) => {
  const orNull = (values: readonly string[]) =>
    fc.constantFrom(...values, ...(Array.isArray(type) && type.includes('null') ? [null] : []));
  switch (name) {
    case 'currency':
      return orNull(CURRENCIES);
    case 'countryCode':
      return orNull(COUNTRIES);
    case 'q':
      return fc.constantFrom(...WORDS);
    case 'url':
      return fc.constantFrom('https://hooks.example.com', 'HTTPS://a.example:443/\u00e9?b=%20');
    case 'source':
      return fc.constantFrom('native_tracker', 'remote_api', 'import', 'elsewhere');
    default:
      return undefined;
  }
};
