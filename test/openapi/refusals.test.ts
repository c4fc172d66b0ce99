import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { PARAMETERS_OF_PAGING } from '#shared/contract/pagination.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import { resolved } from '#shared/openapi/page/resolved.ts';
import type { JsonSchema, Operation } from '#shared/openapi/types.ts';
import { routes } from '#shared/routes.ts';
import { faultsOfBody, faultsOfQuery } from '#test/support/refusals.ts';

/**
 * What the document demands of each member is refused where it is not so: a wrong type, a missing member, a text or a list
 * that is too long, another value than those of a list. `test/golden/openapi.json` shows what it demands. Rules that no JSON
 * Schema says are tested with their operations.
 */

const document = openApiDocument(routes);

/** A member by its path, with a value that the document forbids, and the code of the fault. Undefined: it is left out. */
type Mutation = readonly [path: string, value: unknown, code: string];

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemaIn = (value: unknown): JsonSchema => (isObject(value) ? value : {});

const typesOf = ({ type }: JsonSchema): readonly unknown[] => (Array.isArray(type) ? type : [type]);

function* mutationsOfValue(schema: JsonSchema, path: string): Generator<Mutation> {
  const { enum: values, format, maxItems, maxLength, maximum, minLength, minimum, pattern } = schema;
  const types = typesOf(schema);
  if (types[0] === undefined) return;
  const wrongType = values ? 'enum' : 'type';
  yield [path, types.includes('object') ? 'text' : {}, wrongType];
  if (!types.includes('null')) yield [path, null, wrongType];
  if (values) yield [path, 'none of them', 'enum'];
  if (format === 'uuid') yield [path, 'x', 'format'];
  if (format === 'date') yield [path, '2026-02-29', 'date'];
  if (typeof minimum === 'number') yield [path, minimum - 1, 'range'];
  if (typeof maximum === 'number') yield [path, maximum + 1, 'range'];
  if (typeof maxItems === 'number') yield [path, Array(maxItems + 1).fill({}), 'length'];
  if (types.includes('string') && !format && !values) {
    if (typeof maxLength === 'number') yield [path, 'x'.repeat(maxLength + 1), 'length'];
    if (typeof minLength === 'number' && minLength > 0 && !pattern) yield [path, '', 'length'];
  }
}

/** @param sample of an object that is right */
function* mutationsOf(schema: JsonSchema, sample: Json, path = ''): Generator<Mutation> {
  const { properties, required } = schema;
  for (const [name, member] of Object.entries(schemaIn(properties))) {
    const at = path === '' ? name : `${path}.${name}`;
    const demanded = schemaIn(member);
    yield* mutationsOfValue(demanded, at);
    if (Array.isArray(required) && required.includes(name)) yield [at, undefined, 'required'];
    const value = sample[name];
    if (isObject(value)) yield* mutationsOf(demanded, value, at);
    const [element] = Array.isArray(value) ? value : [];
    if (isObject(element)) yield* mutationsOf(schemaIn(demanded.items), element, `${at}.0`);
    else if (element !== undefined) yield* mutationsOfValue(schemaIn(demanded.items), `${at}.0`);
  }
}

function withValue(sample: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const changed = rest.length === 0 ? value : withValue((sample as Json)[name], rest, value);
  return Array.isArray(sample) ? sample.with(Number(name), changed) : { ...(sample as Json), [name]: changed };
}

const operationOf = ({ method, path }: Endpoint) =>
  resolved(document.paths[path]?.[method.toLowerCase()], document) as Operation;

const bodied = routes.filter(({ body }) => body !== undefined);

describe.each(bodied.map((endpoint) => [endpoint.operationId, endpoint] as const))('a body of %s', (_, endpoint) => {
  const { body = {}, otherBodies = {} } = endpoint.example;
  const samples = [body, ...Object.values(otherBodies).map(({ value }) => value)].filter(isObject);
  const schema = schemaIn(operationOf(endpoint).requestBody?.content['application/json']?.schema);
  const cases = samples.flatMap((sample) => [...mutationsOf(schema, sample)].map((each) => ({ sample, each })));

  it('is right as in its examples', () => {
    for (const sample of samples) expect(faultsOfBody(endpoint, sample)).toEqual([]);
  });

  it.each(cases)('is refused for $each.0 with $each.2', ({ sample, each: [path, value, code] }) => {
    const faults = faultsOfBody(endpoint, withValue(sample, path.split('.'), value));
    expect(faults).toContainEqual({ path, message: expect.any(String), code });
  });
});

/** They are looked at where a request pages by cursor. */
const OF_CURSORS: ReadonlySet<string> = new Set(PARAMETERS_OF_PAGING.cursor);

const queried = routes.filter(({ query }) => query !== undefined);

describe.each(queried.map((endpoint) => [endpoint.operationId, endpoint] as const))('a query of %s', (_, endpoint) => {
  const parameters = (operationOf(endpoint).parameters ?? []).filter((parameter) => parameter.in === 'query');
  const cases = parameters.flatMap(({ name, schema, required }) => [
    ...[...mutationsOfValue(schema, name)].filter(([, value]) => typeof value !== 'object'),
    ...(typesOf(schema).some((type) => type === 'string' || type === 'array') ? [] : [[name, 'x', 'type'] as const]),
    ...(required ? [[name, undefined, 'required'] as const] : []),
  ]);

  it.each(cases)('is refused for %s=%s with %s', (name, value, code) => {
    const others = parameters.filter(({ required }) => required).map((each) => [each.name, String(each.example)]);
    const paging = OF_CURSORS.has(name) && { pagination: 'cursor' };
    const query = { ...Object.fromEntries(others), ...paging, [name]: value === undefined ? undefined : String(value) };
    expect(faultsOfQuery(endpoint, query)).toContainEqual({ path: name, message: expect.any(String), code });
  });
});
