import { beforeAll, describe, expect, it } from 'vitest';
import { type Endpoint, isOfPlatform } from '#shared/contract/endpoint.ts';
import { listOwnOrganizations } from '#shared/contract/organization/list-own-organizations.ts';
import { searchProducts } from '#shared/contract/products/search-products.ts';
import { routes } from '#shared/routes.ts';
import type { Json, Reply, Sending } from '#test/support/client.ts';
import { given, type User } from '#test/support/given.ts';
import { pathTo } from '#test/support/resources.ts';
import { givenWebhook } from '#test/support/webhooks.ts';

/** What holds for every list: its order, its pages and their links. What each finds by its filters is in its own file. */

type Make = (by: User, parentId: string) => Promise<Json>;

async function endedTimer(by: User): Promise<Json> {
  const { id } = await given.timer(by);
  return (await by.post(`/v1/work/tracker/timer/${id}/discard`)).body.data;
}

/** How each list gets one more item. */
const MAKERS: Readonly<Record<string, Make>> = {
  listProducts: (by) => given.product(by),
  listClients: (by) => given.client(by),
  listInvoices: (by) => given.invoice(by),
  listCreditNotes: async (by) => given.creditNote(by, (await given.sentInvoice(by)).id),
  listPayments: (by, invoiceId) => given.payment(by, invoiceId),
  listProjects: (by) => given.project(by),
  listEntries: (by) => given.entry(by),
  listTimerSessions: endedTimer,
  listRemoteSyncHistory: async (by) => ({ id: await given.importJob(by) }),
  listApiKeys: (by) => given.apiKey(by),
  listUsers: (by) => given.colleague(by),
  listWebhooks: async (by) => (await givenWebhook({}, by)).webhook,
};

/** An organization begins with a key and its user. */
const AT_FIRST: Readonly<Record<string, number>> = { listApiKeys: 1, listUsers: 1 };

const MADE = 5;

const isList = ({ response }: Endpoint) => response.kind === 'list' || response.kind === 'listOrCursorPage';
const lists = routes.filter((endpoint) => isList(endpoint) && MAKERS[endpoint.operationId]);
const byCursor = lists.filter(({ response }) => response.kind === 'listOrCursorPage');

it('are all that an organization has, beside the search of products', () => {
  const others = routes.filter((each) => isList(each) && !isOfPlatform(each.scope) && !lists.includes(each));
  expect(others).toEqual([searchProducts, listOwnOrganizations]);
});

async function sceneOf({ operationId, path }: Endpoint) {
  const ana = await given.user();
  const parentId = path.includes('{') ? (await given.sentInvoice(ana)).id : '';
  const made: string[] = [];
  const make = MAKERS[operationId];
  for (let i = 0; make && i < MADE; i++) made.unshift((await make(ana, parentId)).id);
  return { ana, path: pathTo(path, parentId), made, total: MADE + (AT_FIRST[operationId] ?? 0) };
}

describe.each(lists.map((endpoint) => [endpoint.operationId, endpoint] as const))('%s', (_, endpoint) => {
  let scene: Awaited<ReturnType<typeof sceneOf>>;

  beforeAll(async () => {
    scene = await sceneOf(endpoint);
  });

  const list = async (query: Sending['query'] = {}) => (await scene.ana.get(scene.path, query)).body;
  const ids = async (query?: Sending['query']) => (await list(query)).data.map(({ id }: Json) => id);

  it('shows what was made last first, fifty at most, with the total, each as it is by itself', async () => {
    const { ana, path, made, total } = scene;
    const { data, meta } = await list();
    expect(data.slice(0, MADE).map(({ id }: Json) => id)).toEqual(made);
    expect([data.length, meta]).toEqual([total, { total, limit: 50, offset: 0 }]);
    if (!routes.some((each) => each.path === `${path}/{id}` && each.method === 'GET')) return;
    expect((await ana.get(`${path}/${made[0]}`)).body.data).toEqual(data[0]);
  });

  it('is read in pages without skipping or repeating, and past its end', async () => {
    const all = await ids();
    for (const limit of [1, 4]) {
      const walked = [];
      for (let offset = 0; offset < all.length; offset += limit) walked.push(...(await ids({ limit, offset })));
      expect(walked).toEqual(all);
    }
    const { total } = scene;
    expect((await list({ limit: 2, offset: 3 })).meta).toEqual({ total, limit: 2, offset: 3 });
    for (const offset of [total, Number.MAX_SAFE_INTEGER]) {
      expect(await list({ offset })).toMatchObject({ data: [], meta: { total, offset } });
    }
  });

  it('shows nothing of another organization', async () => {
    const { data = [] } = (await (await given.user()).get(scene.path)).body;
    expect(data).toHaveLength(AT_FIRST[endpoint.operationId] ?? 0);
    for (const { id } of data) expect(await ids()).not.toContain(id);
  });

  it.each([
    ['starting_after', 'after'],
    ['ending_before', 'before'],
  ])('refuses %s, and names what has come after it: %s', async (name, successor) => {
    const { status, body } = await scene.ana.get(scene.path, { [name]: '' });
    const message = expect.stringContaining(`replaced by "${successor}"`);
    expect([status, body.errors]).toEqual([422, [{ path: name, message, code: 'superseded' }]]);
  });
});

/** The targets of a `Link` header by their relation. */
function linksOf({ headers }: Reply): Readonly<Record<string, string | undefined>> {
  const links = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return Object.fromEntries(links.map(([, target, relation]) => [relation, target]));
}

