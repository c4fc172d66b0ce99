import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { v7 as uuidV7 } from 'uuid';
import type { Cloud } from '#scripts/local/cloud.ts';
import { type Endpoint, filledPath } from '#shared/contract/endpoint.ts';
import { SCOPES } from '#shared/domain/keys/scopes.ts';
import { routes } from '#shared/routes.ts';

/** Calls the API of a local cloud, with a key of an organization of its own. */

export interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** What `JSON.parse` returns, or the text of what is not JSON. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface Caller {
  readonly organizationId: string;
  readonly userId: string;
  readonly apiKey: string;
  /** The projects of the caller's work, at least one. */
  readonly projectIds: readonly string[];
  call(operationId: string, input?: Input): Promise<Reply>;
}

/** Work that the organization has done already, spread evenly over the days before `until`. */
export interface Past {
  readonly entries: number;
  readonly days: number;
  readonly projects: number;
  /** `YYYY-MM-DD`, the day after the last one */
  readonly until: string;
  readonly isOpened?: (date: string) => boolean;
  /** Of all entries. Without it each has its own. */
  readonly description?: string;
}

/** High enough that no benchmark reaches it. */
const UNLIMITED = 1_000_000;

/** Call it after the cloud has booted, because the data modules read the environment when they are loaded. */
export async function makeCaller(cloud: Cloud, past: Past): Promise<Caller> {
  const { seed } = await import('./seed.ts');
  const { ensureOrganization } = await import('#shared/data/organization/organizations.ts');
  const { ensureUser } = await import('#shared/data/organization/users.ts');
  const { id: organizationId } = await ensureOrganization(`Benchmark ${randomUUID()}`, 'USD');
  const owner = { organizationId, userId: (await ensureUser(organizationId, 'Benchmark')).id };
  const projects = await seed({ ...owner, ...past });
  return callerOf(cloud, { ...owner, projectIds: projects.map(({ id }) => id) });
}

/** Makes a caller with a new key. */
export async function callerOf(
  cloud: Cloud,
  who: Omit<Caller, 'apiKey' | 'call'>,
  rateLimit = UNLIMITED,
): Promise<Caller> {
  const { issueApiKey } = await import('#shared/data/keys/api-keys.ts');
  const { organizationId, userId } = who;
  const limits = { rateLimit, expiresAt: null, createdByKeyId: null };
  const terms = { name: 'Benchmark', scopes: SCOPES, ...limits, currency: 'USD' };
  const { apiKey } = await issueApiKey({ id: uuidV7(), organizationId, userId, ...terms }, new Date());
  return { ...who, apiKey, call: (operationId, input) => send(cloud.url, apiKey, endpointOf(operationId), input) };
}

export function endpointOf(operationId: string): Endpoint {
  const endpoint = routes.find((route) => route.operationId === operationId);
  if (!endpoint) throw new Error(`There is no operation ${operationId}.`);
  return endpoint;
}

async function send(baseUrl: string, apiKey: string, { method, path }: Endpoint, input: Input = {}): Promise<Reply> {
  const url = new URL(baseUrl + filledPath(path, input.params));
  for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.set(name, value);
  const { headers = {}, content } = input.body === undefined ? {} : jsonOf(input.body);
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...headers },
    body: content,
  });
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Well below the 6 MB that a function receives. */
const UNPACKED_BYTES = 1_000_000;

function jsonOf(body: unknown) {
  const content = Buffer.from(JSON.stringify(body));
  const headers = { 'content-type': 'application/json' };
  if (content.length <= UNPACKED_BYTES) return { headers, content };
  return { headers: { ...headers, 'content-encoding': 'gzip' }, content: gzipSync(content) };
}
