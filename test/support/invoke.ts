import { randomUUID } from 'node:crypto';
import { endpointFunction } from '#infra/functions.ts';
import { type Endpoint, filledPath } from '#shared/contract/endpoint.ts';
import { asFunction, handlerOf } from './api.ts';
import type { Json, Reply, Sending } from './client.ts';
import type { User } from './given.ts';
import { assertDocumented, bodyOf } from './openapi-validator.ts';

interface Invocation {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
  readonly rawBody?: Sending['rawBody'];
  /** Beside those that every request has. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly remainingMilliseconds?: number;
}

/** Runs the function of an endpoint in the test's own process, where its calls to the table can be counted. */
export async function invoke(endpoint: Endpoint, by: User, invocation: Invocation = {}): Promise<Json> {
  const { status, body } = await invokeWith(endpoint, `Bearer ${by.apiKey}`, invocation);
  return { status, ...body };
}

/**
 * Like `invoke`, with any header `Authorization`. The answer is compared with the OpenAPI document, as
 * answers over HTTP are.
 */
export async function invokeWith(
  endpoint: Endpoint,
  authorization: string,
  { params = {}, query, body, rawBody, headers, remainingMilliseconds = 30_000 }: Invocation = {},
): Promise<Reply> {
  const { name } = endpointFunction(endpoint);
  const handler = await handlerOf(name);
  const sent = Object.entries(query ?? {}).map(([name, value]) => [name, [value].flat()] as const);
  const pairs = sent.flatMap(([name, values]) => values.map((value): [string, string] => [name, value]));
  const rawPath = filledPath(endpoint.path, params);
  const event = {
    version: '2.0',
    routeKey: `${endpoint.method} ${endpoint.path}`,
    rawPath,
    rawQueryString: new URLSearchParams(pairs).toString(),
    headers: { authorization, 'content-type': 'application/json', ...headers },
    pathParameters: params,
    queryStringParameters: query && Object.fromEntries(sent.map(([name, values]) => [name, values.join()])),
    isBase64Encoded: rawBody !== undefined,
    body: rawBody ? Buffer.from(rawBody).toString('base64') : body && JSON.stringify(body),
    requestContext: { requestId: randomUUID() },
  };
  const response = await asFunction(name, (context) => handler(event, context), remainingMilliseconds);
  const replied = new Headers(response.headers);
  const reply = {
    status: response.statusCode ?? 200,
    headers: replied,
    body: bodyOf({ headers: replied, text: response.body ?? '' }),
  };
  assertDocumented(endpoint.method, rawPath, reply);
  return reply;
}
