import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createClient } from '#shared/contract/clients/clients.ts';
import {
  type Area,
  type Endpoint,
  kebabCase,
  matchedSchema,
  parameterNames,
  takesIdempotencyKey,
} from '#shared/contract/endpoint.ts';
import { confirmRemoteSync } from '#shared/contract/remote/imports.ts';
import { routes } from '#shared/routes.ts';
import type { Json, Reply, Sending } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { useOwnCloud } from '#test/support/own-cloud.ts';
import { pathTo, resourceOf } from '#test/support/resources.ts';
import { bodyWith, membersOf } from '#test/support/schema-members.ts';

/**
 * An instance that has just started holds nothing yet: neither the key of a caller nor the directory. It reads more than
 * any other, and its role must allow that too. So each operation is called on such an instance, with all headers that
 * make it do more, about objects that have every link.
 */

const own = useOwnCloud();

interface Scene {
  readonly ana: User;
  readonly clientId: string;
  readonly projectId: string;
  readonly productId: string;
  /** Of the client and the project; on no invoice. */
  readonly entryId: string;
  /** What a connection is made with. */
  readonly accountId?: string;
  readonly accessToken?: string;
}

async function scene(area: Area): Promise<Scene> {
  const ana = await given.user();
  const [{ id: clientId }, { id: productId }, account] = await Promise.all([
    given.client(ana),
    given.product(ana),
    area === 'remote' ? given.connection(ana, { entries: [{}] }) : undefined,
  ]);
  const { id: projectId } = await given.project(ana, { clientId, rate: 100 });
  const { id: entryId } = await given.entry(ana, { clientId, projectId });
  return { ana, clientId, projectId, productId, entryId, ...account };
}

const linesOf = ({ productId, entryId }: Scene) => [{ productId }, { entryIds: [entryId] }];

const bill = (all: Scene) => given.invoice(all.ana, { clientId: all.clientId, lineItems: linesOf(all) });

async function sent(all: Scene): Promise<string> {
  const { id } = await bill(all);
  await all.ana.post(`/invoices/${id}/send`);
  return id;
}

async function paid(all: Scene): Promise<string> {
  const id = await sent(all);
  return `${id}/${(await given.payment(all.ana, id)).id}`;
}

const running = async ({ ana, projectId }: Scene): Promise<string> => (await given.timer(ana, { projectId })).id;

async function imported(all: Scene): Promise<string> {
  const reply = await all.ana.post(confirmRemoteSync.path, bodyOf(confirmRemoteSync, all));
  return reply.body.data.importJobId;
}

/** What the path of an operation names, with links wherever it can have them. */
const linked: Readonly<Record<string, (all: Scene) => Promise<string>>> = {
  '/clients/{id}': async ({ clientId }) => clientId,
  '/invoices/{id}': async (all) => (await bill(all)).id,
  '/invoices/{id}/send': async (all) => (await bill(all)).id,
  '/invoices/{id}/pay': sent,
  '/invoices/{id}/payments': sent,
  '/invoices/{id}/payments/{paymentId}': paid,
  '/invoices/{id}/void': sent,
  '/invoices/{id}/pdf': sent,
  '/v1/work/tracker/projects/{id}': async ({ projectId }) => projectId,
  '/v1/work/tracker/entries/{id}': async ({ entryId }) => entryId,
  '/v1/work/tracker/timer/{sessionId}/stop': running,
  '/v1/work/tracker/timer/{sessionId}/discard': running,
  '/v1/work/tracker/remote/sync/history/{id}/undo': imported,
  '/problems/{code}': async () => 'not_found',
  '/docs/{asset}': async ({ ana }) => /"\/docs\/([^"]+\.js)"/.exec((await ana.get('/docs')).body)?.[1] ?? '',
};

async function pathOf(endpoint: Endpoint, all: Scene): Promise<string> {
  if (parameterNames(endpoint.path).length === 0) return endpoint.path;
  return pathTo(endpoint.path, await (linked[endpoint.path]?.(all) ?? resourceOf(endpoint, all.ana)));
}

/** The example of the contract, about objects that exist, and with all links that the body may have. */
function bodyOf({ operationId, example }: Endpoint, all: Scene): unknown {
  if (example.body === undefined) return undefined;
  const known = new Set(membersOf(operationId).map(({ path }) => path));
  const values = Object.entries({ ...all, name: `Name ${randomUUID()}` }).filter(([name]) => known.has(name));
  const body = JSON.stringify(bodyWith(Object(example.body), Object.fromEntries(values)));
  return JSON.parse(body.replaceAll(createClient.example.response.id, all.clientId));
}

const NOVEMBER = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };

type Ask = (all: Scene, endpoint: Endpoint) => Sending | Promise<Sending>;

const byExample: Ask = (all, endpoint) => ({ body: bodyOf(endpoint, all) });

