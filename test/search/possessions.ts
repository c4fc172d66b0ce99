import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import * as v from 'valibot';
import { type Endpoint, isOfPlatform, parameterNames } from '#shared/contract/endpoint.ts';
import { ROLES } from '#shared/domain/role.ts';
import { routes } from '#shared/routes.ts';
import { given, type User } from '#test/support/given.ts';
import { newPerson } from '#test/support/person.ts';
import { type KnownIds, placesOf, replaced } from '#test/support/random-requests.ts';
import type { RemoteAccount } from '#test/support/remote-account.ts';
import { operationOf, pathTo, resourceOf } from '#test/support/resources.ts';
import type { Hints } from './schema-values.ts';
import { commonHints, idsFor } from './valid-requests.ts';

/** All that an organization has, and how to recognize it. */
export interface Possessions {
  readonly organizationId: string;
  readonly userId: string;
  /** Its resources, by the path of the routes that take them. */
  readonly known: KnownIds;
  /**
   * One resource more for each such path, which others may name wherever they like: its id alone proves nothing. None
   * in a plain one.
   */
  readonly lendable: KnownIds;
  readonly lent: ReadonlySet<string>;
  /** Every id in every answer that it gets. */
  readonly ids: ReadonlySet<string>;
  readonly cursors: readonly string[];
  /** Texts that nobody else has; none in a plain organization. */
  readonly canaries: ReadonlySet<string>;
  readonly account: RemoteAccount;
}

export const guarded: readonly Endpoint[] = routes.filter(({ scope }) => scope !== null && !isOfPlatform(scope));

export const ofPlatform: readonly Endpoint[] = routes.filter(({ scope }) => isOfPlatform(scope));

/** No other text of a run looks like it, in any case. */
export const CANARY = /canary[0-9a-f]{10}/gi;

export const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;

type Naming = () => string;

const NAMINGS = {
  canaries: () => `canary${randomBytes(5).toString('hex')}`,
  plain: () => `plain${randomBytes(5).toString('hex')}`,
} as const satisfies Record<string, Naming>;

/**
 * Gives an organization some of everything that the contract lets it make, with a name of its own in every text.
 *
 * @param resources of each path that takes an id
 */
export async function populate(by: User, content: keyof typeof NAMINGS, resources = 1): Promise<Possessions> {
  const name = NAMINGS[content];
  const known = new Map<string, string[]>();
  for (const endpoint of guarded) await create(by, endpoint, known, name);
  await complete(by, known, resources);
  const lendable = content === 'canaries' ? await complete(by, new Map(), 1) : new Map<string, string[]>();
  for (const { path } of ofPlatform) if (parameterNames(path).length > 0) known.set(path, [by.organization.id]);
  const account = await importWork(by, known, name);
  for (const role of ROLES) await newPerson(by.organization, role);
  const seen = await everythingSeenBy(by, known);
  if (content === 'canaries') assertMarked(seen);
  const all = seen.map(({ text }) => text).join('\n');
  return {
    organizationId: by.organization.id,
    userId: by.userId,
    known,
    lendable,
    lent: new Set([...lendable.values()].flat().flatMap(idsIn)),
    ids: new Set([by.userId, by.organization.id, by.keyId, ...idsIn(all).filter((id) => !EXAMPLE_IDS.has(id))]),
    cursors: [...all.matchAll(/"cursor":"([^"]+)"/g)].map(([, cursor = '']) => cursor),
    canaries: new Set([...all.matchAll(CANARY)].map(([canary]) => canary)),
    account,
  };
}

/** @returns the ids in a text, in lower case */
export function idsIn(text: string): string[] {
  return [...text.matchAll(UUID)].map(([id]) => id.toLowerCase());
}

/** Every organization of a run may have them. */
const EXAMPLE_IDS: ReadonlySet<string> = new Set(idsIn(JSON.stringify(routes.map(({ example }) => example))));

/** Makes a resource of an endpoint that makes some: its example, named anew. */
async function create(by: User, endpoint: Endpoint, known: Map<string, string[]>, name: Naming): Promise<void> {
  const { method, path, response, body } = endpoint;
  if (method !== 'POST' || response.kind !== 'resource' || response.status !== 201 || !body) return;
  if (parameterNames(path).length > 0) return;
  const reply = await by.post(path, named(endpoint, body, known, name));
  if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  const located = routes.find(
    (other) => other.path.startsWith(`${path}/{`) && !other.path.slice(path.length + 1).includes('/'),
  );
  if (located) add(known, located.path, reply.body.data.id);
  // A worker would move it.
  if (path === '/v1/webhooks') await by.patch(`${path}/${reply.body.data.id}`, { status: 'paused' });
}

/** Puts names, and ids of what is there, wherever the contract takes them. */
function named(endpoint: Endpoint, schema: v.GenericSchema, known: KnownIds, name: Naming): unknown {
  return placesOf(endpoint).reduce<unknown>((body, place) => {
    const member = String(place.findLast((key) => typeof key === 'string'));
    const [id] = idsFor(member, known);
    const url = `https://${name()}.example.com`;
    // What a webhook's may be is no matter of its schema.
    const texts = member === 'url' ? [url] : [name(), `${name()}@example.com`, url];
    const candidates = id ? [id] : texts;
    const taken = candidates.map((value) => replaced(body, place, value)).find((each) => v.is(schema, each));
    return taken ?? body;
  }, endpoint.example.body ?? {});
}

