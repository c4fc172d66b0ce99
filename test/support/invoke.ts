import { randomUUID } from 'node:crypto';
import type { Context } from 'aws-lambda';
import type { HttpHandler } from '#shared/http/stack.ts';
import type { Json } from './client.ts';
import type { User } from './given.ts';

interface Invocation {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly remainingMilliseconds?: number;
}

type HttpEvent = Parameters<HttpHandler>[0];

/** Runs a function in the test's own process, where its calls to the table can be counted. */
export async function invoke(
  handler: HttpHandler,
  by: User,
  { params, query, body, remainingMilliseconds = 30_000 }: Invocation = {},
): Promise<Json> {
  const endsAt = performance.now() + remainingMilliseconds;
  const event: Pick<HttpEvent, 'headers' | 'isBase64Encoded' | 'pathParameters' | 'queryStringParameters' | 'body'> = {
    headers: { authorization: `Bearer ${by.apiKey}`, 'content-type': 'application/json' },
    isBase64Encoded: false,
    pathParameters: params,
    queryStringParameters: query,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
  const requestContext = { requestId: randomUUID() } as HttpEvent['requestContext'];
  const response = await handler(
    { ...event, version: '2.0', routeKey: '$default', rawPath: '/', rawQueryString: '', requestContext },
    { getRemainingTimeInMillis: () => endsAt - performance.now() } as Context,
  );
  return { status: response.statusCode, ...JSON.parse(response.body ?? '{}') };
}
