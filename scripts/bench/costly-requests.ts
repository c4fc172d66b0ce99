import { v7 as uuidV7 } from 'uuid';
import { DEMO_CREDENTIAL } from '#scripts/demo/demo-provider.ts';
import { localIssuer } from '#scripts/demo/issuer.ts';
import { parameterNames } from '#shared/contract/endpoint.ts';
import { insertClient } from '#shared/data/clients/clients.ts';
import { issueApiKey } from '#shared/data/keys/api-keys.ts';
import { insertion } from '#shared/data/organization/organizations.ts';
import { transact } from '#shared/data/table/transaction.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { newOrganization } from '#shared/domain/organization/organization.ts';
import { routes } from '#shared/routes.ts';
import { type Caller, endpointOf, type Input } from './caller.ts';
import { copyCreditNote, copyImport, copyInvoice, copyProject, copySession } from './crowd.ts';
import { connect, importAll } from './import.ts';
import { largestLogo } from './largest-logo.ts';
import { seed, seedProducts } from './seed.ts';

/** The costliest requests that we know how to make. Add any costlier request you find. */

export interface CostlyRequest {
  readonly costlyBy: string;
  readonly prepare: (by: Caller) => Promise<Input>;
}

/** Four bytes in UTF-8, twelve in JSON with escapes. */
const WIDE = '\u{1f4d0}';

export interface FixtureSize {
  /** 1 for the costliest requests, less for smaller ones. */
  readonly scale: number;
  readonly texts: Texts;
}

/** No two descriptions are equal, so that packing them saves little. All begin with `first`. */
export interface Texts {
  readonly name: string;
  readonly first: string;
  readonly description: () => string;
  /** The lines of a long invoice. */
  readonly lines: number;
  readonly line: () => string;
  /** The entries of a long billing. One of more of them would be refused, or take a whole minute's tokens. */
  readonly billed: number;
  readonly externalId: () => string;
}

/** As many as somebody uses in a year's descriptions. */
const WORDS = Array.from({ length: 1_000 }, () => drawn(8, () => String.fromCodePoint(0x61 + below(26))));

const sentence = (words: number): string => `Workshop${drawn(words - 1, () => ` ${WORDS[below(WORDS.length)]}`)}`;

export const LONGEST: Texts = {
  name: WIDE.repeat(255),
  first: WIDE,
  description: () => `${WIDE}${drawn(1_999, () => String.fromCodePoint(0x1f400 + below(8)))}`,
  lines: 450,
  line: () => sentence(220),
  billed: 1_500,
  externalId: uuidV7,
};

let nextId = 600_000_000;

export const USUAL: Texts = {
  name: 'Workshop',
  first: 'Workshop',
  description: () => sentence(55),
  lines: 1_500,
  line: () => sentence(55),
  billed: 2_000,
  // As the remote provider numbers its entries.
  externalId: () => String(nextId++),
};

function drawn(count: number, draw: () => string): string {
  return Array.from({ length: count }, draw).join('');
}

function below(limit: number): number {
  return Math.floor(Math.random() * limit);
}

const ARABIC = 'استشارات تقنية وتطوير برمجيات';

/** The days of the entries that were there before the requests. */
const PAST_YEAR = { dateFrom: '2025-01-01', dateTo: '2025-12-31' };

const PAST = { days: 365, projects: 10, until: '2026-01-01' };

/** Billed work is of a month in which nothing else is. */
const BILLED_MONTH = { dateFrom: '2024-06-01', dateTo: '2024-06-28' };
const BILLED_DAYS = 28;

const IMPORTED_MONTH = { dateFrom: '2000-01-01', dateTo: '2000-01-30' };
const IMPORTED_DAYS = 30;

/** The answer names the rows, with those of the request before, in not quite 6 MB. */
const PREVIEWED_BYTES = 2_800_000;
/** A row without its description. */
const ROW_BYTES = 450;

