import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { ApiCaller, Reply } from './api-caller.ts';
import type { Cleanup } from './cleanup.ts';

/** What is tried at an instance. A step tells what it has seen, or throws. */
export interface Step {
  readonly name: string;
  readonly run: () => Promise<string>;
}

/** Thrown by a step that cannot be tried here. */
export class Skipped extends Error {}

export interface RemoteCredential {
  readonly accountId: string;
  readonly accessToken: string;
}

const TRACKER = '/v1/work/tracker';
const REMOTE = `${TRACKER}/remote`;
const MEBIBYTE = 1_048_576;
const GZIP = { 'content-encoding': 'gzip' };

export function stepsOf(api: ApiCaller, cleanup: Cleanup, credential: RemoteCredential | undefined): Step[] {
  return [
    { name: 'no key', run: () => refusesWithoutKey(api) },
    { name: 'preflight', run: () => answersPreflight(api) },
    { name: 'key', run: () => knowsKey(api) },
    { name: 'timer', run: () => runsTimer(api, cleanup) },
    { name: 'invoice and PDF', run: () => drawsInvoice(api, cleanup) },
    { name: 'bodies over the limits', run: () => refusesLargeBodies(api) },
    { name: 'burst over the rate limit', run: () => limitsBurst(api, cleanup) },
    { name: 'plain confirm and its undo', run: () => imports(api, cleanup, credential, 20, false) },
    { name: 'gzipped confirm and its undo', run: () => imports(api, cleanup, credential, 2_000, true) },
  ];
}

async function refusesWithoutKey(api: ApiCaller): Promise<string> {
  const { headers } = await api.demand(401, 'GET', '/products', { key: null });
  const challenge = headers.get('www-authenticate');
  if (challenge !== 'Bearer') throw new Error(`WWW-Authenticate is ${challenge}`);
  return `401, WWW-Authenticate: ${challenge}`;
}

async function answersPreflight(api: ApiCaller): Promise<string> {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
  const reply = await api.demand(204, 'OPTIONS', '/products', { key: null, headers });
  return `204, allowed origin: ${reply.headers.get('access-control-allow-origin') ?? 'not this one'}`;
}

async function knowsKey(api: ApiCaller): Promise<string> {
  const { headers } = await api.demand(200, 'GET', '/products?limit=1');
  const limit = headers.get('ratelimit');
  if (!limit || !headers.get('x-request-id')) throw new Error('RateLimit or x-request-id is missing');
  return `200, RateLimit: ${limit}`;
}

async function runsTimer(api: ApiCaller, cleanup: Cleanup): Promise<string> {
  const started = await api.send('POST', `${TRACKER}/timer/start`, { body: { description: 'Smoke' } });
  if (started.status === 409) throw new Skipped("a timer of the key's user is running");
  if (started.status !== 201) throw new Error(`start answered ${started.status}`);
  const { body } = await api.demand(200, 'POST', `${TRACKER}/timer/${started.body.data.id}/stop`);
  const { workEntry } = body.data;
  cleanup.add('entry', () => api.demand(200, 'DELETE', `${TRACKER}/entries/${workEntry.id}`));
  const listed = await api.demand(200, 'GET', `${TRACKER}/entries?q=Smoke`);
  const isListed = listed.body.data.some(({ id }: { id: string }) => id === workEntry.id);
  if (!isListed) throw new Error('the list lacks the entry that was just booked');
  return `${workEntry.durationMinutes} minute booked, and listed at once`;
}

