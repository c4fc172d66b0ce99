import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidV7 } from 'uuid';
import { newClient } from '#shared/domain/clients/client.ts';
import type { Caller, Input } from './caller.ts';
import { endpointOf } from './caller.ts';
import type { Effort } from './effort.ts';
import { assertOk, type Scenario, scenarioOf } from './scenarios.ts';

/**
 * The dearest request of each operation that we know how to make, in an organization that has as much as it takes. Who
 * finds a dearer one: put it here.
 */

export interface Dearest {
  /** What makes it dear, for the report. */
  readonly what: string;
  readonly scenario: Scenario;
}

/**
 * How much the organization has, all of it with the longest texts. Requests before the dearest ones add to it: each
 * takes two of the 1,000 keys that there may be.
 */
export interface Riches {
  /** 100 MB of them are searched, which is some 6,000. */
  readonly entries: number;
  readonly products: number;
  readonly clients: number;
  readonly invoices: number;
  readonly keys: number;
  readonly importedRows: number;
  /** Of one invoice. It may have three times as many. */
  readonly billedEntries: number;
  readonly lines: number;
}

export const RICHES: Readonly<Record<Effort, Riches>> = {
  sample: {
    entries: 500,
    products: 50,
    clients: 20,
    invoices: 3,
    keys: 10,
    importedRows: 100,
    billedEntries: 20,
    lines: 20,
  },
  full: {
    entries: 6_000,
    products: 4_000,
    clients: 2_000,
    invoices: 100,
    keys: 800,
    importedRows: 2_000,
    billedEntries: 2_000,
    lines: 900,
  },
};

/** Four bytes in UTF-8, twelve in JSON with escapes. */
const WIDE = '\u{1f4d0}';

const PRODUCT = { name: WIDE.repeat(255), description: WIDE.repeat(2_000) };

const CLIENT = { name: WIDE.repeat(255), note: WIDE.repeat(2_000) };

export const DESCRIPTION = WIDE.repeat(2_000);