/** Each request after it takes one of the 1,000 keys that there may be. */
export async function enrich(by: Caller, { scale, texts }: FixtureSize): Promise<void> {
  const { organizationId, userId } = by;
  // A search looks through 100 MB at most: that is some 6,000 entries.
  await seed({ organizationId, userId, ...PAST, entries: 6_000 * scale, description: texts.description() });
  await seedProducts({ organizationId, userId, products: 4_000 * scale, description: texts.description() });
  for (let i = 0; i < 2_000 * scale; i++) {
    const client = { name: `Client ${i}`, note: texts.description() };
    await insertClient(newClient(client, organizationId, uuidV7(), new Date()), []);
  }
  for (let i = 0; i < 100 * scale; i++) await draftOf(by, 1, texts);
  for (let i = 0; i < 800 * scale; i++) await keyMadeBy(by, null);
  for (let i = 0; i < 200 * scale; i++) {
    const organization = newOrganization({ name: uuidV7(), currency: 'USD' }, uuidV7(), new Date());
    await transact(insertion({ ...organization, invoiceNotes: texts.description() }));
  }
}

/** How many of each there are, for lists of a weight of one. A search looks through 100 MB of invoices at most. */
export const CROWD = { invoices: 4_000, creditNotes: 4_000, sessions: 2_000, imports: 1_000, projects: 1_000 };

/** Beside `enrich`, which small teams are measured with too: what their lists seldom have. */
export async function crowd(by: Caller, { scale, texts }: FixtureSize): Promise<void> {
  const invoice = await sent(by, await draftOf(by, 1, texts));
  const reason = texts.description().slice(0, 500);
  const note = await creditOf(by, await sent(by, await draftOf(by, 1, texts)), reason);
  const { params: session = {} } = await runningTimer(by);
  await by.call('discardTimer', { params: session });
  const job = await importAll(by, { rows: newRows(1, '2001-01-01', 1, texts) });
  await copyInvoice(by, invoice, CROWD.invoices * scale, texts.description);
  await copyCreditNote(by, note, CROWD.creditNotes * scale);
  await copySession(by, session.sessionId ?? '', CROWD.sessions * scale);
  await copyImport(by, job, CROWD.imports * scale);
  await copyProject(by, await made(by, 'createProject'), CROWD.projects * scale);
}

export function costlyRequestsOf(operationId: string, size: FixtureSize): readonly CostlyRequest[] {
  return [costlyRequests(size)[operationId] ?? fromExample(operationId)].flat();
}

export function costlyRequestOf(operationId: string, size: FixtureSize): CostlyRequest {
  const [first = fromExample(operationId)] = costlyRequestsOf(operationId, size);
  return first;
}

