import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import {
  accountIdOf,
  answerHarvest,
  type HarvestAccount,
  type HarvestTimeEntry,
} from '#scripts/demo/harvest-protocol.ts';
import { close, listen, readBody } from '#scripts/local/http.ts';

/**
 * A remote provider that can be told to misbehave. One provider serves all tests of the API, because their local
 * clouds are booted once. A test registers an account of its own there (`given.remoteAccount`), and so gets its
 * own entries and faults.
 */

/** One way to misbehave. Without `status`, `body` and `bytes` the answer is the right one. */
export interface Fault {
  /**
   * How many requests meet the fault before the next fault, or good behaviour, takes its place. By default all do.
   */
  readonly times?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is: a string is not quoted. */
  readonly body?: unknown;
  /** The body is blown up to this many bytes. */
  readonly bytes?: number;
  readonly isGzipped?: boolean;
  readonly delayMilliseconds?: number;
  /** Breaks the connection before the answer, or in the middle of it. */
  readonly breaks?: 'before' | 'midway';
}

export type Resource = 'users/me' | 'company' | 'time_entries';

export type Faults = Readonly<Partial<Record<Resource, readonly Fault[]>>>;

export interface ProviderAccount extends HarvestAccount {
  readonly faults: Faults;
  /** Pages have so many entries, whatever is asked for. */
  readonly perPage?: number;
  /** What it has as soon as somebody asks for a second page: its list has changed between two pages. */
  readonly betweenPages?: readonly HarvestTimeEntry[];
}

export interface RecordedRequest {
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
}

interface Registered {
  account: ProviderAccount;
  /** How many requests have met the faults of each resource. */
  readonly met: Map<string, number>;
  readonly requests: RecordedRequest[];
}

export interface Provider {
  readonly url: string;
  /** Registers an account, or replaces it together with its faults. The recorded requests stay. */
  register(account: ProviderAccount): void;
  requestsOf(accountId: string): readonly RecordedRequest[];
  /** All requests ever, including those for accounts that the provider does not have. */
  readonly requestCount: number;
  stop(): Promise<void>;
}

/** Tests in other processes register and look up accounts at this path. */
export const CONTROL_PATH = '/control/accounts';

const MAXIMUM_CONTROL_BYTES = 64 * 1_048_576;

export async function startProvider(): Promise<Provider> {
  const accounts = new Map<string, Registered>();
  let requestCount = 0;
  const register = (account: ProviderAccount): void => {
    const requests = accounts.get(account.accountId)?.requests ?? [];
    accounts.set(account.accountId, { account, met: new Map(), requests });
  };
  const requestsOf = (accountId: string) => accounts.get(accountId)?.requests ?? [];

  const control = async (request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> => {
    if (request.method === 'POST') {
      register(JSON.parse(String(await readBody(request, MAXIMUM_CONTROL_BYTES))));
      response.end();
    } else {
      response.end(JSON.stringify(requestsOf(url.searchParams.get('accountId') ?? '')));
    }
  };

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    if (url.pathname === CONTROL_PATH) return control(request, response, url);
    requestCount += 1;
    const asked = { url, headers: request.headers };
    const registered = accounts.get(accountIdOf(asked));
    registered?.requests.push({ path: `${url.pathname}${url.search}`, headers: request.headers });
    if (registered) turnPage(registered, url.searchParams);
    const { status, body } = answerHarvest(registered?.account, asked);
    const fault = registered && nextFault(registered, url.pathname.replace(/^\/v2\//, ''));
    await answer(response, { status, body: fault?.bytes ? '' : body, ...fault });
  });
  const port = await listen(server, 0, '127.0.0.1');
  return {
    url: `http://127.0.0.1:${port}`,
    register,
    requestsOf,
    get requestCount() {
      return requestCount;
    },
    stop: () => close(server),
  };
}

function turnPage(registered: Registered, query: URLSearchParams): void {
  const { perPage, betweenPages, ...account } = registered.account;
  if (perPage !== undefined && query.has('per_page')) query.set('per_page', String(perPage));
  if (betweenPages && (query.has('cursor') || query.has('page'))) {
    registered.account = { ...account, perPage, entries: betweenPages };
  }
}

function nextFault({ account, met }: Registered, resource: string): Fault | undefined {
  const faults = account.faults[resource as Resource] ?? [];
  let position = met.get(resource) ?? 0;
  met.set(resource, position + 1);
  for (const fault of faults) {
    if (position < (fault.times ?? Number.POSITIVE_INFINITY)) return fault;
    position -= fault.times ?? 0;
  }
  return undefined;
}

async function answer(response: ServerResponse, how: Fault): Promise<void> {
  const { status = 200, headers, body = '', bytes = 0, isGzipped, delayMilliseconds = 0, breaks } = how;
  if (delayMilliseconds > 0) await sleep(delayMilliseconds, undefined, { ref: false });
  if (breaks === 'before') return void response.destroy();
  const text = (typeof body === 'string' ? body : JSON.stringify(body)).padEnd(bytes);
  const payload = isGzipped ? gzipSync(text) : Buffer.from(text);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': payload.length,
    ...(isGzipped && { 'content-encoding': 'gzip' }),
    ...headers,
  });
  if (breaks === undefined) return void response.end(payload);
  response.write(payload.subarray(0, payload.length / 2), () => response.destroy());
}

/** What a test says about a remote entry. The rest is made up. */
export interface RemoteEntry {
  readonly id?: number;
  readonly date?: string;
  readonly hours?: number;
  readonly notes?: string | null;
  readonly project?: string;
  readonly client?: string;
  readonly task?: string;
  readonly user?: string;
  readonly billable?: boolean;
  readonly rate?: number | null;
  readonly currency?: string;
  readonly isRunning?: boolean;
  /** ISO 8601; on the entry's day by default */
  readonly updatedAt?: string;
}

let lastId = 0;

/** An entry as the provider sends it. No id is given twice in a process. */
export function harvestEntryOf(entry: RemoteEntry = {}): HarvestTimeEntry {
  lastId += 1;
  const date = entry.date ?? '2026-11-20';
  return {
    id: entry.id ?? lastId,
    spent_date: date,
    hours: entry.hours ?? 1,
    rounded_hours: Math.ceil(entry.hours ?? 1),
    notes: entry.notes === undefined ? 'Remote work' : entry.notes,
    user: { id: 1, name: entry.user ?? 'Ada Byron' },
    client: { id: 1, name: entry.client ?? 'Globex', currency: entry.currency ?? 'USD' },
    project: { id: 1, name: entry.project ?? 'Website', code: '' },
    task: { id: 1, name: entry.task ?? 'Design' },
    billable: entry.billable ?? true,
    billable_rate: entry.rate === undefined ? 100 : entry.rate,
    is_running: entry.isRunning ?? false,
    is_billed: false,
    is_locked: false,
    timer_started_at: entry.isRunning ? `${date}T09:00:00Z` : null,
    started_time: '9:00am',
    ended_time: '3:00pm',
    external_reference: null,
    created_at: `${date}T15:00:00Z`,
    updated_at: entry.updatedAt ?? `${date}T15:00:00Z`,
  };
}
