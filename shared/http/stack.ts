import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { v7 as uuidV7 } from 'uuid';
import {
  type Body,
  type Endpoint,
  type EventsOf,
  type Params,
  parameterNames,
  type Query,
  type Result,
} from '#shared/contract/endpoint.ts';
import type { recordAll } from '#shared/data/events/outbox.ts';
import type { Omission } from '#shared/data/idempotency/attempts.ts';
import type { Write } from '#shared/data/table/transaction.ts';
import { actorOf, type Happening } from '#shared/domain/events/happening.ts';
import { UUID } from '#shared/domain/id.ts';
import type { Principal } from '#shared/domain/keys/api-key.ts';
import type { Person } from '#shared/domain/person.ts';
import { notFound, Problem, retryable } from '#shared/domain/problems.ts';
import { withDeadline } from '#shared/runtime/deadline.ts';
import { memoized } from '#shared/runtime/memoized.ts';
import { prefersCsv } from './accept.ts';
import { assertOwn } from './authorization.ts';
import { readBody, readFile } from './body.ts';
import { compression } from './compression.ts';
import {
  type Exchange,
  type HttpEvent,
  type HttpRequest,
  type HttpResponse,
  header,
  requestIdOf,
  type Step,
} from './exchange.ts';
import { responseHeaders } from './headers.ts';
import type { Idempotency } from './idempotency.ts';
import { ignoredNames, type Members, setsOwned } from './ignored.ts';
import { notModified } from './not-modified.ts';
import { origin } from './origin.ts';
import { preconditions } from './preconditions.ts';
import { problemResponse, problems } from './problem.ts';
import { requestLog } from './request-log.ts';
import { checked, type Rendering, response } from './response.ts';
import { assertGiven, validateBody, validateQuery } from './validation.ts';

/** A request as a handler sees it: parsed values and nothing of HTTP. */
interface Call<E extends Endpoint, Resource = undefined> {
  readonly params: Params<E>;
  readonly query: Query<E>;
  readonly body: Body<E>;
  /** Whether all rows are asked for, as CSV. */
  readonly isExport: boolean;
  readonly principal: E extends { readonly takesAnyPerson: true } ? Principal | undefined : Principal;
  /** The signed-in person, if there is no principal. */
  readonly person: E extends { readonly takesKeys: false } ? Person : Person | undefined;
  readonly now: Date;
  /** By which the caller knows this service. */
  readonly host: string;
  readonly resource: Resource;
  /** A fresh UUID v7 of the request's moment, so ids sort by creation. */
  readonly newId: () => string;
  /** First as it was loaded, then read again, for a write that starts again. It keeps the tag of `If-Match`. */
  readonly fresh: () => Promise<Resource>;
  /**
   * Builds and checks an answer before the write that makes it true: what cannot be shown is not written. Every
   * operation that writes and then shows a resource calls it, and again when the outcome changes: the last answer counts.
   * What it returns may be dropped where only the check is wanted. After a 202, another answer may follow.
   *
   * @param happenings what the transaction makes happen, in this order
   * @returns the items that keep the answer for a repetition, and the events, for this transaction
   */
  readonly answer: (
    outcome: Result<E> | Problem,
    ...happenings: readonly Happening<EventsOf<E>>[]
  ) => Promise<readonly Write[]>;
  /** Takes the tokens of what is about to be read, as far as they are not paid. @throws Problem `rate_limited` */
  readonly pay: (counted: Counted<E>) => Promise<void>;
  readonly remainingMilliseconds: () => number;
}

export type Run<E extends Endpoint, Resource> = (call: Call<E, Resource>) => Promise<Result<E>>;

type Load<E extends Endpoint, Resource> = (
  located: Pick<Call<E>, 'params' | 'principal'>,
) => Promise<Resource & object>;

export interface Handling<E extends Endpoint, Resource> {
  /** Runs before the body is checked. @throws Problem `not_found` */
  readonly load?: Load<E, Resource>;
  /** The object as a caller is shown it, for its tag and what only the service sets; by default the object itself. */
  readonly show?: (resource: Resource, now: Date) => unknown;
  readonly run: Run<E, Resource>;
  /** Keeps the answers to an `Idempotency-Key` small. */
  readonly omission?: Omission;
}

/** `never` makes an endpoint unacceptable whose weight reads something that the call lacks. */
export type Weighable<E extends Endpoint, Resource> = E extends {
  readonly weight: { readonly of: infer Of } | { readonly ofCounted: infer Of };
}
  ? Of extends (call: Call<E, Resource>, counted: never) => number
    ? unknown
    : never
  : unknown;

type Counted<E extends Endpoint> = E extends {
  readonly weight: { readonly ofCounted: (call: never, counted: infer Counts) => number };
}
  ? Counts
  : never;