/** Those that the example of the contract does not make. */
export function costlyRequests({
  scale,
  texts,
}: FixtureSize): Readonly<Record<string, CostlyRequest | readonly CostlyRequest[]>> {
  const { name, first, description } = texts;
  const importedRows = 2_000 * scale;
  const imports = () => ({ rows: newRows(importedRows, IMPORTED_MONTH.dateFrom, importedRows, texts) });
  const billedEntries = texts.billed * scale;
  const draft = (by: Caller) => draftOf(by, texts.lines * scale, texts);
  const arabicDraft = (by: Caller) => draftOf(by, 900 * scale, { ...texts, line: () => ARABIC });
  const eInvoice = (by: Caller) => eInvoiceOf(by, texts.lines * scale, texts);
  const billing = (by: Caller) => billingDraftOf(by, billedEntries, texts);
  const anotherDay = () => ({ entryDate: '2024-02-29', description: description() });
  /** The middle is the farthest from both ends. */
  const middleOf = (count: number, limit: string) =>
    asking('the deepest page', { offset: String((count * scale) / 2), limit });
  const byTotal = { pagination: 'cursor', orderBy: 'total', first: '100' };
  const otherLines = { lineItems: [{ name: 'Hosting', price: '49.90' }] };
  return {
    createProduct: changed('createProduct', 'the longest texts', () => ({ name, description: description() })),
    listProducts: asking('`q` that all products have', { q: 'product', limit: '100', includeInactive: 'true' }),
    searchProducts: asking('`q` that no product has', { q: 'nowhere', limit: '100' }),
    updateProduct: changed('updateProduct', 'the longest texts', () => ({ name, description: description() })),
    deleteProduct: about('the longest texts', (by) => made(by, 'createProduct', { name, description: description() })),
    createClient: changed('createClient', 'the longest texts', () => ({ name, note: description() })),
    listClients: [asking('`q` among all clients', { q: 'client', limit: '100' }), middleOf(2_000, '100')],
    updateClient: changed('updateClient', 'the longest texts', () => ({ name, note: description() })),
    deleteClient: about('the longest texts', (by) => made(by, 'createClient', { name, note: description() })),
    createInvoice: {
      costlyBy: 'much tracked time, the longest descriptions',
      prepare: async (by) => ({ body: await billingBody(by, billedEntries, texts) }),
    },
    listInvoices: [
      asking('`q` among all invoices', { q: 'x', limit: '100' }),
      asking('a status', { status: 'sent', limit: '100' }),
      asking('a status, by total', { status: 'sent', ...byTotal }),
      middleOf(CROWD.invoices, '100'),
    ],
    getInvoice: about('many lines', draft),
    updateInvoice: about('much tracked time to other lines', billing, otherLines),
    deleteInvoice: about('of much tracked time', billing),
    sendInvoice: about('many lines and long notes', draft),
    payInvoice: about('many lines and long notes', async (by) => sent(by, await draft(by))),
    createPayment: about('many lines and long notes', async (by) => sent(by, await draft(by)), { amount: '1' }),
    listPayments: { costlyBy: 'many lines and long notes', prepare: async (by) => paid(by, await draft(by)) },
    deletePayment: { costlyBy: 'many lines and long notes', prepare: async (by) => paid(by, await draft(by)) },
    voidInvoice: about('of much tracked time', async (by) => sent(by, await billing(by))),
    getInvoicePdf: about('many lines in Arabic', async (by) => sent(by, await arabicDraft(by))),
    createCreditNote: about('of much tracked time', async (by) => sent(by, await billing(by)), { reason: 'Cancelled' }),
    createRefund: about('many lines and long notes', async (by) => refundable(by, await draft(by)), { amount: '1' }),
    listCreditNotes: [
      asking('`q` among all credit notes', { q: 'x', limit: '100' }),
      asking('a range of dates', { issueFrom: '2000-01-01', limit: '100' }),
      asking('a range of dates, by total', { issueFrom: '2000-01-01', ...byTotal }),
      middleOf(CROWD.creditNotes, '100'),
    ],
    getCreditNote: about('many lines', async (by) => credited(by, await draft(by))),
    getCreditNotePdf: about('many lines in Arabic', async (by) => credited(by, await arabicDraft(by))),
    getEInvoice: inFormat('many lines', eInvoice),
    checkEInvoice: inFormat('many lines that break rules', draft),
    getCreditNoteEInvoice: inFormat('many lines', async (by) => creditOf(by, await eInvoice(by))),
    checkCreditNoteEInvoice: inFormat('many lines that break rules', async (by) => credited(by, await draft(by))),
    createProject: changed('createProject', 'the longest name', () => ({ name: uuidV7() + name.slice(0, 400) })),
    listProjects: [asking('a filter', { status: 'in_progress', limit: '200' }), middleOf(CROWD.projects, '200')],
    createEntry: changed('createEntry', 'a new project, the longest description', () => ({
      description: description(),
    })),
    listEntries: asking('`q` that all entries have', { q: first, limit: '200', ...PAST_YEAR }),
    summarizeEntries: [
      asking('a year by user', { groupBy: 'user', ...PAST_YEAR }),
      asking('a year by day and project', { groupBy: 'day,project', ...PAST_YEAR }),
    ],
    updateEntry: changed('updateEntry', 'a new project, another date, the longest description', anotherDay),
    deleteEntry: about('the longest description', (by) => made(by, 'createEntry', { description: description() })),
    startTimer: { costlyBy: 'in a new project', prepare: async (by) => ({ body: await timerBody(by) }) },
    updateTimer: { costlyBy: 'to a new project', prepare: movedTimer },
    stopTimer: { costlyBy: 'in a new project', prepare: runningTimer },
    discardTimer: { costlyBy: 'in a new project', prepare: runningTimer },
    listTimerSessions: [asking('a filter', { status: 'discarded', limit: '200' }), middleOf(CROWD.sessions, '200')],
    connectRemote: { costlyBy: 'any', prepare: async () => ({ body: DEMO_CREDENTIAL }) },
    updateRemoteSettings: { costlyBy: 'any', prepare: (by) => connected(by, { body: { syncEnabled: false } }) },
    disconnectRemote: { costlyBy: 'any', prepare: (by) => connected(by, {}) },
    previewRemoteSync: { costlyBy: 'a month of imported rows', prepare: (by) => importedMonth(by, texts) },
    confirmRemoteSync: { costlyBy: 'long rows of as many days', prepare: (by) => connected(by, { body: imports() }) },
    importRows: {
      costlyBy: 'long rows of as many days',
      prepare: async () => ({ body: { origin: 'bench', ...imports() } }),
    },
    listRemoteSyncHistory: [asking('the largest page', { limit: '200' }), middleOf(CROWD.imports, '200')],
    getRemoteSync: about('any', (by) => importAll(by, { rows: newRows(1, '2001-01-01', 1, texts) })),
    undoRemoteSync: about('long rows of as many days', (by) => importAll(by, imports())),
    listApiKeys: asking('the largest page', { limit: '200' }),
    revokeApiKey: about('of a key that made others', keyWithChildren),
    listUsers: asking('the largest page', { limit: '200' }),
    removeUser: about('with many keys', userWithKeys),
    endSignIns: about('that there are', linkedUser),
    createInvitation: about('in place of another', invitedUser),
    linkMe: { costlyBy: 'any', prepare: (by) => invitedPerson(by) },
    // Once an invoice was sent, the currency stays.
    updateOrganization: changed('updateOrganization', 'any', () => ({ invoiceNotes: uuidV7(), currency: undefined })),
    setLogo: { costlyBy: 'with all pixels and bytes', prepare: async () => ({ body: largestLogo() }) },
    getLogo: { costlyBy: 'with all bytes', prepare: withLogo },
    deleteLogo: { costlyBy: 'any', prepare: withLogo },
    listOrganizations: asking('the largest page', { limit: '200' }),
    getDocsAsset: { costlyBy: 'the largest', prepare: largestAsset },
    getProblem: { costlyBy: 'any', prepare: async () => ({ params: { code: 'not_found' } }) },
  };
}

