import { type GenericSchema, pipe, title } from 'valibot';
import {
  type Endpoint,
  type FileLimits,
  isOfPlatform,
  needsAdmin,
  pascalCase,
  type ResponseShape,
  taggedSchema,
  takesIdempotencyKey,
} from '#shared/contract/endpoint.ts';
import { EXAMPLE_CURSOR, type PARAMETERS_OF_PAGING } from '#shared/contract/pagination.ts';
import { csvOf } from '#shared/domain/csv.ts';
import { guideLinks } from './guides.ts';
import { headerReferences, isConditional } from './headers.ts';
import { membersOf, parametersOf, pathParameters } from './parameters.ts';
import { type ProblemComponents, problemResponses } from './problems.ts';
import { type SchemaRegistry, schemaReference } from './schemas.ts';
import type { Content, JsonSchema, Operation, RequestBody, Response, SecurityRequirement } from './types.ts';

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
    ...(endpoint.file ? { requestBody: { required: true, content: sentFile(endpoint.file) } } : {}),
    responses: {
      ...successes(endpoint, schemas),
      ...(endpoint.page && { 302: REDIRECTION }),
      ...(isConditional(endpoint) && { 304: { $ref: `#/components/responses/${NOT_MODIFIED}` } }),
      ...problemResponses(endpoint, schemas, problems),
    },
  };
}

/** Any of these lets a caller in. */
function security({ scope, takesKeys }: Endpoint): SecurityRequirement[] {
  if (scope === null) return [];
  if (takesKeys === false) return [{ signIn: [] }];
  const apiKey = { apiKey: scope === 'any' ? [] : [scope] };
  return isOfPlatform(scope) ? [apiKey] : [apiKey, { signIn: [] }, { signIn: [], organization: [] }];
}