export type WeighedResource<E extends Endpoint> = E extends {
  readonly weight: { readonly of: (call: infer Weighed) => number };
}
  ? Weighed extends { readonly resource: infer Resource }
    ? Resource
    : unknown
  : unknown;

interface Guard {
  readonly authenticates: readonly Step[];
  readonly idempotency?: Idempotency;
  /** The writes that record events. */
  readonly recordAll?: typeof recordAll;
  /** After the handler and before the response, tells the webhooks of the organization that there may be events. */
  readonly tellWebhooks?: (principal: Principal) => Promise<void>;
}

export interface HttpHandler {
  (event: HttpEvent, context: Context): Promise<HttpResponse>;
  /** Done while the function starts, before its first request. Never fails. */
  readonly prepare?: () => Promise<void>;
}

/**
 * Steps run as they are listed: key, scope, an `Idempotency-Key` that was used, existence of the path's resource,
 * `If-Match`, query and body, weight; then the handler.
 *
 * @param guard the steps that know the table; a public endpoint has none of them
 */
export function endpointStack<E extends Endpoint, Resource extends object | undefined>(
  endpoint: E,
  { load, show = (resource) => resource, run }: Handling<E, Resource>,
  guard: Guard,
): HttpHandler {
  const { authenticates, idempotency } = guard;
  const stack = httpStack(endpoint.operationId, endpoint.waitsForOthers, idempotency ? [idempotency.settles] : []).use([
    ...authenticates,
    ...(idempotency ? [idempotency.begins] : []),
    pathParameters(endpoint),
  ]);
  if (load) stack.use(existence(endpoint, load, show));
  stack.use([...preconditions(endpoint), ...(idempotency ? [idempotency.checks] : [])]);
  const handler = stack
    .use([input(endpoint, load, guard), weighing(endpoint)])
    .handler(async (_: HttpEvent, context: Context) => {
      const made = context as CallContext<E, Resource>;
      const { principal } = made.call;
      const outcome = await run(made.call).finally(() => principal && guard.tellWebhooks?.(principal));
      // What a handler has given to `answer`, and returns, has its response already.
      return made.built?.outcome === outcome ? made.built.response : response(endpoint, outcome, made.rendering);
    });
  return (event, context) =>
    withDeadline(context.getRemainingTimeInMillis() - 2 * TIMEOUT_MARGIN_MILLISECONDS, () => handler(event, context));
}

/** middy gives a handler only event and context, so the steps leave the call on the context. */
type CallContext<E extends Endpoint, Resource> = Context & {
  call: Call<E, Resource>;
  rendering: Rendering;
  /** The last answer that was built before a write. */
  built?: { readonly outcome: unknown; readonly response: HttpResponse };
};

/** Before the function is ended, it answers that its time is over. Calls to others must end as much earlier still. */
const TIMEOUT_MARGIN_MILLISECONDS = 500;

function outOfTime(): never {
  throw retryable('temporarily_unavailable', 'The request took too long.');
}

/**
 * middy runs `before` downwards, `after` and `onError` upwards: `problems` makes the response of an error, `settling` may
 * replace it, then come headers, compression and 304, and the log sees what leaves.
 *
 * @param waits whether the operation by its nature waits for a provider or for workers
 * @param settling steps that see every response of the endpoint, problems too
 */
export function httpStack(operationId: string, waits = false, settling: readonly Step[] = []) {
  return middy<HttpEvent, HttpResponse, Error, Context, Exchange>({
    timeoutEarlyInMillis: TIMEOUT_MARGIN_MILLISECONDS,
    timeoutEarlyResponse: outOfTime,
  })
    .use(requestLog(operationId, waits))
    .use(notModified())
    .use(compression())
    .use(responseHeaders())
    .use([...settling])
    .use(problems())
    .use(arrival())
    .use(origin());
}

function arrival(): Step {
  return {
    before: ({ internal }) => {
      internal.now = new Date();
      internal.headers = {};
    },
  };
}

/** An id that cannot exist gets the same answer as an id that does not exist. */
function pathParameters({ path, pathPatterns }: Endpoint): Step {
  const names = parameterNames(path);
  return {
    before: ({ event, internal }) => {
      internal.params = Object.fromEntries(
        names.map((name) => {
          const value = event.pathParameters?.[name] ?? '';
          const pattern = pathPatterns?.[name];
          if (!(pattern ?? UUID).test(value)) throw notFound();
          return [name, pattern ? value : value.toLowerCase()];
        }),
      );
    },
  };
}

function existence<E extends Endpoint, Resource extends object | undefined>(
  endpoint: E,
  load: Load<E, Resource>,
  show: NonNullable<Handling<E, Resource>['show']>,
): Step {
  return {
    before: async ({ internal }) => {
      internal.resource = await loaded(endpoint, load, internal);
      internal.show = memoized((resource: object) => Promise.resolve(show(resource as Resource, internal.now)));
    },
  };
}

