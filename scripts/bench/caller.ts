import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { v7 as uuidV7 } from 'uuid';
import type { Cloud } from '#scripts/local/cloud.ts';
import { type Endpoint, filledPath } from '#shared/contract/endpoint.ts';
import { issueApiKey } from '#shared/data/keys/api-keys.ts';
import { ensureOrganization } from '#shared/data/organization/organizations.ts';
import { ensureUser } from '#shared/data/organization/users.ts';
import { PLATFORM_ID } from '#shared/domain/keys/platform.ts';
import { PLATFORM_SCOPES, SCOPES } from '#shared/domain/keys/scopes.ts';
import { routes } from '#shared/routes.ts';

export interface Input {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** A file, or what is sent as JSON. */
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /** Of a person who has signed in, in place of the key. */
  readonly token?: string;
}

export interface Reply {
  readonly headers: Headers;
  /** Of the body, as it is sent to whoever does not want it packed. */
  readonly bytes: number;
  /** The parsed JSON, or the text of a body that is not JSON. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface Caller {
  readonly organizationId: string;
  readonly userId: string;
  readonly apiKey: string;
  /** @throws Error if the answer is a refusal */
  call(operationId: string, input?: Input): Promise<Reply>;
}

export async function newCaller(cloud: Cloud): Promise<Caller> {
  const { id: organizationId } = await ensureOrganization(`Benchmark ${randomUUID()}`, 'USD');
  const { id: userId } = await ensureUser(organizationId, 'Benchmark', async () => []);
  return callerWithKey(cloud, { organizationId, userId });
}

export function platformCaller(cloud: Cloud): Promise<Caller> {
  return callerWithKey(cloud, { organizationId: PLATFORM_ID, userId: PLATFORM_ID });
}

/** High enough that no benchmark reaches it. */
const UNLIMITED = 1_000_000;

export async function callerWithKey(
  cloud: Cloud,
  { organizationId, userId }: Pick<Caller, 'organizationId' | 'userId'>,
  rateLimit = UNLIMITED,
): Promise<Caller> {
  const limits = { rateLimit, expiresAt: null, createdByKeyId: null };
  const scopes = organizationId === PLATFORM_ID ? PLATFORM_SCOPES : SCOPES;
  const terms = { name: 'Benchmark', scopes, ...limits };
  const { apiKey } = await issueApiKey({ id: uuidV7(), organizationId, userId, ...terms }, new Date(), async () => []);
  return {
    organizationId,
    userId,
    apiKey,
    call: (operationId, input) => call(cloud.url, apiKey, operationId, input),
  };
}

export function endpointOf(operationId: string): Endpoint {
  const endpoint = routes.find((route) => route.operationId === operationId);
  if (!endpoint) throw new Error(`There is no operation ${operationId}.`);
  return endpoint;
}

export function pathOf(operationId: string, { params, query }: Input): string {
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return filledPath(endpointOf(operationId).path, params) + search;
}

async function call(url: string, apiKey: string, operationId: string, input: Input = {}): Promise<Reply> {
  const { body, idempotencyKey, token = apiKey } = input;
  const isFile = body instanceof Uint8Array;
  const headers = {
    ...(body !== undefined && {
      'content-type': isFile ? 'image/png' : 'application/json',
      'content-encoding': 'gzip',
    }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
  const response = await fetch(url + pathOf(operationId, input), {
    method: endpointOf(operationId).method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    // The longest are more than the 6 MB that a function receives.
    body: body === undefined ? undefined : gzipSync(isFile ? body : JSON.stringify(body)),
  });
  const content = Buffer.from(await response.arrayBuffer());
  const text = content.toString();
  if (!response.ok) throw new Error(`${operationId} answered ${response.status}: ${text}`);
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  return { headers: response.headers, bytes: content.length, body: isJson ? JSON.parse(text) : text };
}