export const securitySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer bw_...`.' },
  signIn: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token of a person who has signed in at the OpenID Connect issuer of the service: `Authorization: Bearer eyJ...`.',
  },
  organization: {
    type: 'apiKey',
    in: 'header',
    name: 'Billwright-Organization',
    description:
      'The id of the organization that the person acts in. The first request that names it links the person to its user there, by the verified email. A person who is linked in only one may leave it out. With an API key it is that of the key, or left out.',
  },
} as const;

const CSV =
  'With `Accept: text/csv` the response is a CSV file (RFC 4180) of all rows, up to 10,000 rows and 5 MB. A cell that begins with `=`, `+`, `-`, `@` or a control character is prefixed with an apostrophe. The file begins without a byte order mark, which programs would read as text: a page that hands it to a person puts one in front.';

const openTo = ({ takesKeys }: Endpoint): string =>
  takesKeys === false
    ? 'Only for people who have signed in: an API key acts as its user already.'
    : 'Any valid key of an organization may call it, whatever its scopes.';

function withDescription(endpoint: Endpoint) {
  const { scope, description, weight, csv, events } = endpoint;
  const guides = guideLinks(endpoint);
  const permission = scope === 'any' ? openTo(endpoint) : `Needs the scope \`${scope}\`.`;
  const cost = typeof weight === 'number' ? `${weight} requests` : weight?.description;
  const sentences = [
    description,
    csv && CSV,
    events && `Leaves events of the type ${events.map((type) => `\`${type}\``).join(', ')}.`,
    scope && (needsAdmin(endpoint) ? `${permission} Only admins may call it.` : permission),
    cost && `The rate limit counts it as ${cost}.`,
    guides && `Guide: ${guides}.`,
  ].filter(Boolean);
  return sentences.length > 0 ? { description: sentences.join('\n\n') } : {};
}

/** A component, so that generated clients have a name for the body: `createInvoice` -> `CreateInvoice`. */
function requestBody(endpoint: Endpoint, body: GenericSchema, schemas: SchemaRegistry): RequestBody {
  const { operationId, bodyOptional, example } = endpoint;
  const { body: value, otherBodies } = example;
  const shown = otherBodies ? { examples: { plain: { summary: 'Plain', value }, ...otherBodies } } : { example: value };
  const schema = schemas.ofInput(pipe(body, title(pascalCase(operationId))));
  return { required: !bodyOptional, content: { 'application/json': { schema, ...shown } } };
}

function successes(endpoint: Endpoint, schemas: SchemaRegistry): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(outcomesOf(endpoint.response)).map(([status, description]) => [
      status,
      { ...success(endpoint, status, description, schemas), ...(status === '304' && { content: {} }) },
    ]),
  );
}

const REDIRECTION: Response = {
  description: 'A browser finds the page at `Location`.',
  headers: headerReferences(['x-request-id', 'Location']),
  content: {},
};

const NOT_MODIFIED = 'NotModified';

export const sharedResponses: Readonly<Record<string, Response>> = {
  [NOT_MODIFIED]: {
    description: 'Not modified: the resource has one of the tags of `If-None-Match`.',
    headers: headerReferences(['x-request-id', 'RateLimit', 'RateLimit-Policy', 'ETag']),
    content: {},
  },
};

function success(endpoint: Endpoint, status: string, description: string, schemas: SchemaRegistry): Response {
  const rateLimit = endpoint.scope ? (['RateLimit', 'RateLimit-Policy'] as const) : [];
  const tag = taggedSchema(endpoint) ? (['ETag'] as const) : [];
  const location = status === '201' && endpoint.location ? (['Location'] as const) : [];
  const replayed = takesIdempotencyKey(endpoint) ? (['Idempotency-Replayed'] as const) : [];
  const file = endpoint.csv ? (['Content-Disposition'] as const) : [];
  const link = endpoint.response.kind === 'listOrCursorPage' ? (['Link'] as const) : [];
  return {
    description,
    headers: headerReferences([
      'x-request-id',
      ...rateLimit,
      ...link,
      ...file,
      ...tag,
      ...location,
      ...replayed,
      'Billwright-Ignored',
    ]),
    content: { ...content(endpoint, schemas), ...csvContent(endpoint) },
  };
}

const DONE = { 200: 'Done.', 201: 'Created.', 202: 'Accepted; the work continues after the response.' } as const;

const OUTCOMES: Readonly<Record<Exclude<ResponseShape['kind'], 'resource'>, Readonly<Record<number, string>>>> = {
  rehearsable: { 200: 'Only tried; nothing was written.', 201: DONE[201] },
  work: { 200: DONE[200], 202: DONE[202] },
  list: { 200: 'A page of the list.' },
  listOrCursorPage: { 200: 'A page of the list; a connection with `pagination=cursor`.' },
  deletion: { 200: 'Deleted.' },
  bare: { 200: DONE[200] },
  raw: { 200: DONE[200] },
};

/** By status. */
function outcomesOf(response: ResponseShape): Readonly<Record<number, string>> {
  if (response.kind === 'resource') return { [response.status]: DONE[response.status] };
  if (response.kind !== 'raw' || !response.hasTag) return OUTCOMES[response.kind];
  return { ...OUTCOMES.raw, 304: 'Not modified: `If-None-Match` has its `ETag`.' };
}

function content(endpoint: Endpoint, schemas: SchemaRegistry): Content {
  const { response, query, example } = endpoint;
  switch (response.kind) {
    case 'resource':
    case 'rehearsable':
    case 'work':
      return json(objectOf({ data: schemas.ofOutput(response.schema) }), { data: example.response });
    case 'list':
      return json(page(schemas.ofOutput(response.item)), examplePage(example.response, query, schemas));
    case 'listOrCursorPage': {
      const item = schemas.ofOutput(response.item);
      const examples = {
        offset: {
          summary: 'By offset',
          value: { pagination: 'offset', ...examplePage(example.response, query, schemas) },
        },
        cursor: { summary: 'By cursor', value: { pagination: 'cursor', ...exampleConnection(example.response) } },
      };
      return {
        'application/json': {
          schema: { oneOf: [ofPagination('offset', page(item)), ofPagination('cursor', connection(item))] },
          examples,
        },
      };
    }
    case 'deletion':
      return json(schemaReference('Deletion'), {
        success: true,
        id: pathParameters(endpoint).at(-1)?.example ?? example.response,
      });
    case 'bare':
      return json(schemas.ofOutput(response.schema), example.response);
    case 'raw':
      return files(response.contentTypes);
  }
}

function csvContent({ csv }: Endpoint): Content {
  if (!csv) return {};
  const table = csv.table(csv.example.result as never, csv.example.query as never);
  return { 'text/csv': { schema: schemaReference('Csv'), example: csvOf(table) } };
}

function json(schema: JsonSchema, example: unknown): Content {
  return { 'application/json': { schema, example } };
}

/** It has all of these members. */
function objectOf(properties: JsonSchema) {
  return { type: 'object', properties, required: Object.keys(properties) };
}

function page(items: JsonSchema) {
  const data = { type: 'array', items, description: 'The items of the page, in the order of the list.' };
  return objectOf({ data, meta: schemaReference('PageMeta') });
}

/** A literal tells generated types, and generators of unions, which of the two a page is. */
function ofPagination(value: keyof typeof PARAMETERS_OF_PAGING, { properties }: ReturnType<typeof page>): JsonSchema {
  const pagination = { const: value, description: 'As it was asked for; `offset` by default.' };
  return objectOf({ pagination, ...properties });
}

function examplePage(item: unknown, query: GenericSchema | undefined, schemas: SchemaRegistry) {
  return { data: [item], meta: { total: 1, limit: defaultLimit(query, schemas), offset: 0 } };
}

function connection(node: JsonSchema) {
  const edge = objectOf({ cursor: CURSOR, node });
  return objectOf({
    edges: { type: 'array', items: edge, description: 'The items of the page, in the order of the list.' },
    pageInfo: schemaReference('PageInfo'),
    totalCount: { type: 'integer', description: 'The number of items on all pages.' },
  });
}

const CURSOR: JsonSchema = { type: 'string', description: 'An opaque position, for `after` and `before`.' };

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

/** Of what is no text, `maxLength` counts the bytes. */
const sentFile = ({ contentTypes, maxBytes }: FileLimits) => files(contentTypes, { maxLength: maxBytes });

function files(contentTypes: readonly string[], bounds: JsonSchema = {}): Content {
  return Object.fromEntries(contentTypes.map((type) => [type, { schema: { ...rawSchema(type), ...bounds } }]));
}

function rawSchema(contentType: string): JsonSchema {
  if (contentType === 'application/json') return { type: 'object' };
  return { type: 'string', contentMediaType: contentType };
}

/**
 * Every text fits both, and no object does. Generated clients see that, so they take a response that may also be a file
 * for its JSON: callers can read `data` without asking whether it is a text.
 */
function noObject(isText: boolean): JsonSchema {
  return { properties: { isText: { const: isText, description: 'No text has members.' } }, required: ['isText'] };
}

export const envelopeSchemas: Readonly<Record<string, JsonSchema>> = {
  Csv: {
    title: 'Csv',
    description: 'A file of comma-separated values in UTF-8 (RFC 4180), with a header row.',
    type: 'string',
    contentMediaType: 'text/csv',
    allOf: [noObject(true), noObject(false)],
  },
  Deletion: {
    title: 'Deletion',
    ...objectOf({
      success: { const: true, description: 'Always true.' },
      id: { type: 'string', format: 'uuid', description: 'The id of the deleted resource.' },
    }),
  },
  PageInfo: {
    title: 'PageInfo',
    description: 'The position of a page by cursor in its list.',
    ...objectOf({
      hasNextPage: { type: 'boolean', description: 'Whether rows follow the page, in the order of the list.' },
      hasPreviousPage: { type: 'boolean', description: 'Whether rows precede the page, in the order of the list.' },
      startCursor: { type: ['string', 'null'], description: 'The cursor of the first edge; null if there is none.' },
      endCursor: { type: ['string', 'null'], description: 'The cursor of the last edge; null if there is none.' },
    }),
  },
  PageMeta: {
    title: 'PageMeta',
    description: 'The position of a page by offset in its list.',
    ...objectOf({
      total: { type: 'integer', description: 'The number of items on all pages.' },
      limit: { type: 'integer', minimum: 1, description: 'The maximum number of items on the page.' },
      offset: { type: 'integer', minimum: 0, description: 'The number of items before the page.' },
    }),
  },
};