/** By operation: what to ask for, where the contract's example is not enough. */
const asks: Readonly<Record<string, readonly Ask[]>> = {
  createInvoice: [
    byExample,
    (all) => ({ body: { clientId: all.clientId, lineItems: linesOf(all) } }),
    ({ clientId }) => ({ body: { clientId, timeEntries: { ...NOVEMBER, groupBy: 'entry' } } }),
  ],
  getActiveTimer: [
    byExample,
    async (all) => {
      await running(all);
      return {};
    },
  ],
  listClients: [byExample, () => ({ query: { pagination: 'cursor', orderBy: 'name' } })],
  listEntries: [
    byExample,
    ({ projectId }) => ({ query: { ...NOVEMBER, projectId, q: 'work' } }),
    ({ clientId }) => ({ query: { clientId, billingStatus: 'unbilled' } }),
  ],
  listInvoices: [
    byExample,
    () => ({ query: { pagination: 'cursor', orderBy: 'dueDate' } }),
    () => ({ query: { q: 'north' } }),
  ],
  searchProducts: [() => ({ query: { q: 'consult' } })],
  summarizeEntries: [() => ({ query: NOVEMBER }), () => ({ query: { ...NOVEMBER, groupBy: 'client' } })],
  updateEntry: [byExample, () => ({ body: { projectId: null } })],
  updateInvoice: [byExample, (all) => ({ body: { lineItems: linesOf(all).slice(0, 1) } })],
  updateProject: [byExample, () => ({ body: { clientId: null, name: `Name ${randomUUID()}` } })],
};

async function tagOf(path: string, { ana }: Scene): Promise<string> {
  return (await ana.get(path)).headers.get('etag') ?? '';
}

/** Sends a request to an instance that starts for it. */
async function sendCold({ operationId, method }: Endpoint, by: User, path: string, sending: Sending): Promise<Reply> {
  await own.cloud.endInstances(kebabCase(operationId));
  return by.send(method, path, sending);
}

const problemOf = ({ status, body }: Reply): Json => (status < 400 ? undefined : body);

/** Each request of each operation that the filter admits. */
function requests(filter: (endpoint: Endpoint) => boolean) {
  return routes.filter(filter).flatMap((endpoint) =>
    (asks[endpoint.operationId] ?? [byExample]).map((ask, position) => ({
      title: `${endpoint.operationId} (${position + 1})`,
      endpoint,
      prepare: async () => {
        const all = await scene(endpoint.area);
        return { all, path: await pathOf(endpoint, all), sending: await ask(all, endpoint) };
      },
    })),
  );
}

describe('an instance that has just started', () => {
  it.each(requests(() => true))('does all that a request may ask for: $title', async ({ endpoint, prepare }) => {
    const { all, path, sending } = await prepare();
    expect(problemOf(await sendCold(endpoint, all.ana, path, sending))).toBeUndefined();
  });

  it.each(requests((endpoint) => matchedSchema(endpoint) !== undefined))(
    'does so with If-Match: $title',
    async ({ endpoint, prepare }) => {
      const { all, path, sending } = await prepare();
      const headers = { 'if-match': await tagOf(path, all) };
      expect(problemOf(await sendCold(endpoint, all.ana, path, { ...sending, headers }))).toBeUndefined();
    },
  );

  it.each(requests(takesIdempotencyKey))(
    'does so once with an Idempotency-Key: $title',
    async ({ endpoint, prepare }) => {
      const { all, path, sending } = await prepare();
      const named = { ...sending, headers: { 'idempotency-key': randomUUID() } };
      const first = await sendCold(endpoint, all.ana, path, named);
      expect(problemOf(first)).toBeUndefined();
      const again = await sendCold(endpoint, all.ana, path, named);
      expect(again).toMatchObject({ status: first.status, body: first.body });
      expect(again.headers.get('idempotency-replayed')).toBe('true');
    },
  );
});

describe('an instance that has just started, about an entry', () => {
  const ofEntries = routes.filter(({ path }) => path === '/v1/work/tracker/entries/{id}');
  const cases = ofEntries.flatMap((endpoint) =>
    [true, false].map((isMatched) => ({
      title: `${endpoint.method}${isMatched ? ' with If-Match' : ''}`,
      endpoint,
      isMatched,
    })),
  );

  async function answer(endpoint: Endpoint, all: Scene, isMatched: boolean): Promise<Reply> {
    const path = pathTo(endpoint.path, all.entryId);
    const headers = isMatched ? { 'if-match': await tagOf(path, all) } : undefined;
    return sendCold(endpoint, all.ana, path, { body: endpoint.example.body, headers });
  }

  it.each(cases)('on an invoice, answers what the contract says: $title', async ({ endpoint, isMatched }) => {
    const all = await scene('invoices');
    await bill(all);
    const { status, body } = await answer(endpoint, all, isMatched);
    expect({ status, code: body.code }).toEqual(
      endpoint.method === 'GET' ? { status: 200 } : { status: 409, code: 'entry_invoiced' },
    );
  });

  it.each(cases)('whose links are gone, answers as about any other: $title', async ({ endpoint, isMatched }) => {
    const all = await scene('tracker');
    await all.ana.delete(`/v1/work/tracker/projects/${all.projectId}`);
    await all.ana.delete(`/clients/${all.clientId}`);
    expect(problemOf(await answer(endpoint, all, isMatched))).toBeUndefined();
  });
});
