import fc from 'fast-check';
import type * as v from 'valibot';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import type { Sending } from './client.ts';
import { pathTo } from './resources.ts';

/**
 * Requests that nobody would think of: what a client nearly got right, and plain nonsense.
 */
export interface RandomRequest extends Pick<Sending, 'query' | 'headers'> {
  readonly method: string;
  readonly path: string;
  readonly rawBody?: Sending['rawBody'];
}

/** Ids of resources by the path of the routes that take them. */
export type KnownIds = ReadonlyMap<string, readonly string[]>;

/** Any request to any route of the table: three near misses to one piece of nonsense. */
export function anyRequest(routes: readonly Endpoint[], known: KnownIds): fc.Arbitrary<RandomRequest> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.oneof(...routes.map((endpoint) => nearMiss(endpoint, known))) },
    { weight: 1, arbitrary: nonsense(routes) },
  );
}

/** The endpoint's example with none to three of its members changed, mostly on a resource that exists. */
export function nearMiss(endpoint: Endpoint, known: KnownIds): fc.Arbitrary<RandomRequest> {
  const { method, path, body } = endpoint;
  const ids = [...known.values()].flat();
  const own = known.get(path) ?? [];
  const id = fc.oneof(
    { weight: own.length > 0 ? 4 : 0, arbitrary: fc.constantFrom(...own, '') },
    { weight: 1, arbitrary: segment },
  );
  return fc.record({
    method: fc.constant(method),
    path: id.map((each) => pathTo(path, each)),
    query: nearQuery(endpoint, ids),
    rawBody: body ? nearBody(endpoint, known) : fc.constant(undefined),
  });
}

/**
 * Some of these grow. `\u{1d160}` becomes three characters when it is normalized, and `\u0130`
 * becomes two in lower case.
 */
export const CHARACTERS = ['x', ' ', '\u3000', '\u0000', '\u{1f600}', '\u{1d160}', '\u0130'];

/** The present limits of the contract. Other limits are tried too, but not at their very edge. */
const LENGTHS = [1, 20, 50, 100, 255, 1_000, 2_000];

/** Text that something on its way may stumble over. */
const text = fc.oneof(
  fc.constantFrom('', '\t\r\n', '\ud800', '\u0301', '__proto__', 'null', '%', 'x'.repeat(2_001)),
  fc
    .tuple(fc.constantFrom(...CHARACTERS), fc.constantFrom(...LENGTHS))
    .map(([character, count]) => character.repeat(count)),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

/** Values that some member somewhere takes. */
const plausible = fc.constantFrom('19.90', '100', 'USD', 'jpy', 'de', '2026-11-20', '09:30', 'products:read', 60, 0.5);

const otherType = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1, 0.1, 1e21, 1e-7, Number.MAX_SAFE_INTEGER, [], {}, [[]]),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Undefined leaves the member out. */
function anyValue(ids: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 4, arbitrary: text },
    { weight: 3, arbitrary: otherType },
    { weight: 2, arbitrary: plausible },
    { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...ids, undefined), fc.uuid()) },
    { weight: 1, arbitrary: fc.array(fc.oneof(text, otherType), { maxLength: 25 }) },
  );
}

type Place = readonly (string | number)[];

/**
 * The endpoint's example. If it names a client, it gets the id of a client that exists, because every
 * organization has its own.
 */
function exampleBody({ example }: Endpoint, known: KnownIds): unknown {
  const body: unknown = example.body ?? {};
  const [clientId] = known.get('/clients/{id}') ?? [];
  return Object(body).clientId ? replaced(body, ['clientId'], clientId) : body;
}

function nearBody(endpoint: Endpoint, known: KnownIds): fc.Arbitrary<string> {
  const example = exampleBody(endpoint, known);
  const ids = [...known.values()].flat();
  const places: Place[] = [...placesOf(endpoint), ['__proto__'], ['unknown']];
  const change = fc.tuple(fc.constantFrom(...places), anyValue(ids));
  return fc
    .array(change, { maxLength: 3 })
    .map((changes) => changes.reduce((body, [place, value]) => replaced(body, place, value), example))
    .map((body) => JSON.stringify(body));
}

/** The members that the contract knows, and whatever is inside of the example's members. */
export function placesOf({ body, example }: Endpoint): Place[] {
  return [...membersOf(body).map((name) => [name]), ...placesIn(example.body).filter(({ length }) => length > 1)];
}

export function membersOf(schema: v.GenericSchema | undefined): string[] {
  return schema && 'entries' in schema ? Object.keys(Object(schema.entries)) : [];
}

/** `{a: [1]}` -> `a`, `a.0` */
function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [...keys].flatMap((key) => [[key], ...placesIn(Object(value)[key]).map((rest) => [key, ...rest])]);
}

export function replaced(value: unknown, [key, ...rest]: Place, by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value)) return value.map((item, position) => (position === key ? replaced(item, rest, by) : item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries([
    ...Object.entries(value).filter(([name]) => name !== key),
    [key, replaced(Object(value)[key], rest, by)],
  ]);
}

/** Above every limit of a parameter. Three such values still fit into a request line. */
const MAX_QUERY_CHARACTERS = 300;

function nearQuery({ query }: Endpoint, ids: readonly string[]): fc.Arbitrary<Readonly<Record<string, string>>> {
  const value = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('1', '50', '0', 'true', 'cursor', 'asc', 'name', '2026-11-01', '2026-11-30'),
    },
    { weight: 1, arbitrary: anyValue(ids).map((each) => String(each).slice(0, MAX_QUERY_CHARACTERS)) },
  );
  return fc.dictionary(fc.constantFrom(...membersOf(query), 'unknown'), value, { maxKeys: 3 });
}

const segment = fc.oneof(
  fc.uuid(),
  fc.constantFrom('x', '%00', '..', '{id}', '%2F', '0', 'null'),
  fc.webSegment({ size: 'xsmall' }),
);

/** Any method on any path with any body, in any encoding. */
function nonsense(routes: readonly Endpoint[]): fc.Arbitrary<RandomRequest> {
  const template = fc.constantFrom(...routes.map((endpoint) => endpoint.path));
  const routed = fc.tuple(template, segment).map(([path, id]) => pathTo(path, id));
  return fc
    .record({
      method: fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'),
      path: fc.oneof(
        { weight: 8, arbitrary: routed },
        { weight: 1, arbitrary: fc.webPath({ size: 'small' }).map((path) => `/${path}`) },
      ),
      query: fc.dictionary(
        fc.constantFrom('limit', 'offset', 'q', 'includeInactive', 'starting_after', 'x'),
        fc.string({ unit: 'binary', maxLength: 20 }),
        { maxKeys: 3 },
      ),
      rawBody: fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.constant(undefined)),
      headers,
    })
    .map((request) => (request.method === 'GET' ? { ...request, rawBody: undefined } : request));
}

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
