import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { Caller } from '#shared/caller/caller.ts';
import type { Attempt } from '#shared/data/idempotency/attempts.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import type { Person } from '#shared/domain/person.ts';

/** Steps of one request hand these to each other. A member is there from the step on that sets it. */
export interface Exchange {
  /** When the request arrived: the only clock that handlers and rules see. */
  now: Date;
  principal: Principal;
  /** In place of the principal, where an operation takes people who need not be users. */
  person?: Person;
  /** Takes the tokens that the request weighs. Undefined where no key is needed. */
  charge?: Caller['charge'];
  params: Record<string, string>;
  resource: object;
  /** An object of the path as a caller is shown it, once for each that is read. */
  show: (resource: object) => unknown;
  /** Throws if a resource is not as the caller's `If-Match` says. */
  assertMatch?: (resource: object) => Promise<void>;
  /** Only of a request with an `Idempotency-Key`. */
  attempt?: Attempt;
  /** Whether the handler has built the last answer into its transaction. If the handler succeeds, the answer is kept. */
  keepsLastAnswer?: boolean;
  /** Added to the response, whether the request succeeds or fails. */
  headers: Record<string, string>;
  problemCode?: string;
  [key: string]: unknown;
}

type GatewayEvent = Omit<APIGatewayProxyEventV2, 'body' | 'requestContext'>;

/** API Gateway sends every member. A function that is invoked by hand may get only some. */
export type HttpEvent = Partial<GatewayEvent> & {
  requestContext?: Partial<APIGatewayProxyEventV2['requestContext']>;
  body?: unknown;
};

export interface HttpResponse extends APIGatewayProxyStructuredResultV2 {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
}

export type HttpRequest = Request<HttpEvent, HttpResponse, Error, Context, Exchange>;

/** The part of a request that can be read before it is answered. */
export type Received = Pick<HttpRequest, 'event'>;

export type Step = MiddlewareObj<HttpEvent, HttpResponse, Error, Context, Exchange>;

/** Ends a request before its handler, with a response that is there already. */
export class AlreadyAnswered extends Error {
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super('The request was answered before.');
    this.name = 'AlreadyAnswered';
    this.response = response;
  }
}

/** @param name in lower case, as API Gateway sends it */
export function header(request: Received, name: string): string | undefined {
  return request.event.headers?.[name];
}

/** The organization that the caller names. */
export function namedOrganization(request: Received): string | undefined {
  return header(request, 'billwright-organization')?.toLowerCase();
}

/** The gateway's id of the request, which the caller is told; Lambda's id of the invocation if there is no gateway. */
export function requestIdOf({ event, context }: HttpRequest): string {
  return event.requestContext?.requestId ?? context.awsRequestId;
}

export function onResponse(step: (request: HttpRequest, response: HttpResponse) => void | Promise<void>): Step {
  const run = (request: HttpRequest) => (request.response ? step(request, request.response) : undefined);
  return { after: run, onError: run };
}
