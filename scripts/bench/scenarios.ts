import { randomUUID } from 'node:crypto';
import { DEMO_CREDENTIAL } from '#scripts/local/demo-provider.ts';
import { type Endpoint, parameterNames } from '#shared/contract/endpoint.ts';
import { routes } from '#shared/routes.ts';
import { type Caller, endpointOf, type Input, type Reply } from './caller.ts';

/**
 * What is sent to measure an operation. For most operations the contract says it: the body is the contract's
 * example, and the POST of the collection makes what the path names. If that does not work for an operation, a
 * scenario here says what to send.
 */

export interface Scenario {
  /** Prepares a request. Its time is not measured. */
  readonly input: (by: Caller) => Promise<Input>;
  /** Puts things back after the request. Its time is not measured. */
  readonly after?: (by: Caller, reply: Reply) => Promise<unknown>;
  /** False if a request takes so long that a few requests must be enough. */
  readonly isShort?: boolean;
}

export function scenarioOf(endpoint: Endpoint): Scenario {
  return scenarios[endpoint.operationId] ?? { input: byContract(endpoint) };
}

/** The year of the callers' past work. */
export const YEAR = { dateFrom: '2025-01-01', dateTo: '2025-12-31' };

const IMPORTED_ROWS = 100;

const connected: Scenario['input'] = async (by) => {
  assertOk(await by.call('connectRemote', { body: DEMO_CREDENTIAL }));
  return {};
};

const running: Scenario['input'] = async (by) => {
  const { body } = assertOk(await by.call('startTimer', { body: { projectId: by.projectIds[0] } }));
  return { params: { sessionId: body.data.id } };
};

const confirmed: Scenario['input'] = async (by) => {
  await connected(by);
  const { body } = assertOk(await by.call('confirmRemoteSync', { body: { rows: freshRows() } }));
  return { params: { id: body.data.importJobId } };
};

const BILLED_ENTRIES = 20;
/** Before the year in which lists are measured: each new client adds one more cell to a day. */
const BILLED_MONTH = '2024-06';

/** A body that bills a month of a new client's tracked time, and a line of its own. */
async function invoiceBody(by: Caller): Promise<object> {
  const { seedBillable } = await import('./seed.ts');
  const clientId = await madeBy(endpointOf('createClient'), by);
  const { organizationId, userId } = by;
  await seedBillable({ organizationId, userId, clientId, entries: BILLED_ENTRIES, month: BILLED_MONTH });
  return {
    clientId,
    currency: 'USD',
    issueDate: '2024-07-01',
    timeEntries: { dateFrom: `${BILLED_MONTH}-01`, dateTo: `${BILLED_MONTH}-30`, groupBy: 'entry' },
    lineItems: [{ name: 'Hosting', price: '49.90', taxRate: '19' }],
  };
}

const drafted: Scenario['input'] = async (by) => {
  const reply = assertOk(await by.call('createInvoice', { body: await invoiceBody(by) }));
  assertBilled(reply);
  return { params: { id: reply.body.data.id } };
};

function assertBilled({ body }: Reply): void {
  const { length } = body.data.lineItems;
  if (length !== BILLED_ENTRIES + 1) throw new Error(`bills ${length} lines`);
}

const sent: Scenario['input'] = async (by) => {
  const draft = await drafted(by);
  assertOk(await by.call('sendInvoice', draft));
  return draft;
};

const part = { body: { amount: '1.00' } };

const partPaid: Scenario['input'] = async (by) => {
  const { params } = await sent(by);
  const { body } = assertOk(await by.call('createPayment', { params, ...part }));
  return { params: { ...params, paymentId: body.data.id } };
};

/** The name of an asset holds a hash of its content. */
const firstScript: Scenario['input'] = async (by) => {
  const [, asset = ''] = /"\/docs\/([^"]+\.js)"/.exec((await by.call('getDocs')).body) ?? [];
  return { params: { asset } };
};

/** The second page of invoices that have some lines each. */
const secondPage: Scenario['input'] = async (by) => {
  const query = { pagination: 'cursor', first: '25' };
  const { body } = assertOk(await by.call('listInvoices', { query }));
  return { query: { ...query, after: body.pageInfo.endCursor } };
};