/** If the path names something, the POST of the collection makes it. @throws Error if there is no such POST */
function fromExample(operationId: string): CostlyRequest {
  const { path } = endpointOf(operationId);
  const [parameter] = parameterNames(path);
  const collection = path.slice(0, path.indexOf('/{'));
  const maker = routes.find((route) => route.method === 'POST' && route.path === collection);
  if (parameter !== undefined && !maker)
    throw new Error(`scripts/bench/costly-requests.ts has none of ${operationId}.`);
  return {
    costlyBy: 'any',
    prepare: async (by) => ({
      ...(parameter && maker && { params: { [parameter]: await made(by, maker.operationId) } }),
      body: await exampleBody(by, operationId),
    }),
  };
}

async function withLogo(by: Caller): Promise<Input> {
  await by.call('setLogo', { body: largestLogo() });
  return {};
}

function changed(operationId: string, costlyBy: string, change: () => object): CostlyRequest {
  const { prepare } = fromExample(operationId);
  return {
    costlyBy,
    prepare: async (by) => {
      const { params, body } = await prepare(by);
      return { params, body: { ...Object(body), ...change() } };
    },
  };
}

function asking(costlyBy: string, query: Input['query']): CostlyRequest {
  return { costlyBy, prepare: async () => ({ query }) };
}

