import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { openApiDocument } from '#shared/openapi/document.ts';
import type { Content, Example, Operation, Reference, Response } from '#shared/openapi/types.ts';
import { routes } from '#shared/routes.ts';
import { sourceOf } from '#test/architecture/modules.ts';
import { faultsAt, pointer } from '#test/support/openapi-validator.ts';

const document = openApiDocument(routes);

const operations = routes.map((endpoint) => {
  const method = endpoint.method.toLowerCase();
  const operation = document.paths[endpoint.path]?.[method] as Operation;
  return { endpoint, operation, at: pointer('paths', endpoint.path, method), name: endpoint.operationId };
});

/** A file tells of the resource that it is below. */
function resourceOf({ response, path }: Endpoint): v.GenericSchema | undefined {
  if (response.kind === 'resource' || response.kind === 'rehearsable') return response.schema;
  const above = path.slice(0, path.lastIndexOf('/'));
  const owner = routes.find((route) => route.method === 'GET' && route.path === above);
  return response.kind === 'raw' && owner ? resourceOf(owner) : undefined;
}

describe('the OpenAPI document', () => {
  it('is the one that was reviewed last', () => {
    const golden = JSON.parse(sourceOf('test/golden/openapi.json'));
    expect(golden, 'run "npm run openapi" and review the change').toEqual(document);
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(sourceOf('package.json'));
    expect(document.info.version).toBe(version);
  });
});

describe.each(operations)('the operation $name', ({ endpoint, operation, at }) => {
  it('shows only faults of what it takes or of its resource, each with the code of its own rule', () => {
    const taken = new Set([
      '',
      ...[endpoint.body, endpoint.query, resourceOf(endpoint)].flatMap((schema) =>
        Object.keys((schema && 'entries' in schema && schema.entries) || {}),
      ),
      ...(operation.parameters ?? []).map(({ name }) => name),
      'starting_after',
      'Billwright-Organization',
    ]);
    for (const { code, errors = [] } of problemsShown(operation)) {
      for (const { path } of errors) expect(taken, `${code} of ${path}`).toContain(path.split('.')[0]);
      for (const fault of errors) {
        expect(fault.code === 'json', `${code} says ${fault.code}`).toBe(code === 'malformed_json');
        expect(fault.code === 'required' && code !== 'validation_failed').toBe(false);
      }
    }
  });

  it('has in its path the id of the example of its resource', () => {
    const [, above = ''] = /^(.*?\{\w+\})/.exec(endpoint.path) ?? [];
    const owner = routes.find(({ method, path }) => method === 'GET' && path === above) ?? endpoint;
    const id = operation.parameters?.find((parameter) => parameter.in === 'path')?.example;
    if (id && v.is(v.object({ id: v.string() }), owner.example.response)) {
      expect(owner.example.response.id).toBe(id);
    }
  });

  it('has examples of its responses that fit their schemas', () => {
    const faults = Object.entries(operation.responses).flatMap(([status, response]) =>
      exampleFaults(
        resolve(response).content,
        '$ref' in response ? response.$ref.slice(1) : `${at}${pointer('responses', status)}`,
      ),
    );
    expect(faults).toEqual([]);
  });
});

function exampleOf(example: Example | Reference): Example {
  return '$ref' in example ? (document.components.examples[example.$ref.split('/').at(-1) ?? ''] as Example) : example;
}

const problem = v.object({
  code: v.string(),
  detail: v.pipe(v.string(), v.minLength(10)),
  errors: v.optional(v.array(v.object({ path: v.string(), message: v.string(), code: v.string() }))),
});

function problemsShown({ responses }: Operation) {
  return Object.values(responses)
    .map(resolve)
    .flatMap(({ content }) => Object.values(content['application/problem+json']?.examples ?? {}))
    .map((example) => v.parse(problem, exampleOf(example).value));
}

function resolve(response: Operation['responses'][string]): Response {
  return '$ref' in response
    ? (document.components.responses[response.$ref.split('/').at(-1) ?? ''] as Response)
    : response;
}

/** Only what is no JSON, or is this document itself, can do without an example. */
function exampleFaults(content: Content, at: string): string[] {
  return Object.entries(content).flatMap(([type, media]) => {
    const { schema } = media;
    const needsNone =
      !type.includes('json') || !('properties' in schema || '$ref' in schema || 'allOf' in schema || 'oneOf' in schema);
    const values = needsNone ? [] : shownIn(media);
    return values.flatMap((value) => faultsAt(`${at}${pointer('content', type, 'schema')}`, value));
  });
}

function shownIn({ example, examples }: Content[string]): unknown[] {
  return examples ? Object.values(examples).map((each) => exampleOf(each).value) : [example];
}
