import { type GenericSchema, pipe, title } from 'valibot';
import { type Endpoint, type ResponseShape, taggedSchema, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import { EXAMPLE_CURSOR } from '#shared/contract/pagination.ts';
import { csvOf } from '#shared/domain/csv.ts';
import { guideLinks } from './guides.ts';
import { headerReferences, isConditional } from './headers.ts';
import { EXAMPLE_ID, membersOf, parametersOf } from './parameters.ts';
import { type ProblemComponents, problemResponses } from './problems.ts';
import { type SchemaRegistry, schemaReference } from './schemas.ts';
import type { Content, JsonSchema, Operation, RequestBody, Response, SecurityRequirement } from './types.ts';

/** One endpoint of the contract as an OpenAPI operation. */
export function operation(endpoint: Endpoint, schemas: SchemaRegistry, problems: ProblemComponents): Operation {
  const { operationId, area, summary } = endpoint;
  const parameters = parametersOf(endpoint, schemas);
  return {
    operationId,
    tags: [area],
    summary,
    ...withDescription(endpoint),
    security: security(endpoint),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(endpoint.body ? { requestBody: requestBody(endpoint, endpoint.body, schemas) } : {}),
    responses: {
      ...successes(endpoint, schemas),
      ...(isConditional(endpoint) && { 304: { $ref: `#/components/responses/${NOT_MODIFIED}` } }),
      ...problemResponses(endpoint, schemas, problems),
    },
  };
}

export const SECURITY_SCHEME = 'apiKey';

function security({ scope }: Endpoint): SecurityRequirement[] {
  if (scope === null) return [];
  return [{ [SECURITY_SCHEME]: scope === 'any' ? [] : [scope] }];
}

const CSV =
  'With `Accept: text/csv` the response is a file with all rows (RFC 4180), at most 10,000 of them and 5 MB. A cell that begins with `=`, `+`, `-`, `@` or a control character has an apostrophe before it.';

function withDescription(endpoint: Endpoint) {
  const { scope, description, weight, csv } = endpoint;
  const guides = guideLinks(endpoint);
  const demand = scope === 'any' ? 'Takes any valid key, whatever its scopes.' : `Needs the scope \`${scope}\`.`;
  const counted = typeof weight === 'number' ? `${weight} requests` : weight?.description;
  const sentences = [
    description,
    csv && CSV,
    scope && demand,
    counted && `The rate limit counts it as ${counted}.`,
    guides && `Guide: ${guides}.`,
  ].filter(Boolean);
  return sentences.length > 0 ? { description: sentences.join('\n\n') } : {};
}

/** The body is a component, so that a generated client has a name for it: `createInvoice` -> `CreateInvoice`. */
function requestBody(endpoint: Endpoint, body: GenericSchema, schemas: SchemaRegistry): RequestBody {
  const { operationId, bodyOptional, example } = endpoint;
  const name = operationId.replace(/^./, (letter) => letter.toUpperCase());
  const { body: value, otherBodies } = example;
  const shown = otherBodies ? { examples: { plain: { summary: 'Plain', value }, ...otherBodies } } : { example: value };
  const schema = schemas.ofInput(pipe(body, title(name)));
  return { required: !bodyOptional, content: { 'application/json': { schema, ...shown } } };
}

/** The status of every success, and what it means. */
function successes(endpoint: Endpoint, schemas: SchemaRegistry): Record<string, Response> {
  return Object.fromEntries(
    outcomesOf(endpoint.response).map(([status, description]) => [
      status,
      { ...success(endpoint, description, schemas), ...(status === 304 && { content: {} }) },
    ]),
  );
}

const NOT_MODIFIED = 'NotModified';

/** Responses that many operations share and that are no problems. */
export const sharedResponses: Readonly<Record<string, Response>> = {
  [NOT_MODIFIED]: {
    description: 'The resource has one of the tags of If-None-Match.',
    headers: headerReferences(['x-request-id', 'RateLimit', 'RateLimit-Policy', 'ETag']),
    content: {},
  },
};

function success(endpoint: Endpoint, description: string, schemas: SchemaRegistry): Response {
  const rateLimit = endpoint.scope ? (['RateLimit', 'RateLimit-Policy'] as const) : [];
  const tag = taggedSchema(endpoint) ? (['ETag'] as const) : [];
  const replayed = takesIdempotencyKey(endpoint) ? (['Idempotency-Replayed'] as const) : [];
  const file = endpoint.csv ? (['Content-Disposition'] as const) : [];
  const link = endpoint.response.kind === 'listOrCursorPage' ? (['Link'] as const) : [];
  return {
    description,
    headers: headerReferences(['x-request-id', ...rateLimit, ...link, ...file, ...tag, ...replayed]),
    content: { ...content(endpoint, schemas), ...csvContent(endpoint) },
  };
}

function outcomesOf(response: ResponseShape): [status: number, description: string][] {
  switch (response.kind) {
    case 'resource':
      return [[response.status, response.status === 201 ? 'Created.' : 'Done.']];
    case 'work':
      return [
        [200, 'Done.'],
        [202, 'Begun; the work goes on behind the response.'],
      ];
    case 'list':
      return [[200, 'A page of the list.']];
    case 'listOrCursorPage':
      return [[200, 'A page of the list; with `pagination=cursor` as a connection.']];
    case 'deletion':
      return [[200, 'Deleted.']];
    case 'bare':
      return [[200, 'Done.']];
    case 'raw':
      return [
        [200, 'Done.'],
        ...(response.hasTag ? [[304, 'The caller has it: `If-None-Match` named its `ETag`.'] as [number, string]] : []),
      ];
  }
}

/** Success bodies in their envelopes. */
function content({ response, query, example }: Endpoint, schemas: SchemaRegistry): Content {
  switch (response.kind) {
    case 'resource':
    case 'work':
      return json(envelope(schemas.ofOutput(response.schema)), { data: example.response });
    case 'list':
      return json(page(schemas.ofOutput(response.item)), examplePage(example.response, query, schemas));
    case 'listOrCursorPage': {
      const item = schemas.ofOutput(response.item);
      const examples = {
        offset: { summary: 'By offset', value: examplePage(example.response, query, schemas) },
        cursor: { summary: 'By cursor', value: exampleConnection(example.response) },
      };
      return { 'application/json': { schema: { oneOf: [page(item), connection(item)] }, examples } };
    }
    case 'deletion':
      return json(schemaReference('Deletion'), { success: true, id: EXAMPLE_ID });
    case 'bare':
      return json(schemas.ofOutput(response.schema), example.response);
    case 'raw':
      return Object.fromEntries(
        response.contentTypes.map((contentType) => [contentType, { schema: rawSchema(contentType) }]),
      );
  }
}

/** The example is made of the same table as a response. */
function csvContent({ csv }: Endpoint): Content {
  if (!csv) return {};
  const table = csv.table(csv.example.result as never, csv.example.query as never);
  return { 'text/csv': { schema: rawSchema('text/csv'), example: csvOf(table) } };
}

function json(schema: JsonSchema, example: unknown): Content {
  return { 'application/json': { schema, example } };
}

function envelope(data: JsonSchema): JsonSchema {
  return { type: 'object', properties: { data }, required: ['data'] };
}

function page(items: JsonSchema): JsonSchema {
  const data = { type: 'array', items, description: 'The items of the page, in the order of the list.' };
  const properties = { data, meta: schemaReference('PageMeta') };
  return { type: 'object', properties, required: ['data', 'meta'] };
}

function examplePage(item: unknown, query: GenericSchema | undefined, schemas: SchemaRegistry) {
  return { data: [item], meta: { total: 1, limit: defaultLimit(query, schemas), offset: 0 } };
}

function connection(node: JsonSchema): JsonSchema {
  const edge = { type: 'object', properties: { cursor: CURSOR, node }, required: ['cursor', 'node'] };
  const properties = {
    edges: { type: 'array', items: edge, description: 'The items of the page, in the order of the list.' },
    pageInfo: schemaReference('PageInfo'),
    totalCount: { type: 'integer', description: 'How many there are on all pages.' },
  };
  return { type: 'object', properties, required: ['edges', 'pageInfo', 'totalCount'] };
}

const CURSOR: JsonSchema = { type: 'string', description: 'Opaque; for `after` and `before`.' };

function exampleConnection(node: unknown) {
  return {
    edges: [{ cursor: EXAMPLE_CURSOR, node }],
    pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: EXAMPLE_CURSOR, endCursor: EXAMPLE_CURSOR },
    totalCount: 1,
  };
}

