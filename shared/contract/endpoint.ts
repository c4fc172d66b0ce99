import type { GenericSchema, InferInput, InferOutput, ObjectEntries } from 'valibot';
import type { Table } from '#shared/domain/csv.ts';
import type { EventType } from '#shared/domain/events/event-types.ts';
import { type AnyScope, PLATFORM_SCOPES, type PlatformScope } from '#shared/domain/keys/scopes.ts';
import type { CursorPage, Listed } from '#shared/domain/page.ts';
import type { ProblemCode } from '#shared/domain/problems.ts';
import { isTagged } from './tagged.ts';
import type { Weight } from './weight.ts';

/**
 * One `Endpoint` value per operation is the source of its route, function and role, of validation and the response
 * check, of the OpenAPI document, and of the test matrices.
 */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `any`: every valid key of an organization. */
export type RequiredScope = AnyScope | 'any';

/** The folder of the function, and its tag in the OpenAPI document. */
export type Area =
  | 'products'
  | 'clients'
  | 'invoices'
  | 'tracker'
  | 'remote'
  | 'keys'
  | 'organization'
  | 'events'
  | 'meta';

export type ResponseShape =
  /** `{"data": {...}}`; 201 for a creation, 202 where it is as it was asked for only after the response. */
  | { readonly kind: 'resource'; readonly status: 200 | 201 | 202; readonly schema: GenericSchema }
  /** `{"data": {...}}`: 201 for a creation, 200 for one that was only tried. */
  | { readonly kind: 'rehearsable'; readonly schema: GenericSchema }
  /** `{"data": {...}}` of work that may outlive its request: 200 when it is done, 202 while it goes on. */
  | { readonly kind: 'work'; readonly schema: GenericSchema }
  /** `{"data": [...], "meta": {"total", "limit", "offset"}}` */
  | { readonly kind: 'list'; readonly item: GenericSchema }
  /**
   * A list, or with `pagination=cursor` `{"edges": [...], "pageInfo": {...}, "totalCount"}` and a `Link` header. Both
   * have `pagination`, which tells them apart.
   */
  | { readonly kind: 'listOrCursorPage'; readonly item: GenericSchema }
  /** `{"success": true, "id": "..."}` */
  | { readonly kind: 'deletion' }
  /** JSON without an envelope. */
  | { readonly kind: 'bare'; readonly schema: GenericSchema }
  /** The handler returns body and content type. A caller who knows the tag, if there is one, gets a 304. */
  | { readonly kind: 'raw'; readonly contentTypes: readonly string[]; readonly hasTag?: boolean };

/** The answer as `text/csv`: all rows, whatever page is asked for. */
export interface CsvExport {
  readonly fileName: string;
  /** A parameter that the table needs. */
  readonly needs?: string;
  /** @param result what the handler has returned @param query as the handler got it */
  readonly table: (result: never, query: never) => Table;
  readonly example: { readonly result: unknown; readonly query?: unknown };
}

export interface FileLimits {
  readonly contentTypes: readonly string[];
  readonly maxBytes: number;
}

