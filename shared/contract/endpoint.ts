import type { GenericSchema, InferInput, InferOutput } from 'valibot';
import type { Table } from '#shared/domain/csv.ts';
import type { Scope } from '#shared/domain/keys/scopes.ts';
import type { ProblemCode } from '#shared/domain/problems.ts';
import type { Connection, Listed } from './pagination.ts';
import { isTagged } from './tagged.ts';
import type { Weight } from './weight.ts';

/**
 * The contract as data. One `Endpoint` value per operation is the source of the API Gateway route, the Lambda
 * function and what it may touch, the request validation, the response check, the OpenAPI document, the 405 answers
 * and the test matrices.
 */

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What a key must have: a scope, or nothing but that it is valid. */
export type Demand = Scope | 'any';

/** The area names the folder of the function, the nested stack that holds it, and its tag in the OpenAPI document. */
export type Area = 'products' | 'clients' | 'invoices' | 'tracker' | 'remote' | 'keys' | 'organization' | 'meta';

/** What an item is, for a role. `shared/data/layout/kinds.ts` says where the items of each kind lie. */
export type ItemKind =
  | 'apiKey'
  | 'client'
  | 'count'
  | 'declined'
  | 'deleted'
  | 'directory'
  | 'entry'
  | 'hold'
  | 'importJob'
  | 'invoice'
  | 'ledger'
  /** The organization, and its connection to a remote tracker: they share a partition. */
  | 'organization'
  | 'organizationName'
  | 'payment'
  | 'product'
  | 'project'
  | 'remoteName'
  | 'timer'
  | 'user';

/**
 * What a function may touch in the cloud. How it does so, its code says: the build finds the calls in it, and the role
 * allows these (`infra/permissions.ts`). Reads reach any item of the table.
 */
export interface Access {
  /**
   * The kinds of items that the function puts, updates, deletes or checks in a transaction. Another kind is an
   * AccessDeniedException, on AWS as on this machine.
   */
  readonly writes?: readonly ItemKind[];
  /** The indexes that the function may query. */
  readonly indexes?: readonly string[];
  /** The queues (`shared/queues.ts`) that the function may send to. */
  readonly sends?: readonly string[];
}

export type ResponseShape =
  /** `{"data": {...}}`; 201 if the operation creates something. */
  | { readonly kind: 'resource'; readonly status: 200 | 201; readonly schema: GenericSchema }
  /** `{"data": {...}}` of work that may outlive its request: 200 when the work is done, 202 while it goes on. */
  | { readonly kind: 'work'; readonly schema: GenericSchema }
  /** `{"data": [...], "meta": {"total", "limit", "offset"}}` */
  | { readonly kind: 'list'; readonly item: GenericSchema }
  /**
   * A list as above. With `pagination=cursor`, `{"edges": [...], "pageInfo": {...}, "totalCount"}` without an
   * envelope and with a `Link` header. The query needs the `paginationEntries`.
   */
  | { readonly kind: 'listOrConnection'; readonly item: GenericSchema }
  /** `{"success": true, "id": "..."}`. `of` is what is deleted, if it can be patched: it then has a tag to match */
  | { readonly kind: 'deletion'; readonly of?: GenericSchema }
  /** A JSON body without an envelope. */
  | { readonly kind: 'bare'; readonly schema: GenericSchema }
  /**
   * Anything else: the handler returns the body and its content type. If it has a tag, a caller who knows the tag gets
   * a 304.
   */
  | { readonly kind: 'raw'; readonly contentTypes: readonly string[]; readonly hasTag?: boolean };

/** How an operation answers whoever accepts `text/csv` rather than JSON: with all rows, whatever page is asked for. */
export interface CsvExport {
  readonly fileName: string;
  /** The parameter without which there is no table. */
  readonly needs?: string;
  /** @param result what the handler has returned @param query as the handler got it */
  readonly table: (result: never, query: never) => Table;
  readonly example: { readonly result: unknown; readonly query?: unknown };
}

/** A member that a problem's document always has beyond RFC 9457's. */
export interface ProblemMember {
  readonly schema: GenericSchema;
  readonly example: unknown;
}