function input<E extends Endpoint, Resource extends object | undefined>(
  endpoint: E,
  load: Load<E, Resource> | undefined,
  guard: Guard,
): Step {
  return {
    before: async (request) => {
      const { principal, person, now } = request.internal;
      const isExport = endpoint.csv !== undefined && prefersCsv(header(request, 'accept'));
      const { queryStringParameters: rawQuery = {}, rawQueryString = '' } = request.event;
      const query = validateQuery(endpoint.query, rawQuery, rawQueryString) as Query<E>;
      if (isExport) assertGiven(rawQuery, endpoint.csv?.needs);
      const sent = await sentBody(request, endpoint);
      const body = endpoint.body ? validateBody(endpoint.body, sent) : endpoint.file && sent;
      if (endpoint.body && body) assertOwn(endpoint, principal, body);
      const context = request.context as CallContext<E, Resource>;
      const { rawPath: path = endpoint.path } = request.event;
      context.rendering = {
        path,
        query,
        isExport,
        ignored: await ignored(endpoint, request, rawQuery, endpoint.file ? {} : sent),
      };
      context.call = {
        params: request.internal.params as Params<E>,
        query,
        body: body as Body<E>,
        isExport,
        principal,
        person: person as Call<E>['person'],
        now,
        host: header(request, 'host') ?? '',
        resource: request.internal.resource as Resource,
        newId: () => uuidV7({ msecs: now.getTime() }),
        fresh: freshly(endpoint, request, load),
        answer: answering(endpoint, request, context, guard),
        pay: paying(endpoint, request),
        remainingMilliseconds: () => context.getRemainingTimeInMillis() - TIMEOUT_MARGIN_MILLISECONDS,
      };
    },
  };
}

/** Members that only the service sets are compared with what a PATCH finds. */
async function ignored(endpoint: Endpoint, { internal }: HttpRequest, query: Members, body: unknown) {
  const { response: contract, operationId } = endpoint;
  if (contract.kind !== 'resource' || !setsOwned(endpoint, body)) return ignoredNames(endpoint, query, body);
  const before = checked(contract.schema, await internal.show(internal.resource), operationId);
  return ignoredNames(endpoint, query, body, before as Members);
}

/** An operation that takes no body refuses none, but says which members it ignores. */
function sentBody(request: HttpRequest, endpoint: Endpoint): Promise<unknown> {
  if (endpoint.file) return readFile(request, endpoint.file);
  return endpoint.body ? readBody(request, endpoint) : readBody(request, {}).catch(() => undefined);
}

async function loaded<E extends Endpoint, Resource>(
  endpoint: E,
  load: Load<E, Resource>,
  { params, principal }: Exchange,
): Promise<Resource & object> {
  const resource = await load({ params: params as Params<E>, principal });
  assertOwn(endpoint, principal, resource);
  return resource;
}

function freshly<E extends Endpoint, Resource extends object | undefined>(
  endpoint: E,
  { internal }: HttpRequest,
  load: Load<E, Resource> | undefined,
): () => Promise<Resource> {
  let isFirst = true;
  return async () => {
    if (isFirst || !load) {
      isFirst = false;
      return internal.resource as Resource;
    }
    const present = await loaded(endpoint, load, internal);
    await internal.assertMatch?.(present);
    return present;
  };
}

/** A request that was refused up to here has paid one token. */
function weighing({ weight = 1 }: Endpoint): Step {
  return {
    before: async ({ context, internal }) => {
      const { call } = context as CallContext<Endpoint, unknown>;
      if (typeof weight === 'number') await internal.charge?.(weight);
      else if ('of' in weight) await internal.charge?.(weight.of(call));
      else await internal.charge?.(weight.atFirst ?? 1);
    },
  };
}

function paying<E extends Endpoint>({ weight }: E, { context, internal }: HttpRequest): Call<E>['pay'] {
  return async (counted) => {
    if (typeof weight !== 'object' || !('ofCounted' in weight)) return;
    const { call } = context as CallContext<E, unknown>;
    await internal.charge?.(weight.ofCounted(call, counted));
  };
}

function answering(
  endpoint: Endpoint,
  request: HttpRequest,
  context: Pick<CallContext<Endpoint, unknown>, 'rendering' | 'built'>,
  { idempotency, recordAll }: Guard,
) {
  return async (outcome: unknown, ...happenings: readonly Happening[]): Promise<readonly Write[]> => {
    const made =
      outcome instanceof Problem
        ? problemResponse(outcome, requestIdOf(request))
        : response(endpoint, outcome, context.rendering);
    context.built = { outcome, response: made };
    const kept = (await idempotency?.keeping(request, made, made.statusCode !== WORK_GOES_ON)) ?? [];
    if (!recordAll || happenings.length === 0) return kept;
    const { principal, now } = request.internal;
    return [...kept, ...recordAll(principal.organizationId, actorOf(principal), now, happenings)];
  };
}

const WORK_GOES_ON = 202;
