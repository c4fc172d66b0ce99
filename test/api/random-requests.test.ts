import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '#shared/routes.ts';
import type { Json } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';

/** Enough to try every route with every kind of nonsense many times over. */
const REQUESTS = 2_000;

const concretePaths = routes.map(({ path }: Json) => path);

const segment = fc.oneof(
  fc.uuid(),
  fc.constantFrom('x', '%00', '..', '{id}', '%2F', '0', 'null'),
  fc.webSegment({ size: 'xsmall' }),
);

const path = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom(...concretePaths), segment)
      .map(([template, id]) => template.replace(/\{\w+\}/, id)),
  },
  { weight: 1, arbitrary: fc.webPath({ size: 'small' }).map((text) => `/${text}`) },
);

const name = fc.constantFrom(
  'name',
  'price',
  'currency',
  'taxRate',
  'sku',
  'scopes',
  'isActive',
  'expiresInDays',
  'rateLimit',
  'user',
  '__proto__',
  '',
);

const value = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom('19.90', 'USD', 'products:read', '', '\u0000', '1'.repeat(400)),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 3 }),
  fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
);

const body = fc.oneof(
  fc.dictionary(name, value, { maxKeys: 6 }).map((members) => JSON.stringify(members)),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.constant(undefined),
);

const query = fc.dictionary(
  fc.constantFrom('limit', 'offset', 'q', 'includeInactive', 'starting_after', 'x'),
  fc.string({ unit: 'binary', maxLength: 20 }),
  {
    maxKeys: 3,
  },
);

const headers = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'text/plain',
      'application/json; charset=latin1',
      ';',
      'multipart/form-data',
    ),
    'content-encoding': fc.constantFrom('gzip', 'identity', 'br'),
    'accept-encoding': fc.constantFrom('gzip', '*;q=0', 'gzip;q=x', ',,;;'),
  },
  { requiredKeys: [] },
);

const method = fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS');

describe('random requests', () => {
  let ana: User;

  beforeAll(async () => {
    ana = await given.user();
  });

  it(`gets no 5xx and nothing undocumented from ${REQUESTS} of them`, { timeout: 120_000 }, async () => {
    const requests = fc.sample(fc.record({ method, path, query, headers, body }), REQUESTS);
    const statuses = new Map<number, number>();
    const workers = Array.from({ length: 8 }, async () => {
      for (let next = requests.pop(); next; next = requests.pop()) {
        const hasBody = next.method !== 'GET' && next.body !== undefined;
        const { status } = await ana.send(next.method, next.path, {
          query: next.query,
          headers: next.headers,
          rawBody: hasBody ? next.body : undefined,
        });
        expect(status, JSON.stringify(next)).toBeLessThan(500);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    await Promise.all(workers);
    expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
    expect(statuses.get(422)).toBeGreaterThan(50);
    expect(statuses.get(404)).toBeGreaterThan(50);
  });
});