async function drawsInvoice(api: ApiCaller, cleanup: Cleanup): Promise<string> {
  const client = await make(api, cleanup, '/clients', { name: `Smoke ${randomUUID()}` });
  const lineItems = [{ name: 'Smoke', quantity: '1', price: '1' }];
  const invoice = await make(api, cleanup, '/invoices', { clientId: client.id, lineItems });
  const { bytes } = await api.demand(200, 'GET', `/invoices/${invoice.id}/pdf`);
  if (!bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('that is no PDF');
  return `PDF of ${bytes.length} bytes`;
}

async function make(api: ApiCaller, cleanup: Cleanup, path: string, body: object): Promise<{ readonly id: string }> {
  const { data } = (await api.demand(201, 'POST', path, { body })).body;
  cleanup.add(`${path}/${data.id}`, () => api.demand(200, 'DELETE', `${path}/${data.id}`));
  return data;
}

async function refusesLargeBodies(api: ApiCaller): Promise<string> {
  const bodies = [
    { rawBody: Buffer.alloc(7 * MEBIBYTE, ' ') },
    { rawBody: Buffer.alloc(10 * MEBIBYTE + 1, ' ') },
    { rawBody: Buffer.from(gzipSync(Buffer.alloc(33 * MEBIBYTE, ' '))), headers: GZIP },
  ];
  for (const body of bodies) await api.demand(413, 'POST', '/products', body);
  return '413 for 7 MiB, for more than 10 MiB, and for 33 MiB packed';
}

const BURST_LIMIT = 10;
const BURST = 30;

async function limitsBurst(api: ApiCaller, cleanup: Cleanup): Promise<string> {
  const body = { name: 'Smoke', scopes: ['products:read'], rateLimit: BURST_LIMIT };
  const { id, apiKey } = (await api.demand(201, 'POST', '/v1/api-keys', { body })).body.data;
  cleanup.add('key', () => api.demand(200, 'DELETE', `/v1/api-keys/${id}`));
  const replies: Reply[] = [];
  for (let i = 0; i < BURST; i++) replies.push(await api.send('GET', '/products?limit=1', { key: apiKey }));
  const refused = replies.filter(({ status }) => status === 429);
  const isTold = refused.every(({ headers }) => headers.has('retry-after'));
  if (refused.length < BURST - 2 * BURST_LIMIT || !isTold)
    throw new Error(`${refused.length} of ${BURST} were refused`);
  return `${refused.length} of ${BURST} refused with Retry-After`;
}

async function imports(
  api: ApiCaller,
  cleanup: Cleanup,
  credential: RemoteCredential | undefined,
  count: number,
  isPacked: boolean,
): Promise<string> {
  await assureConnection(api, cleanup, credential);
  const run = randomUUID();
  const date = new Date().toISOString().slice(0, 10);
  const rows = Array.from({ length: count }, (_, i) => ({ date, durationMinutes: 1, externalId: `smoke-${run}-${i}` }));
  const text = Buffer.from(JSON.stringify({ rows }));
  const sending = isPacked ? { rawBody: Buffer.from(gzipSync(text)), headers: GZIP } : { rawBody: text };
  const confirmed = await api.send('POST', `${REMOTE}/sync/confirm`, sending);
  if (confirmed.status !== 200 && confirmed.status !== 202) throw new Error(`confirm answered ${confirmed.status}`);
  const { importJobId } = confirmed.body.data;
  let isUndone = false;
  cleanup.add('import', async () => isUndone || (await undone(api, importJobId, count)));
  const { importedCount } = await endedImport(api, importJobId);
  if (importedCount !== count) throw new Error(`${importedCount} of ${count} rows were imported`);
  await undone(api, importJobId, count);
  isUndone = true;
  return `${confirmed.status}, ${count} rows imported, and undone`;
}

/**
 * Uses a connection that is there, and leaves it. If there is none, it makes a connection, which is
 * removed at the end.
 */
async function assureConnection(
  api: ApiCaller,
  cleanup: Cleanup,
  credential: RemoteCredential | undefined,
): Promise<void> {
  const { data } = (await api.demand(200, 'GET', REMOTE)).body;
  if (data.connected) return;
  if (!credential) throw new Skipped('the organization has no connection, and no credential was given');
  await api.demand(200, 'POST', `${REMOTE}/connect`, { body: credential });
  cleanup.add('connection', () => api.demand(200, 'DELETE', REMOTE));
}

const IMPORT_SECONDS = 60;

async function endedImport(api: ApiCaller, jobId: string): Promise<{ readonly importedCount: number }> {
  for (let seconds = 0; seconds < IMPORT_SECONDS; seconds++) {
    const { data } = (await api.demand(200, 'GET', `${REMOTE}/sync/history?limit=10`)).body;
    const job = data.find(({ id }: { id: string }) => id === jobId);
    if (job && job.status !== 'processing') return job;
    await sleep(1_000);
  }
  throw new Error(`the import has not ended in ${IMPORT_SECONDS} s`);
}

async function undone(api: ApiCaller, jobId: string, count: number): Promise<void> {
  const { data } = (await api.demand(200, 'POST', `${REMOTE}/sync/history/${jobId}/undo`)).body;
  if (data.removedCount !== count) throw new Error(`${data.removedCount} of ${count} entries were removed`);
}