export function dearestRequests(riches: Riches): Readonly<Record<string, Dearest>> {
  const usual = (operationId: string, what = 'any'): Dearest => ({
    what,
    scenario: scenarioOf(endpointOf(operationId)),
  });
  const asked = (what: string, query: Input['query']): Dearest => ({
    what,
    scenario: { input: async () => ({ query }) },
  });
  const changed = (operationId: string, what: string, change: (input: Input, by: Caller) => object): Dearest => {
    const { input, ...scenario } = scenarioOf(endpointOf(operationId));
    return {
      what,
      scenario: {
        ...scenario,
        input: async (by) => {
          const prepared = await input(by);
          return { ...prepared, body: { ...Object(prepared.body), ...change(prepared, by) } };
        },
      },
    };
  };
  const importing = (count: number, days = count): Input => {
    const dates = Array.from({ length: count }, (_, i) => daysAfter(FIRST_IMPORTED, i % days));
    return { body: { rows: dates.map((date) => ({ ...ROW, date, externalId: uuidV7() })) } };
  };
  const made = (operationId: string, change: object): Scenario => ({
    input: async (by) => {
      const body = { ...Object(endpointOf(operationId).example.body), ...change };
      return { params: { id: assertOk(await by.call(operationId, { body })).body.data.id } };
    },
  });
  const lined = (by: Caller) => drawn(by, riches.lines);

  return {
    createProduct: changed('createProduct', 'the longest texts', () => PRODUCT),
    listProducts: asked('`q` that all products have', { q: 'product', limit: '100', includeInactive: 'true' }),
    searchProducts: asked('`q` that no product has', { q: 'nowhere', limit: '100' }),
    getProduct: usual('getProduct'),
    updateProduct: changed('updateProduct', 'the longest texts', () => PRODUCT),
    deleteProduct: { what: 'the longest texts', scenario: made('createProduct', PRODUCT) },
    createClient: changed('createClient', 'the longest texts', () => CLIENT),
    listClients: asked('`q` among all clients', { q: 'client', limit: '100' }),
    getClient: usual('getClient'),
    updateClient: changed('updateClient', 'the longest texts', () => CLIENT),
    deleteClient: { what: 'the longest texts', scenario: made('createClient', CLIENT) },
    createInvoice: {
      what: 'much tracked time, the longest descriptions',
      scenario: { input: async (by) => ({ body: await billingBody(by, riches.billedEntries) }), isShort: false },
    },
    listInvoices: asked('`q` among all invoices', { q: 'x', limit: '100' }),
    getInvoice: { what: 'many lines', scenario: { input: lined } },
    updateInvoice: {
      what: 'much tracked time to other lines',
      scenario: {
        input: async (by) => ({
          ...(await billed(by, riches.billedEntries)),
          body: { lineItems: [{ name: 'Hosting', price: '49.90' }] },
        }),
      },
    },
    deleteInvoice: { what: 'of much tracked time', scenario: { input: (by) => billed(by, riches.billedEntries) } },
    sendInvoice: { what: 'many lines and long notes', scenario: { input: lined } },
    payInvoice: { what: 'many lines and long notes', scenario: { input: async (by) => sent(by, await lined(by)) } },
    voidInvoice: {
      what: 'of much tracked time',
      scenario: { input: async (by) => sent(by, await billed(by, riches.billedEntries)) },
    },
    getInvoicePdf: { what: 'many lines in Arabic', scenario: { input: async (by) => sent(by, await lined(by)) } },
    createProject: changed('createProject', 'the longest name', () => ({ name: `${uuidV7()}${WIDE.repeat(200)}` })),
    listProjects: asked('a filter', { status: 'in_progress', limit: '200' }),
    getProject: usual('getProject'),
    updateProject: usual('updateProject'),
    deleteProject: usual('deleteProject'),
    createEntry: changed('createEntry', 'the longest description', () => ({ description: DESCRIPTION })),
    listEntries: asked('`q` that all entries have', { q: WIDE, limit: '200', ...PAST_YEAR }),
    summarizeEntries: asked('all time', { dateFrom: '2000-01-01', dateTo: '2099-12-31' }),
    getEntry: usual('getEntry'),
    updateEntry: changed('updateEntry', 'another date, the longest description', () => ({
      entryDate: '2024-02-29',
      description: DESCRIPTION,
    })),
    deleteEntry: {
      what: 'the longest description',
      scenario: made('createEntry', { projectId: undefined, description: DESCRIPTION }),
    },
    getActiveTimer: usual('getActiveTimer'),
    startTimer: usual('startTimer', 'in a project'),
    stopTimer: usual('stopTimer', 'in a project'),
    discardTimer: usual('discardTimer', 'in a project'),
    listTimerSessions: asked('a filter', { status: 'discarded', limit: '200' }),
    connectRemote: usual('connectRemote'),
    getRemote: usual('getRemote'),
    updateRemoteSettings: usual('updateRemoteSettings'),
    disconnectRemote: usual('disconnectRemote'),
    previewRemoteSync: {
      what: 'a month of imported rows',
      scenario: {
        input: async (by) => {
          await imported(by, importing(PREVIEWED_ROWS, MONTH_DAYS));
          return { body: { dateFrom: FIRST_IMPORTED, dateTo: daysAfter(FIRST_IMPORTED, MONTH_DAYS - 1) } };
        },
      },
    },
    confirmRemoteSync: {
      what: 'rows of as many days, as long as a body takes them',
      scenario: {
        input: async (by) => {
          await connected(by);
          return importing(riches.importedRows);
        },
      },
    },
    listRemoteSyncHistory: asked('the largest page', { limit: '200' }),
    undoRemoteSync: {
      what: 'rows of as many days, as long as a body takes them',
      scenario: {
        input: async (by) => ({ params: { id: await imported(by, importing(riches.importedRows)) } }),
      },
    },
    createApiKey: usual('createApiKey', 'many keys'),
    listApiKeys: asked('the largest page', { limit: '200' }),
    revokeApiKey: { what: 'of a key that made others', scenario: { input: familyOfKeys } },
    getHealth: usual('getHealth'),
    getOpenApi: usual('getOpenApi'),
    getDocs: usual('getDocs'),
    getDocsAsset: usual('getDocsAsset', 'the largest'),
    getProblem: usual('getProblem'),
    createPayment: {
      what: 'many lines and long notes',
      scenario: {
        input: async (by) => ({ ...(await sent(by, await lined(by))), body: { amount: '1' } }),
      },
    },
    listPayments: usual('listPayments'),
    deletePayment: usual('deletePayment'),
    getMe: usual('getMe'),
    listUsers: asked('the largest page', { limit: '200' }),
    getOrganization: usual('getOrganization'),
    updateOrganization: usual('updateOrganization'),
  };
}

/** 10,000 of them take nearly the 32 MiB of a body. They cost as much in smaller imports, which weigh less. */
const ROW = { durationMinutes: 30, description: WIDE.repeat(800), rate: 95.5 };

const FIRST_IMPORTED = '2000-01-01';

const MONTH_DAYS = 30;

/** The answer names them, with those of the request before, in not quite 6 MB. */
const PREVIEWED_ROWS = 800;

/** The days of the entries that were there before the requests. */
const PAST_YEAR = { dateFrom: '2025-01-01', dateTo: '2025-12-31' };

