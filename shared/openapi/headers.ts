import type { Header, Reference } from './types.ts';

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