function about(costlyBy: string, make: (by: Caller) => Promise<string>, body?: object): CostlyRequest {
  return { costlyBy, prepare: async (by) => ({ params: { id: await make(by) }, body }) };
}

/** CII takes more letters than UBL. */
function inFormat(costlyBy: string, make: (by: Caller) => Promise<string>): CostlyRequest {
  const query = { format: 'en16931-cii' };
  return { costlyBy, prepare: async (by) => ({ params: { id: await make(by) }, query }) };
}

async function exampleBody(by: Caller, operationId: string): Promise<unknown> {
  const { body } = endpointOf(operationId).example;
  if (operationId === 'createProject') return { ...Object(body), name: uuidV7() };
  if (operationId === 'createOrganization') return { ...Object(body), name: uuidV7() };
  if (operationId === 'createUser') return { ...Object(body), name: uuidV7(), email: `${uuidV7()}@acme.example` };
  if (operationId === 'createEntry') return { ...Object(body), projectId: await made(by, 'createProject') };
  return body;
}

async function made(by: Caller, operationId: string, change: object = {}): Promise<string> {
  const body = { ...Object(await exampleBody(by, operationId)), ...change };
  return (await by.call(operationId, { body })).body.data.id;
}

function newRows(count: number, firstDay: string, days: number, { description, externalId }: Texts) {
  return Array.from({ length: count }, (_, i) => {
    const date = new Date(firstDay);
    date.setUTCDate(date.getUTCDate() + (i % days));
    const names = { client: 'Billed', user: 'Ada Byron' };
    const work = { durationMinutes: 30, description: description(), ...names, rate: 95.5 };
    return { date: date.toISOString().slice(0, 10), ...work, externalId: externalId() };
  });
}

async function connected(by: Caller, input: Input): Promise<Input> {
  await connect(by);
  return input;
}

async function importedMonth(by: Caller, texts: Texts): Promise<Input> {
  const rows = Math.floor(PREVIEWED_BYTES / (ROW_BYTES + Buffer.byteLength(texts.description())));
  await importAll(by, { rows: newRows(rows, IMPORTED_MONTH.dateFrom, IMPORTED_DAYS, texts) });
  return { body: IMPORTED_MONTH };
}

async function billingBody(by: Caller, entries: number, texts: Texts): Promise<object> {
  const clientId = await made(by, 'createClient');
  const rows = newRows(entries, BILLED_MONTH.dateFrom, BILLED_DAYS, texts);
  await importAll(by, { rows, clientMapping: { Billed: clientId } });
  return { clientId, currency: 'USD', timeEntries: { ...BILLED_MONTH, groupBy: 'project' } };
}

async function billingDraftOf(by: Caller, entries: number, texts: Texts): Promise<string> {
  const { body } = await by.call('createInvoice', { body: await billingBody(by, entries, texts) });
  return body.data.id;
}

/** What EN 16931 wants alone, so that other requests cost as before. */
const TAXED_SELLER = { city: 'Hamburg', countryCode: 'DE', vatNumber: 'DE987654321', taxRounding: 'rate' };

async function eInvoiceOf(by: Caller, count: number, { line }: Texts): Promise<string> {
  await by.call('updateOrganization', { body: TAXED_SELLER });
  const clientId = await made(by, 'createClient');
  const lineItems = Array.from({ length: count }, () => ({
    name: ARABIC,
    description: line(),
    price: '1',
    taxRate: '19',
  }));
  const { body } = await by.call('createInvoice', { body: { clientId, lineItems } });
  return sent(by, body.data.id);
}

