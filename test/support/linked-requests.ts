import { randomUUID } from 'node:crypto';
import { createClient } from '#shared/contract/clients/create-client.ts';
import { type Area, type Endpoint, filledPath, isOfPlatform, parameterNames } from '#shared/contract/endpoint.ts';
import { getWebhook } from '#shared/contract/events/get-webhook.ts';
import { exampleUser } from '#shared/contract/organization/user.ts';
import { confirmRemoteSync } from '#shared/contract/remote/confirm-remote-sync.ts';
import { routes } from '#shared/routes.ts';
import type { Sending } from './client.ts';
import { given, type User } from './given.ts';
import { addUser, newEmail, signIn } from './person.ts';
import { LOGO } from './pictures.ts';
import { requiredQueryOf, resourceOf } from './resources.ts';
import { bodyWith, membersOf } from './schema-members.ts';

/** Requests of every operation, about objects that have every link. */

export interface Scene {
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

export async function scene(area: Area): Promise<Scene> {
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

export const bill = (all: Scene) => given.invoice(all.ana, { clientId: all.clientId, lineItems: linesOf(all) });

const running = async ({ ana, projectId }: Scene): Promise<string> => (await given.timer(ana, { projectId })).id;

async function imported(all: Scene): Promise<string> {
  const reply = await all.ana.post(confirmRemoteSync.path, bodyOf(confirmRemoteSync, all));
  return reply.body.data.importJobId;
}

async function signedIn({ ana: { organization } }: Scene): Promise<string> {
  const email = newEmail();
  const id = await addUser(organization, email);
  await signIn(email).in(organization.id).get('/v1/me');
  return id;
}

/** What the path of an operation names, with links wherever it can have them; invoices have them all. */
const linked: Readonly<Record<string, (all: Scene) => Promise<string>>> = {
  '/clients/{id}': async ({ clientId }) => clientId,
  '/v1/work/tracker/projects/{id}': async ({ projectId }) => projectId,
  '/v1/work/tracker/entries/{id}': async ({ entryId }) => entryId,
  '/v1/work/tracker/timer/{sessionId}': running,
  '/v1/work/tracker/timer/{sessionId}/stop': running,
  '/v1/work/tracker/timer/{sessionId}/discard': running,
  '/v1/work/tracker/remote/sync/history/{id}': imported,
  '/v1/work/tracker/remote/sync/history/{id}/undo': imported,
  '/v1/users/{id}/sign-ins': signedIn,
  '/problems/{code}': async () => 'not_found',
  '/docs/{asset}': async ({ ana }) => /"\/docs\/([^"]+\.js)"/.exec((await ana.get('/docs')).body)?.[1] ?? '',
};

/** @returns the values of the parameters of the path */
async function paramsOf(endpoint: Endpoint, all: Scene): Promise<Record<string, string>> {
  const names = parameterNames(endpoint.path);
  if (names.length === 0) return {};
  const ids = (await (linked[endpoint.path]?.(all) ?? resourceOf(endpoint, all.ana, () => bill(all)))).split('/');
  return Object.fromEntries(names.map((name, position) => [name, ids[position] ?? '']));
}

/** The example of the contract, about objects that exist, and with all links that the body may have. */
function bodyOf({ operationId, example }: Endpoint, all: Scene): unknown {
  if (example.body === undefined) return undefined;
  const known = new Set(membersOf(operationId).map(({ path }) => path));
  const values = Object.entries({ ...all, name: `Name ${randomUUID()}` }).filter(([name]) => known.has(name));
  const body = JSON.stringify(bodyWith(Object(example.body), Object.fromEntries(values)));
  const linked = body.replaceAll(createClient.example.response.id, all.clientId);
  return JSON.parse(linked.replaceAll(exampleUser.id, all.ana.userId));
}

const NOVEMBER = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };

interface Asked extends Pick<Sending, 'body' | 'rawBody' | 'headers'> {
  readonly query?: Readonly<Record<string, string>>;
}

type Ask = (all: Scene, endpoint: Endpoint) => Asked | Promise<Asked>;

const byExample: Ask = (all, endpoint) => ({ query: requiredQueryOf(endpoint), body: bodyOf(endpoint, all) });

const withLogo: Ask = async ({ ana }) => {
  await given.logo(ana);
  return {};
};

const withTwoWebhooks: Ask = async (all) => {
  for (let made = 0; made < 2; made++) await resourceOf(getWebhook, all.ana, () => bill(all));
  return {};
};

/** By operation: what to ask for, where the contract's example is not enough. */
const asks: Readonly<Record<string, readonly Ask[]>> = {
  createApiKey: [byExample, () => ({ body: { name: 'Key', scopes: ['clients:read'], user: `User ${randomUUID()}` } })],
  createInvoice: [
    byExample,
    (all) => ({ body: { clientId: all.clientId, lineItems: linesOf(all) } }),
    ({ clientId }) => ({ body: { clientId, timeEntries: { ...NOVEMBER, groupBy: 'entry' } } }),
  ],
  deleteLogo: [withLogo],
  getActiveTimer: [
    byExample,
    async (all) => {
      await running(all);
      return {};
    },
  ],
  getLogo: [withLogo],
  importRows: [byExample, (all, endpoint) => ({ query: { dryRun: 'true' }, body: bodyOf(endpoint, all) })],
  linkMe: [async ({ ana }) => ({ body: { code: await given.invitation(ana) } })],
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
  listWebhooks: [withTwoWebhooks],
  searchProducts: [() => ({ query: { q: 'consult' } })],
  setLogo: [() => LOGO],
  summarizeEntries: [() => ({ query: NOVEMBER }), () => ({ query: { ...NOVEMBER, groupBy: 'client' } })],
  updateEntry: [() => ({ body: { description: 'Review' } }), () => ({ body: { projectId: null } })],
  updateInvoice: [byExample, (all) => ({ body: { lineItems: linesOf(all).slice(0, 1) } })],
  updateProject: [byExample, () => ({ body: { clientId: null, name: `Name ${randomUUID()}` } })],
};

/** Of a caller who may call it: a key, or the token of a person who is linked nowhere yet. */
function credentialFor({ scope, takesKeys }: Endpoint, { ana }: Scene): Promise<string> | string {
  if (scope && isOfPlatform(scope)) return given.platformKey();
  return takesKeys === false ? signIn('', { sub: randomUUID(), email: undefined }).token : ana.apiKey;
}

/** Each request of each operation that the filter admits. */
export function requests(filter: (endpoint: Endpoint) => boolean) {
  return routes.filter(filter).flatMap((endpoint) =>
    (asks[endpoint.operationId] ?? [byExample]).map((ask, position) => ({
      title: `${endpoint.operationId} (${position + 1})`,
      endpoint,
      prepare: async () => {
        const all = await scene(endpoint.area);
        const params = await paramsOf(endpoint, all);
        const credential = await credentialFor(endpoint, all);
        return { all, params, credential, path: filledPath(endpoint.path, params), asked: await ask(all, endpoint) };
      },
    })),
  );
}
