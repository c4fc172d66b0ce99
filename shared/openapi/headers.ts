import { type Endpoint, matchedSchema, taggedSchema, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import type { Header, Parameter, Reference } from './types.ts';

/** `required` marks headers of every success. A problem may arise before a value is known. */

const DEFINITIONS = {
  'x-request-id': {
    description: 'The id of the request in our logs; problems repeat it.',
    required: true,
    schema: { type: 'string' },
    example: 'Yx4dGjT1oAMEJzQ=',
  },
  RateLimit: {
    description: 'Remaining requests (`r`) and seconds until the bucket is full (`t`).',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=599;t=1',
  },
  'RateLimit-Policy': {
    description: 'Size of the bucket (`q`) and the seconds in which it refills (`w`).',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=60$' },
    example: '"default";q=600;w=60',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  Location: {
    description: 'The path of what was created, or of the page.',
    required: true,
    schema: { type: 'string', pattern: '^/[^/]' },
    example: '/products/019aa2f5-2c00-7f1e-9d3b-4c5d6e7f8a9b',
  },
  Link: {
    description:
      'With `pagination=cursor`: links to other pages (RFC 8288), relative to the request. `first` and `last` are always present; `prev` and `next` only when `hasPreviousPage` and `hasNextPage` are true.',
    schema: { type: 'string', pattern: '^<[^<>]+>; rel="first"(?:, <[^<>]+>; rel="(?:prev|next|last)")+$' },
    example: '</clients?pagination=cursor&first=50>; rel="first", </clients?pagination=cursor&last=50>; rel="last"',
  },
  'Content-Disposition': {
    description: 'The name of the file.',
    schema: { type: 'string', pattern: '^attachment; filename="[\\w.-]+"$' },
    example: 'attachment; filename="entries.csv"',
  },
  ETag: {
    description: 'The strong tag of the representation, computed members included.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"9uVxTsFJVu3xkYaVBlkAo2VYFOHxKmDrYyWrZTxmhBU"',
  },
  'Idempotency-Replayed': {
    description: '`true` when the first response to this `Idempotency-Key` is replayed.',
    schema: { const: 'true' },
    example: 'true',
  },
  'Billwright-Ignored': {
    description:
      'Parameters and members of the body that the operation does not know, percent-encoded: at most ten, of at most 40 characters each. Members that only the service sets are named by a PATCH that sends them with another value than they had before.',
    schema: {
      type: 'string',
      pattern: "^(?:query|body)\\.[\\w.!~*'()%-]*(?:, (?:query|body)\\.[\\w.!~*'()%-]*){0,9}$",
    },
    example: 'query.page, body.emial',
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme, and whether a token was sent that is not valid (RFC 6750).',
    required: true,
    schema: { enum: ['Bearer', 'Bearer error="invalid_token"'] },
    example: 'Bearer',
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof DEFINITIONS;

export const headerComponents: Readonly<Record<string, Header>> = DEFINITIONS;

export function headerReferences(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The request headers of an operation, all optional. */
export function headerParameters(endpoint: Endpoint): Parameter[] {
  return [
    ...(takesIdempotencyKey(endpoint) ? [IDEMPOTENCY_KEY] : []),
    ...(matchedSchema(endpoint) ? [IF_MATCH] : []),
    ...(isConditional(endpoint) ? [IF_NONE_MATCH] : []),
  ];
}

/** Whether the operation can answer 304. */
export function isConditional(endpoint: Endpoint): boolean {
  return endpoint.method === 'GET' && taggedSchema(endpoint) !== undefined;
}

const EXAMPLE_TAG = DEFINITIONS.ETag.example;

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique key of this request, such as a random UUID. When the same request is sent with the same key within 24 hours, the first response is replayed, and nothing is done twice. Responses that wrote something are kept for 24 hours, up to 10,000 of each user: then a new key is a 429 `too_many_kept_answers`, and nothing is done. The last 1,000 other responses (404, 409, 422) are kept too, but not 400, 401, 403, 408, 412, 413, 415, 429, and no `validation_failed`. After a kept 4xx, use a new key for a new attempt.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~](?:[ -~]*[!-~])?$' },
  example: '7a4a3c2e-5b7f-4d5e-9b0a-3f6d1c2b8e90',
};

const TAGS = { type: 'string', minLength: 1 };

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'Tags of which the resource that the path names must have one, or `*`. If it has changed since, the response is a 412, and nothing is done.',
  schema: TAGS,
  example: EXAMPLE_TAG,
};

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'Tags of the copies that the caller has. If the resource has one of them, the response is a 304.',
  schema: TAGS,
  example: EXAMPLE_TAG,
};