function add(known: Map<string, string[]>, path: string, id: string): void {
  known.set(path, [...(known.get(path) ?? []), id]);
}

/** With three such paths, and one of each to lend, an organization has at most ten webhooks. */
const MAX_OF_WEBHOOK_PATH = 2;

/** Makes what no single request makes, until there are so many for each path. @returns all that are there */
export async function complete(by: User, known: Map<string, string[]>, count: number): Promise<KnownIds> {
  for (const endpoint of guarded.filter(({ path }) => parameterNames(path).length > 0)) {
    const wanted = endpoint.path.startsWith('/v1/webhooks/') ? Math.min(count, MAX_OF_WEBHOOK_PATH) : count;
    while ((known.get(endpoint.path)?.length ?? 0) < wanted) add(known, endpoint.path, await resourceOf(endpoint, by));
  }
  return known;
}

/** Connects an account and imports all that it has, with mappings that are remembered. */
async function importWork(by: User, known: KnownIds, name: Naming): Promise<RemoteAccount> {
  const [client, project, user] = [name(), name(), name()];
  const entries = Array.from({ length: 3 }, () => ({ client, project, user, notes: name(), task: name() }));
  const account = await given.connection(by, { accessToken: name(), companyName: name(), entries });
  const preview = await by.post('/v1/work/tracker/remote/sync/preview', RANGE);
  const reviewed = {
    rows: preview.body.data.rows,
    clientMapping: { [client]: idsFor('clientId', known)[0] },
    projectMapping: { [project]: idsFor('projectId', known)[0] },
    userMapping: { [user]: by.userId },
  };
  for (const path of ['remote/sync/confirm', 'imports']) {
    const { status, body } = await by.post(`/v1/work/tracker/${path}`, { origin: 'old-tracker', ...reviewed });
    if (status !== 200) throw new Error(`The import answered ${status}: ${JSON.stringify(body)}`);
  }
  return account;
}

/** All work of the examples and of the provider is on these days. */
const RANGE = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };

interface Seen {
  readonly endpoint: Endpoint;
  readonly text: string;
}

/**
 * All that an organization can read of itself: every list in every order, every resource. A PDF shows none of it
 * in plain letters, and a check of an e-invoice tells of rules alone.
 */
async function everythingSeenBy(by: User, known: KnownIds): Promise<Seen[]> {
  const seen: Seen[] = [];
  const telling = ({ method, response, path }: Endpoint) =>
    method === 'GET' && response.kind !== 'raw' && !path.endsWith('/check');
  for (const endpoint of guarded.filter(telling)) {
    const paths = parameterNames(endpoint.path).length > 0 ? (known.get(endpoint.path) ?? []) : [''];
    for (const id of paths) {
      for (const query of viewsOf(endpoint)) {
        const { body } = await by.get(pathTo(endpoint.path, id), query);
        seen.push({ endpoint, text: JSON.stringify(body) });
      }
    }
  }
  return seen;
}

function viewsOf(endpoint: Endpoint): Readonly<Record<string, string>>[] {
  const { parameters = [] } = operationOf(endpoint);
  const isRequired = (name: string) => parameters.some((each) => each.name === name && each.required);
  const base = { ...(isRequired('dateFrom') && RANGE), ...(isRequired('q') && { q: 'canary' }) };
  if (endpoint.response.kind !== 'listOrCursorPage') return [base];
  const orders = parameters.find(({ name }) => name === 'orderBy')?.schema.enum;
  const pages = (Array.isArray(orders) ? orders : []).map((orderBy) => ({
    pagination: 'cursor',
    orderBy: String(orderBy),
  }));
  return [base, ...pages];
}

const PLACES_IN_A_FEED = ['0', '1', '49', '50', '1000', 'latest'];

/** Values that requests of an organization may well have: its account, and cursors that it and others have seen. */
export function hintsWith(
  { account, cursors }: Possessions,
  idsOf: (name: string) => fc.Arbitrary<unknown> | undefined,
  foreignCursors: readonly string[] = [],
): Hints {
  return (name, schema) => {
    if (name === 'accountId' || name === 'accessToken') return fc.constant(account[name]);
    if (name === 'after' && schema.pattern !== undefined) return fc.constantFrom(...PLACES_IN_A_FEED);
    if (name === 'after' || name === 'before') return fc.constantFrom(...cursors, ...foreignCursors);
    return schema.format === 'uuid' ? idsOf(name) : commonHints(name, schema);
  };
}

/** A search that overlooks what is there would find no leak either. */
function assertMarked(seen: readonly Seen[]): void {
  for (const { endpoint, text } of seen) {
    if (!/canary[0-9a-f]{10}/i.test(text) && idsIn(text).length === 0) {
      throw new Error(`GET ${endpoint.path} shows nothing that could be recognized: ${text}`);
    }
  }
}