export interface Endpoint {
  readonly operationId: string;
  readonly method: Method;
  /** Parameters stand in braces. Without a pattern in `pathPatterns`, each must be a UUID. Any other value is a 404. */
  readonly path: string;
  readonly pathPatterns?: Readonly<Record<string, RegExp>>;
  readonly area: Area;
  readonly summary: string;
  readonly description?: string;
  /** `any`: every valid key will do. Null: needs no key. */
  readonly scope: Demand | null;
  /** How many tokens of the key's rate limit a request takes; one by default. */
  readonly weight?: Weight;
  /** Whether the operation waits for the provider or for a worker. Its duration then says nothing of our speed. */
  readonly waitsForOthers?: boolean;
  /** A valibot object with the real types of the values. The HTTP layer converts the query's strings to them. */
  readonly query?: GenericSchema;
  readonly body?: GenericSchema;
  /** True if all members of the body are optional, so the body may be absent. */
  readonly bodyOptional?: boolean;
  /** How much of a body is unpacked at most. The default is 1 MiB, of which a form needs a small part. */
  readonly bodyMebibytes?: number;
  /** False for a POST that takes no `Idempotency-Key`, because its answer may not be kept. */
  readonly idempotencyKey?: false;
  readonly response: ResponseShape;
  readonly csv?: CsvExport;
  /** The problems of this operation's own rules. `problemsOf` adds those that every request can have. */
  readonly problems?: readonly ProblemCode[];
  /** Extra members of some of these problems, by the member's name. */
  readonly problemMembers?: Readonly<Partial<Record<ProblemCode, Readonly<Record<string, ProblemMember>>>>>;
  readonly access?: Access;
  readonly memoryMegabytes?: number;
  readonly timeoutSeconds?: number;
  readonly example: {
    readonly body?: unknown;
    /** Bodies that show what the first does not, by name. */
    readonly otherBodies?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
    readonly response?: unknown;
  };
}

/** Keeps the literal types of an endpoint. Without side effects, so a bundle holds only the endpoint it implements. */
/* @__NO_SIDE_EFFECTS__ */
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
  : undefined;

export interface RawAnswer {
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler returns for work that may outlive its request. */
export interface Work<Data> {
  readonly isDone: boolean;
  readonly data: Data;
}

/** Handlers return objects of the domain, which nobody changes any more. */
type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T;

type Value<Schema extends GenericSchema> = Immutable<InferInput<Schema>>;

/** What a handler returns for each kind of response. */
export type Result<E extends Endpoint> = E['response'] extends {
  kind: 'resource';
  schema: infer S extends GenericSchema;
}
  ? Value<S>
  : E['response'] extends { kind: 'work'; schema: infer S extends GenericSchema }
    ? Work<Value<S>>
    : ListResult<E>;

type ListResult<E extends Endpoint> = E['response'] extends { kind: 'list'; item: infer S extends GenericSchema }
  ? Listed<Value<S>>
  : E['response'] extends { kind: 'listOrConnection'; item: infer S extends GenericSchema }
    ? Listed<Value<S>> | Connection<Value<S>>
    : E['response'] extends { kind: 'deletion' }
      ? string
      : E['response'] extends { kind: 'bare'; schema: infer S extends GenericSchema }
        ? Value<S>
        : RawAnswer;

/** The names of the path's parameters, in order. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string);
}

/** Puts the values of the parameters into a path such as `/products/{id}`. */
export function filledPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
}

/** Whether a caller may name the request with an `Idempotency-Key`, and send it again without doing anything twice. */
export function takesIdempotencyKey({ method, scope, idempotencyKey }: Endpoint): boolean {
  return method === 'POST' && scope !== null && idempotencyKey !== false;
}

/** The schema of the single resource that the answer shows with its `ETag`; undefined if there is none. */
export function taggedSchema({ response }: Endpoint): GenericSchema | undefined {
  return response.kind === 'resource' && isTagged(response.schema) ? response.schema : undefined;
}

/** The schema of the resource whose tag `If-Match` names; undefined if the endpoint takes no such header. */
export function matchedSchema(endpoint: Endpoint): GenericSchema | undefined {
  if (endpoint.method === 'PATCH') return taggedSchema(endpoint);
  return endpoint.response.kind === 'deletion' ? endpoint.response.of : undefined;
}

/** Every problem that an endpoint can answer: those of its own rules and of the steps its contract requires. */
export function problemsOf(endpoint: Endpoint): ProblemCode[] {
  const codes = new Set<ProblemCode>(['internal_error', ...(endpoint.problems ?? [])]);
  if (endpoint.scope) {
    for (const code of ['unauthenticated', 'rate_limited', 'temporarily_unavailable'] as const) codes.add(code);
    if (endpoint.scope !== 'any') codes.add('insufficient_scope');
  }
  if (parameterNames(endpoint.path).length > 0) codes.add('not_found');
  if (endpoint.csv) codes.add('export_too_large');
  codes.add('validation_failed');
  if (takesIdempotencyKey(endpoint)) codes.add('idempotency_in_progress').add('idempotency_key_reused');
  if (matchedSchema(endpoint)) codes.add('precondition_failed');
  if (endpoint.body) {
    for (const code of [
      'malformed_json',
      'malformed_encoding',
      'payload_too_large',
      'unsupported_media_type',
      'unsupported_encoding',
    ] as const) {
      codes.add(code);
    }
  }
  return [...codes].sort();
}

/** `createProduct` -> `create-product`: the name of the function, its file and its bundle. */
export function kebabCase(operationId: string): string {
  return operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