const MILLISECONDS_PER_DAY = 86_400_000;

const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * MILLISECONDS_PER_DAY).toISOString().slice(0, 10);

/** Past work is of a month in which nothing else is. */
const BILLED_MONTH = '2024-06';

/** What one transaction takes. */
const ENTRIES_AT_ONCE = 20;

async function billingBody(by: Caller, entries: number): Promise<object> {
  const { seedBillable } = await import('./seed.ts');
  const { organizationId, userId } = by;
  const clientId = assertOk(await by.call('createClient', { body: { name: 'Billed' } })).body.data.id;
  for (let done = 0; done < entries; done += ENTRIES_AT_ONCE) {
    const work = { entries: ENTRIES_AT_ONCE, month: BILLED_MONTH, description: DESCRIPTION };
    await seedBillable({ organizationId, userId, clientId, ...work });
  }
  const timeEntries = { dateFrom: `${BILLED_MONTH}-01`, dateTo: `${BILLED_MONTH}-30`, groupBy: 'project' };
  return { clientId, currency: 'USD', timeEntries };
}

async function billed(by: Caller, entries: number): Promise<Input> {
  const { body } = assertOk(await by.call('createInvoice', { body: await billingBody(by, entries) }));
  return { params: { id: body.data.id } };
}

const ARABIC = 'استشارات تقنية وتطوير برمجيات';

/** A draft of lines that name no entry. */
async function drawn(by: Caller, lines: number): Promise<Input> {
  const clientId = assertOk(await by.call('createClient', { body: { name: ARABIC } })).body.data.id;
  const lineItems = Array.from({ length: lines }, (_, i) => ({
    name: `${ARABIC} ${i}`,
    description: ARABIC,
    price: '1',
  }));
  const { body } = assertOk(
    await by.call('createInvoice', { body: { clientId, lineItems, notes: WIDE.repeat(2_000) } }),
  );
  return { params: { id: body.data.id } };
}

async function sent(by: Caller, invoice: Input): Promise<Input> {
  assertOk(await by.call('sendInvoice', invoice));
  return invoice;
}

const LOOK_AGAIN_MILLISECONDS = 200;

async function connected(by: Caller): Promise<void> {
  await scenarioOf(endpointOf('confirmRemoteSync')).input(by);
}

/** @returns the id of the job */
async function imported(by: Caller, rows: Input): Promise<string> {
  await connected(by);
  const { body } = assertOk(await by.call('confirmRemoteSync', rows));
  await ended(by, body.data.importJobId);
  return body.data.importJobId;
}

/** Waits until an import has ended, since a request for ten thousand rows does not. */
async function ended(by: Caller, id: string): Promise<void> {
  for (;;) {
    const { body } = assertOk(await by.call('listRemoteSyncHistory', { query: { limit: '200' } }));
    const job = body.data.find((each: { readonly id: string }) => each.id === id);
    if (job?.status !== 'processing') return;
    await sleep(LOOK_AGAIN_MILLISECONDS);
  }
}

/** As many as a test of it needs: each costs a deletion of three items. */
const CHILDREN = 5;

async function familyOfKeys(by: Caller): Promise<Input> {
  const { issueApiKey } = await import('#shared/data/keys/api-keys.ts');
  const { organizationId, userId } = by;
  const terms = { name: 'Family', scopes: [], rateLimit: 1, expiresAt: null, currency: 'USD', organizationId, userId };
  const { id } = await issueApiKey({ ...terms, id: uuidV7(), createdByKeyId: null }, new Date());
  for (let i = 0; i < CHILDREN; i++) await issueApiKey({ ...terms, id: uuidV7(), createdByKeyId: id }, new Date());
  return { params: { id } };
}

/** Gives the organization of a caller what the dearest requests read. */
export async function enrich(by: Caller, { products, clients, invoices, keys }: Riches): Promise<void> {
  const { insertClient } = await import('#shared/data/clients/clients.ts');
  const { issueApiKey } = await import('#shared/data/keys/api-keys.ts');
  const { seedProducts } = await import('./seed.ts');
  const { organizationId, userId } = by;
  await seedProducts({ organizationId, userId, products, description: PRODUCT.description });
  for (let i = 0; i < clients; i++) {
    await insertClient(newClient({ name: `Client ${i}`, note: CLIENT.note }, organizationId, uuidV7(), new Date()));
  }
  for (let i = 0; i < invoices; i++) await drawn(by, 1);
  const terms = { name: 'Another', scopes: [], rateLimit: 1, expiresAt: null, currency: 'USD', organizationId, userId };
  for (let i = 0; i < keys; i++) await issueApiKey({ ...terms, id: uuidV7(), createdByKeyId: null }, new Date());
}