const ANOTHER_ORDER: Readonly<Record<string, string>> = { listClients: 'name' };

describe.each(byCursor.map((endpoint) => [endpoint.operationId, endpoint] as const))('%s by cursor', (_, endpoint) => {
  let scene: Awaited<ReturnType<typeof sceneOf>>;

  beforeAll(async () => {
    scene = await sceneOf(endpoint);
  });

  const page = (query: Sending['query'] = {}, by = scene.ana) => by.get(scene.path, { pagination: 'cursor', ...query });
  const idsOf = ({ body }: Reply) => body.edges.map(({ node }: Json) => node.id);
  const cursorAt = async (at: number) => (await page()).body.edges[at].cursor;
  const faultsOf = ({ status, body }: Reply) => [
    status,
    body.errors?.map(({ path, code }: Json) => `${path}: ${code}`),
  ];

  it('answers a connection without an envelope, newest first, with links to both ends', async () => {
    const reply = await page();
    const { data } = (await scene.ana.get(scene.path)).body;
    const [startCursor, endCursor] = [await cursorAt(0), await cursorAt(MADE - 1)];
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        pagination: 'cursor',
        edges: data.map((node: Json) => ({ cursor: expect.stringMatching(/^[\w-]+$/), node })),
        pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor, endCursor },
        totalCount: MADE,
      },
    ]);
    expect(linksOf(reply)).toEqual({
      first: expect.stringMatching(/\?.*\bfirst=50\b/),
      last: expect.stringMatching(/\?.*\blast=50\b/),
    });
  });

  it('answers an empty connection where there is nothing', async () => {
    expect((await page({}, await given.user())).body).toEqual({
      pagination: 'cursor',
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
      totalCount: 0,
    });
  });

  it('is walked from end to end and back by its links alone, which keep the other parameters', async () => {
    const all = scene.made;
    const first = await page({ first: 3, orderDirection: 'asc', q: '' });
    const rest = await scene.ana.get(linksOf(first).next ?? '');
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(all.toReversed());
    expect([first, rest].map(({ body }) => body.pageInfo)).toMatchObject([
      { hasNextPage: true, hasPreviousPage: false },
      { hasNextPage: false, hasPreviousPage: true },
    ]);
    expect(linksOf(rest).next).toBeUndefined();
    const back = await scene.ana.get(linksOf(rest).prev ?? '');
    expect([idsOf(back), linksOf(back).prev]).toEqual([idsOf(first), undefined]);
    expect(idsOf(await scene.ana.get(linksOf(back).last ?? ''))).toEqual(all.slice(0, 3).toReversed());
    for (const link of [rest, back].flatMap((reply) => Object.values(linksOf(reply)))) {
      const parameters = new URL(link ?? '', 'http://host').searchParams;
      const shown = ['pagination', 'orderDirection', 'limit', 'offset'].map((name) => parameters.get(name));
      expect(shown).toEqual(['cursor', 'asc', null, null]);
      expect([...parameters.getAll('first'), ...parameters.getAll('last')]).toEqual(['3']);
    }
  });

  it('reads on from after and back from before, in the order of the list', async () => {
    const { made } = scene;
    const [second, last] = [await cursorAt(1), await cursorAt(MADE - 1)];
    expect(idsOf(await page({ first: 2, after: second }))).toEqual(made.slice(2, 4));
    expect(idsOf(await page({ last: 1, before: second }))).toEqual(made.slice(0, 1));
    expect(idsOf(await page({ last: 2, after: second }))).toEqual(made.slice(3));
    expect(idsOf(await page({ last: 2 }))).toEqual(made.slice(3));
    expect(idsOf(await page({ after: second, before: last }))).toEqual(made.slice(2, 4));
  });

  it('links an empty page to what lies before it', async () => {
    const reply = await page({ after: await cursorAt(MADE - 1) });
    expect(reply.body).toMatchObject({ edges: [], pageInfo: { hasPreviousPage: true, hasNextPage: false } });
    expect(idsOf(await scene.ana.get(linksOf(reply).prev ?? ''))).toEqual(scene.made);
  });

  it.each([
    [{ first: 1, last: 1 }, ['last: exclusive']],
    [{ after: '' }, ['after: cursor']],
    [{ after: 'x', before: 'y' }, ['after: cursor', 'before: cursor']],
    [{ before: 'eyJpZCI6MX0=' }, ['before: cursor']],
    [{ before: '\u0000' }, ['before: cursor']],
  ])('refuses %o', async (query, faults) => {
    expect(faultsOf(await page(query))).toEqual([422, faults]);
  });

  it('refuses a cursor of another order, direction, search, organization or list', async () => {
    const query = { q: 'a', orderBy: 'createdAt', orderDirection: 'asc' };
    const same = { ...query, after: (await page(query)).body.pageInfo.endCursor };
    expect((await page(same)).status).toBe(200);
    const another = { orderBy: ANOTHER_ORDER[endpoint.operationId] ?? 'total' };
    for (const other of [another, { orderDirection: 'desc' }, { q: 'b' }, { q: '' }]) {
      expect(faultsOf(await page({ ...same, ...other }))).toEqual([422, ['after: cursor']]);
    }
    expect(faultsOf(await page(same, await given.user()))).toEqual([422, ['after: cursor']]);
    for (const { path } of byCursor.filter((each) => each !== endpoint)) {
      expect((await scene.ana.get(path, { pagination: 'cursor', ...same })).status).toBe(422);
    }
  });
});