/** A body that is a file: never empty, and of one of the types of its contract. */
export interface SentFile {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface ProblemMember {
  readonly schema: GenericSchema;
  readonly example: unknown;
}

export interface Endpoint {
  readonly operationId: string;
  readonly method: Method;
  /** Parameters stand in braces, and are UUIDs unless `pathPatterns` has them. Any other value is a 404. */
  readonly path: string;
  readonly pathPatterns?: Readonly<Record<string, RegExp>>;
  /** The tagged resource that the path names. That of a PATCH is what it answers. */
  readonly of?: GenericSchema;
  /** Where a GET finds what the operation creates. The parameter is the id of the created object. */
  readonly location?: `/${string}/{id}`;
  readonly area: Area;
  readonly summary: string;
  readonly description?: string;
  /** Null: needs no key. */
  readonly scope: RequiredScope | null;
  /** By default members read, and admins alone write. `own`: members write too, objects of their own; `none`: admins alone. */
  readonly members?: 'own' | 'none';
  /** Any person who has signed in may call it, and does so as no user, whatever organization the request names. */
  readonly takesAnyPerson?: true;
  /** Only people who have signed in may call it. */
  readonly takesKeys?: false;
  /** Tokens of the rate limit; one by default. */
  readonly weight?: Weight;
  /** Waits for the provider or a worker, so that its duration says nothing of our speed. */
  readonly waitsForOthers?: boolean;
  /** With the real types of the values: the HTTP layer converts the query's strings. */
  readonly query?: GenericSchema;
  readonly body?: GenericSchema;
  /** The body is a file of one of these types, in place of JSON. */
  readonly file?: FileLimits;
  /** The body may be absent, because all its members are optional. */
  readonly bodyOptional?: boolean;
  /** The unpacked size; by default 1. */
  readonly bodyMebibytes?: number;
  /** Callers choose names of members: `__proto__` may be one of them, and other bodies refuse it. */
  readonly bodyTakesAnyNames?: boolean;
  /** Refuses the header, because the answer may not be kept. */
  readonly idempotencyKey?: false;
  /** The events that it may leave. An operation that changes what another one shows leaves at least one. */
  readonly events?: readonly EventType[];
  readonly response: ResponseShape;
  readonly csv?: CsvExport;
  /** A browser is sent to this page instead. */
  readonly page?: string;
  /** The problems of its own rules; `problemsOf` adds those of every request. */
  readonly problems?: readonly ProblemCode[];
  /** Extra members of these problems, by name. */
  readonly problemMembers?: Readonly<Partial<Record<ProblemCode, Readonly<Record<string, ProblemMember>>>>>;
  readonly memoryMegabytes?: number;
  readonly timeoutSeconds?: number;
  /** At most so many run at once, and no others take their place. For what keeps a processor busy for seconds. */
  readonly ownConcurrency?: number;
  readonly example: {
    readonly body?: unknown;
    readonly otherBodies?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
    readonly response?: unknown;
  };
}

/** The router in front of the handlers hangs up after 30 s. */
export const MAX_TIMEOUT_SECONDS = 29;

/** Keeps the literal types. */
export function defineEndpoint<const E extends Endpoint>(endpoint: E): E {
  return endpoint;
}

type ParameterNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;

export type Params<E extends Endpoint> = Readonly<Record<ParameterNames<E['path']>, string>>;

export type Query<E extends Endpoint> = E extends { readonly query: infer S extends GenericSchema }
  ? InferOutput<S>
  : Record<string, never>;

export type Body<E extends Endpoint> = E extends { readonly body: infer S extends GenericSchema }
  ? InferOutput<S>
  : E extends { readonly file: FileLimits }
    ? SentFile
    : undefined;

export type EventsOf<E extends Endpoint> = E extends { readonly events: readonly (infer Type extends EventType)[] }
  ? Type
  : never;

export interface RawAnswer {
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Work<Data> {
  readonly isDone: boolean;
  readonly data: Data;
}

export interface Rehearsable<Data> {
  readonly isMade: boolean;
  readonly data: Data;
}

/** Handlers return objects of the domain, which are immutable. */
type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T;

type Value<Schema extends GenericSchema> = Immutable<InferInput<Schema>>;

export type Result<E extends Endpoint> = E['response'] extends {
  kind: 'resource';
  schema: infer S extends GenericSchema;
}
  ? Value<S>
  : E['response'] extends { kind: 'work'; schema: infer S extends GenericSchema }
    ? Work<Value<S>>
    : E['response'] extends { kind: 'rehearsable'; schema: infer S extends GenericSchema }
      ? Rehearsable<Value<S>>
      : ListResult<E>;

type ListResult<E extends Endpoint> = E['response'] extends { kind: 'list'; item: infer S extends GenericSchema }
  ? Listed<Value<S>>
  : E['response'] extends { kind: 'listOrCursorPage'; item: infer S extends GenericSchema }
    ? Listed<Value<S>> | CursorPage<Value<S>>
    : E['response'] extends { kind: 'deletion' }
      ? string
      : E['response'] extends { kind: 'bare'; schema: infer S extends GenericSchema }
        ? Value<S>
        : RawAnswer;

export type GuardedEndpoint = Endpoint & { readonly scope: RequiredScope };

export function needsAdmin({ method, scope, members }: Endpoint): boolean {
  if (members) return members === 'none';
  return method !== 'GET' && scope !== null && !isOfPlatform(scope);
}

/** For keys that belong to no organization, and so to no user with a role. */
export function isOfPlatform(scope: RequiredScope | null): scope is PlatformScope {
  return PLATFORM_SCOPES.some((each) => each === scope);
}

/** The members of a query or a body; none of what is no object. */
export function entriesOf(schema: GenericSchema | undefined): ObjectEntries {
  return schema && 'entries' in schema ? (schema.entries as ObjectEntries) : {};
}

export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

export function filledPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
}

export function takesIdempotencyKey({ method, scope, idempotencyKey }: Endpoint): boolean {
  return method === 'POST' && scope !== null && idempotencyKey !== false;
}

/** The resource that is answered with an `ETag`, if any. */
export function taggedSchema({ response }: Endpoint): GenericSchema | undefined {
  return response.kind === 'resource' && isTagged(response.schema) ? response.schema : undefined;
}

/** The resource whose tag `If-Match` names, if any. */
export function matchedSchema(endpoint: Endpoint): GenericSchema | undefined {
  return endpoint.of ?? (endpoint.method === 'PATCH' ? taggedSchema(endpoint) : undefined);
}

const OF_EVERY_CALLER = [
  'insufficient_scope',
  'invalid_token',
  'not_a_member',
  'rate_limited',
  'temporarily_unavailable',
  'unauthenticated',
] as const;

const OF_IDEMPOTENCY = ['idempotency_in_progress', 'idempotency_key_reused', 'too_many_kept_answers'] as const;

const OF_BODIES = [
  'malformed_encoding',
  'payload_too_large',
  'unsupported_media_type',
  'unsupported_encoding',
] as const;

/** The problems of the endpoint's own rules, and of the steps that its contract requires. */
export function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const { scope, path, takesAnyPerson, csv, body, file, problems = [] } = endpoint;
  const codes: ProblemCode[] = ['internal_error', 'validation_failed', ...problems];
  if (scope) codes.push(...OF_EVERY_CALLER);
  if (scope && !takesAnyPerson && !isOfPlatform(scope)) codes.push('organization_required');
  if (needsAdmin(endpoint)) codes.push('admin_required');
  if (parameterNames(path).length > 0) codes.push('not_found');
  if (csv) codes.push('export_too_large');
  if (takesIdempotencyKey(endpoint)) codes.push(...OF_IDEMPOTENCY);
  if (matchedSchema(endpoint)) codes.push('precondition_failed');
  if (body) codes.push('malformed_json');
  if (body || file) codes.push(...OF_BODIES);
  return [...new Set(codes)].sort();
}

export function kebabCase(operationId: string): string {
  return operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** `insufficient_scope_products:read` -> `InsufficientScopeProductsRead`, `createInvoice` -> `CreateInvoice` */
export function pascalCase(name: string): string {
  return name.replace(/(?:^|[_:])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
