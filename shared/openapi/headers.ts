import { type Endpoint, matchedSchema, taggedSchema, takesIdempotencyKey } from '#shared/contract/endpoint.ts';
import type { Header, Parameter, Reference } from './types.ts';

/** Headers of responses. `required` marks those of every success. A problem may arise before a value is known. */

const DEFINITIONS = {
  'x-request-id': {
    description: 'Names the request in our logs; problems repeat it.',
    required: true,
    schema: { type: 'string' },
    example: 'Yx4dGjT1oAMEJzQ=',
  },
  RateLimit: {
    description: 'Requests that remain (`r`) and seconds until the bucket is full (`t`).',
    schema: { type: 'string', pattern: '^"default";r=\\d+;t=\\d+$' },
    example: '"default";r=599;t=1',
  },
  'RateLimit-Policy': {
    description: 'Size of the bucket (`q`) and the seconds in which it refills (`w`).',
    schema: { type: 'string', pattern: '^"default";q=\\d+;w=60$' },
    example: '"default";q=600;w=60',
  },
  'Retry-After': {
    description: 'Seconds until another request makes sense.',
    schema: { type: 'integer', minimum: 1 },
    example: 2,
  },
  Link: {
    description:
      'With `pagination=cursor`: other pages (RFC 8288), relative to the request. `first` and `last` are always there; `prev` and `next` exactly when `hasPreviousPage` and `hasNextPage` are true.',
    schema: { type: 'string', pattern: '^<[^<>]+>; rel="first"(?:, <[^<>]+>; rel="(?:prev|next|last)")+$' },
    example: '</clients?pagination=cursor&first=50>; rel="first", </clients?pagination=cursor&last=50>; rel="last"',
  },
  'Content-Disposition': {
    description: 'With a file: what to name it.',
    schema: { type: 'string', pattern: '^attachment; filename="[\\w.-]+"$' },
    example: 'attachment; filename="entries.csv"',
  },
  ETag: {
    description:
      'The tag of the resource as it is shown, members that are computed too. It is strong: another representation has another tag.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"9uVxTsFJVu3xkYaVBlkAo2VYFOHxKmDrYyWrZTxmhBU"',
  },
  'Idempotency-Replayed': {
    description: 'Says that this is the first answer to the `Idempotency-Key` once more, a problem perhaps.',
    schema: { const: 'true' },
    example: 'true',
  },
  'WWW-Authenticate': {
    description: 'The scheme of authentication.',
    required: true,
    schema: { const: 'Bearer' },
    example: 'Bearer',
  },
} as const satisfies Record<string, Header>;

export type HeaderName = keyof typeof DEFINITIONS;

export const headerComponents: Readonly<Record<string, Header>> = DEFINITIONS;

export function headerReferences(names: readonly HeaderName[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Headers of requests that an operation heeds. All are optional. */
export function headerParameters(endpoint: Endpoint): Parameter[] {
  return [
    ...(takesIdempotencyKey(endpoint) ? [IDEMPOTENCY_KEY] : []),
    ...(matchedSchema(endpoint) ? [IF_MATCH] : []),
    ...(isConditional(endpoint) ? [IF_NONE_MATCH] : []),
  ];
}

/** Whether a caller who has the resource already can be told that it is the same. */
export function isConditional(endpoint: Endpoint): boolean {
  return endpoint.method === 'GET' && taggedSchema(endpoint) !== undefined;
}

const EXAMPLE_TAG = DEFINITIONS.ETag.example;

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Names this request, for example by a random UUID. Sent again under this name within 24 hours, it gets its first answer again, and nothing is done twice. Kept are answers 2xx, and those 4xx that are no 401, 403, 408 or 429. After a kept refusal, take another name for another attempt.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~](?:[ -~]*[!-~])?$' },
  example: '7a4a3c2e-5b7f-4d5e-9b0a-3f6d1c2b8e90',
};

const TAGS = { type: 'string', minLength: 1 };

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'Tags of which the resource must have one, or `*`. If it has changed since, the response is a 412, and nothing changes.',
  schema: TAGS,
  example: EXAMPLE_TAG,
};

const IF_NONE_MATCH: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'Tags of what the caller has already. If the resource has one of them, the response is a 304.',
  schema: TAGS,
  example: EXAMPLE_TAG,
};