async function draftOf(by: Caller, count: number, { description, line }: Texts): Promise<string> {
  const clientId = await made(by, 'createClient', { name: ARABIC });
  const newLine = (_: unknown, i: number) => ({ name: `${ARABIC} ${i}`, description: line(), price: '1' });
  const lineItems = Array.from({ length: count }, newLine);
  const { body } = await by.call('createInvoice', { body: { clientId, lineItems, notes: description() } });
  return body.data.id;
}

async function sent(by: Caller, id: string): Promise<string> {
  await by.call('sendInvoice', { params: { id } });
  return id;
}

async function credited(by: Caller, draftId: string): Promise<string> {
  return creditOf(by, await sent(by, draftId));
}

async function creditOf(by: Caller, id: string, reason = 'Cancelled'): Promise<string> {
  const { body } = await by.call('createCreditNote', { params: { id }, body: { reason } });
  return body.data.id;
}

async function refundable(by: Caller, draftId: string): Promise<string> {
  const { params = {} } = await paid(by, draftId);
  await by.call('createCreditNote', { params: { id: params.id ?? '' }, body: { reason: 'Cancelled' } });
  return params.id ?? '';
}

async function paid(by: Caller, draftId: string): Promise<Input> {
  const id = await sent(by, draftId);
  const { body } = await by.call('createPayment', { params: { id }, body: { amount: '1' } });
  return { params: { id, paymentId: body.data.id } };
}

/** A user has one timer at a time. */
async function timerBody(by: Caller): Promise<object> {
  const { data: active } = (await by.call('getActiveTimer')).body;
  if (active) await by.call('discardTimer', { params: { sessionId: active.id } });
  return { projectId: await made(by, 'createProject') };
}

async function runningTimer(by: Caller): Promise<Input> {
  const { body } = await by.call('startTimer', { body: await timerBody(by) });
  return { params: { sessionId: body.data.id } };
}

async function movedTimer(by: Caller): Promise<Input> {
  const running = await runningTimer(by);
  return { ...running, body: { projectId: await made(by, 'createProject') } };
}

async function keyMadeBy({ organizationId, userId }: Caller, createdByKeyId: string | null): Promise<string> {
  const id = uuidV7();
  const terms = { name: 'Another', scopes: [], rateLimit: 1, expiresAt: null, currency: 'USD' };
  await issueApiKey({ id, organizationId, userId, createdByKeyId, ...terms }, new Date(), async () => []);
  return id;
}

/** Each costs a deletion of three items. */
const CHILDREN = 5;

async function keyWithChildren(by: Caller): Promise<string> {
  const id = await keyMadeBy(by, null);
  for (let i = 0; i < CHILDREN; i++) await keyMadeBy(by, id);
  return id;
}

async function userWithKeys(by: Caller): Promise<string> {
  const userId = await made(by, 'createUser');
  for (let i = 0; i < CHILDREN; i++) await keyMadeBy({ ...by, userId }, null);
  return userId;
}

async function invitedUser(by: Caller): Promise<string> {
  const id = await made(by, 'createUser');
  await by.call('createInvitation', { params: { id } });
  return id;
}

/** Somebody whose issuer says nothing of emails, with the code of an invitation. */
async function invitedPerson(by: Caller, id?: string): Promise<Input> {
  const params = { id: id ?? (await made(by, 'createUser')) };
  const { code } = (await by.call('createInvitation', { params })).body.data;
  const exp = Math.ceil(Date.now() / 1_000) + TOKEN_SECONDS;
  return { body: { code }, token: localIssuer(process.env.ISSUER_DIR ?? '').tokenOf({ sub: uuidV7(), exp }) };
}

const TOKEN_SECONDS = 3_600;

async function linkedUser(by: Caller): Promise<string> {
  const id = await made(by, 'createUser');
  await by.call('linkMe', await invitedPerson(by, id));
  return id;
}

/** The name of an asset holds a hash of its content. */
async function largestAsset(by: Caller): Promise<Input> {
  const [, asset = ''] = /"\/docs\/([^"]+\.js)"/.exec((await by.call('getDocs')).body) ?? [];
  return { params: { asset } };
}