const scenarios: Readonly<Record<string, Scenario>> = {
  createInvoice: {
    input: async (by) => ({ body: await invoiceBody(by) }),
    after: async (_, reply) => assertBilled(reply),
  },
  listInvoices: { input: onceForEach(secondPage) },
  getInvoice: { input: onceForEach(drafted) },
  updateInvoice: {
    input: async (by) => ({ ...(await drafted(by)), body: { dueDate: '2024-08-01', notes: 'Thank you.' } }),
  },
  deleteInvoice: { input: drafted },
  sendInvoice: { input: drafted },
  payInvoice: { input: sent },
  createPayment: { input: async (by) => ({ ...(await sent(by)), ...part }) },
  listPayments: { input: onceForEach(partPaid) },
  deletePayment: { input: partPaid },
  voidInvoice: { input: sent },
  getInvoicePdf: { input: onceForEach(sent) },
  getDocsAsset: { input: firstScript },
  getProblem: { input: async () => ({ params: { code: 'not_found' } }) },
  searchProducts: { input: async () => ({ query: { q: 'consult' } }) },
  listEntries: { input: async () => ({ query: { ...YEAR, offset: '500' } }) },
  summarizeEntries: { input: async () => ({ query: YEAR }) },
  startTimer: {
    input: async (by) => ({ body: { projectId: by.projectIds[0], description: 'Work' } }),
    after: (by, { body }) => by.call('discardTimer', { params: { sessionId: body.data.id } }),
  },
  stopTimer: { input: running },
  discardTimer: { input: running },
  connectRemote: { input: async () => ({ body: DEMO_CREDENTIAL }) },
  updateOrganization: { input: async () => ({ body: { invoiceNotes: randomUUID() } }) },
  updateRemoteSettings: {
    input: async (by) => ({ ...(await connected(by)), body: { syncEnabled: false, syncIntervalMinutes: 30 } }),
  },
  disconnectRemote: { input: connected },
  previewRemoteSync: { input: async (by) => ({ ...(await connected(by)), body: {} }), isShort: false },
  confirmRemoteSync: {
    input: async (by) => ({ ...(await connected(by)), body: { rows: freshRows() } }),
    isShort: false,
  },
  undoRemoteSync: { input: confirmed, isShort: false },
};

/** Rows that nobody has imported. */
function freshRows() {
  return Array.from({ length: IMPORTED_ROWS }, (_, i) => ({
    date: `2025-06-${String(1 + (i % 30)).padStart(2, '0')}`,
    durationMinutes: 30 + i,
    description: `Imported work ${i}`,
    externalId: randomUUID(),
    rate: 95.5,
  }));
}

/**
 * A GET reads the same thing again and again. A request that changes or removes a thing gets a new thing each time.
 */
function byContract(endpoint: Endpoint): Scenario['input'] {
  const [name] = parameterNames(endpoint.path);
  const maker = name === undefined ? undefined : makerOf(endpoint);
  const make = async (by: Caller): Promise<Input> => ({
    ...(name !== undefined && maker && { params: { [name]: await madeBy(maker, by) } }),
    ...(endpoint.body && { body: bodyOf(endpoint, by) }),
  });
  return endpoint.method === 'GET' ? onceForEach(make) : make;
}

/** Makes a thing once for each caller: repeated reads can share it. */
function onceForEach(make: Scenario['input']): Scenario['input'] {
  const made = new Map<Caller, Promise<Input>>();
  return (by) => {
    const input = made.get(by) ?? make(by);
    made.set(by, input);
    return input;
  };
}

/** The POST of the collection that a path begins with. */
function makerOf({ path }: Endpoint): Endpoint {
  const collection = path.slice(0, path.indexOf('/{'));
  const maker = routes.find((route) => route.method === 'POST' && route.path === collection);
  if (!maker) throw new Error(`scripts/bench/scenarios.ts does not say how to make what ${path} names.`);
  return maker;
}

/** @returns the id of a new resource */
async function madeBy(maker: Endpoint, by: Caller): Promise<string> {
  const { body } = assertOk(await by.call(maker.operationId, { body: bodyOf(maker, by) }));
  return body.data.id;
}

function bodyOf({ operationId, example }: Endpoint, by: Caller): unknown {
  if (operationId === 'createProject') return { ...Object(example.body), name: `Project ${randomUUID()}` };
  if (operationId === 'createEntry') return { ...Object(example.body), projectId: by.projectIds[1] };
  return example.body;
}

export function assertOk(reply: Reply): Reply {
  if (reply.status < 300) return reply;
  throw new Error(`answered ${reply.status} ${reply.body?.code ?? ''}`.trim());
}

/**
 * Sends one request as its scenario wants it.
 *
 * @returns the milliseconds until its answer
 */
export async function perform(by: Caller, { operationId }: Endpoint, { input, after }: Scenario): Promise<number> {
  const prepared = await input(by);
  const startedAt = performance.now();
  const reply = await by.call(operationId, prepared);
  const milliseconds = performance.now() - startedAt;
  assertOk(reply);
  await after?.(by, reply);
  return milliseconds;
}

/** Makes what lists and searches read. */
export async function furnish(by: Caller, count: number): Promise<void> {
  const fillings = ['createProduct', 'createClient'].map(endpointOf);
  for (let i = 0; i < count; i++) {
    for (const { operationId, example } of fillings) assertOk(await by.call(operationId, { body: example.body }));
    await drafted(by);
  }
}