function defaultLimit(query: GenericSchema | undefined, schemas: SchemaRegistry): unknown {
  return query && membersOf(schemas.ofInput(query)).properties.limit?.default;
}

function rawSchema(contentType: string): JsonSchema {
  if (contentType === 'application/json') return { type: 'object' };
  return { type: 'string', contentMediaType: contentType };
}

export const envelopeSchemas: Readonly<Record<string, JsonSchema>> = {
  Deletion: {
    title: 'Deletion',
    type: 'object',
    properties: {
      success: { const: true, description: 'Always true: a refusal is a problem.' },
      id: { type: 'string', format: 'uuid', description: 'The id of what was deleted.' },
    },
    required: ['success', 'id'],
  },
  PageInfo: {
    title: 'PageInfo',
    description: 'Where a page by cursor lies in its list.',
    type: 'object',
    properties: {
      hasNextPage: { type: 'boolean', description: 'Whether rows follow the page, in the order of the list.' },
      hasPreviousPage: { type: 'boolean', description: 'Whether rows precede the page, in the order of the list.' },
      startCursor: { type: ['string', 'null'], description: 'The cursor of the first edge; null without one.' },
      endCursor: { type: ['string', 'null'], description: 'The cursor of the last edge; null without one.' },
    },
    required: ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'],
  },
  PageMeta: {
    title: 'PageMeta',
    description: 'Where a page by offset lies in its list.',
    type: 'object',
    properties: {
      total: { type: 'integer', description: 'How many there are on all pages.' },
      limit: { type: 'integer', minimum: 1, description: 'How many the page has at most.' },
      offset: { type: 'integer', minimum: 0, description: 'How many come before the page.' },
    },
    required: ['total', 'limit', 'offset'],
  },
};
