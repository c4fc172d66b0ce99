import fc from 'fast-check';
import * as v from 'valibot';
import { type Endpoint, parameterNames } from '#shared/contract/endpoint.ts';
import type { ProblemCode } from '#shared/domain/problems.ts';
import { PROBLEM_CODES } from '#shared/openapi/problems.ts';
import { routes } from '#shared/routes.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { given, type User } from '#test/support/given.ts';
import { bodyOf } from '#test/support/openapi-validator.ts';
import { anyRequest, edgeCases, type KnownIds, type RandomRequest } from '#test/support/random-requests.ts';
import { resourceOf } from '#test/support/resources.ts';
import { call, inParallel, type RawReply, undocumentedIn } from './caller.ts';
import type { Hints } from './schema-values.ts';
import { commonHints, idsFor, operationOf, type SchemaRequest, schemaRequest } from './valid-requests.ts';
import { Violations } from './violations.ts';

/**
 * Whatever is sent, the answer is one that the OpenAPI document allows, no answer is a 5xx, and what the contract takes is never refused for its
 * form. Half of the requests fit the schemas, the others miss them narrowly or by far.
 */
export interface ContractFigures {
  readonly seed: number;
  readonly cases: number;
  /** That the contract takes: they may be refused for what they name, not for what they are. */
  readonly validCases: number;
  readonly byStatus: Readonly<Record<string, number>>;
  /**
   * Pairs of an operation and a status that requests with a good key can have there, and those of them that were not
   * met.
   */
  readonly documentedOutcomes: number;
  readonly missedOutcomes: readonly string[];
  readonly seconds: number;
  readonly violations: readonly string[];
}

/** An organization is given up before its lists get long. */
const BATCH = 2_000;
/** Deletions on the way leave some of them. */
const REQUESTS_PER_RESOURCE = 350;

const guarded = routes.filter(({ scope }) => scope !== null);

/** Near misses of a deletion are deletions as a rule. */
const kept = routes.filter(({ method }) => method !== 'DELETE');

/**
 * @param count of all cases; up to a third of them are at the edges of what the contract takes, which are few thousand
 * in all
 */
export async function fuzzContract(count: number, seed: number): Promise<ContractFigures> {
  const startedAt = performance.now();
  const tally = new Tally();
  for (let done = 0, batch = 0; done < count; batch++) {
    const by = await given.user();
    const wanted = Math.min(BATCH, count - done);
    const scene = await sceneOf(by, Math.ceil(wanted / REQUESTS_PER_RESOURCE));
    const edges = batch === 0 ? edgesOf(scene, Math.floor(count / 3), seed) : [];
    const requests = [...edges, ...randomRequests(scene, Math.max(0, wanted - edges.length), seed + batch)];
    await inParallel(requests, async (request) => tally.add(request, await call(by.apiKey, request)));
    done += requests.length;
    if (done < count) console.error(`contract: ${done} of ${count} cases`);
  }
  return { seed, ...tally.figures(), seconds: (performance.now() - startedAt) / 1_000 };
}

/** Those that depend on what is sent, rather than on the key, the load or the size. */
const STATUSES_OF_CONTENT = /^(?:2\d\d|400|404|409|422)$/;

class Tally {
  #cases = 0;
  #validCases = 0;
  readonly #byStatus = new Map<number, number>();
  readonly #met = new Set<string>();
  readonly #violations = new Violations();

  add(request: SchemaRequest, reply: RawReply): void {
    const { status } = reply;
    this.#cases += 1;
    if (request.isValid) this.#validCases += 1;
    this.#byStatus.set(status, (this.#byStatus.get(status) ?? 0) + 1);
    const operation = guarded.find((endpoint) => isOf(endpoint, request));
    if (operation) this.#met.add(`${operation.operationId} ${status}`);
    const fault = faultOf(request, reply);
    if (fault) this.#violations.add(`${fault}: ${JSON.stringify(request)}`);
  }

  figures() {
    const documented = guarded.flatMap((endpoint) =>
      Object.keys(operationOf(endpoint).responses)
        .filter((status) => STATUSES_OF_CONTENT.test(status))
        .map((status) => `${endpoint.operationId} ${status}`),
    );
    return {
      cases: this.#cases,
      validCases: this.#validCases,
      byStatus: Object.fromEntries([...this.#byStatus].sort()),
      documentedOutcomes: documented.length,
      missedOutcomes: documented.filter((outcome) => !this.#met.has(outcome)),
      violations: this.#violations.kept,
    };
  }
}

function isOf({ method, path }: Endpoint, request: RandomRequest): boolean {
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return method === request.method && pattern.test(request.path);
}

function faultOf(request: SchemaRequest, reply: RawReply): string | undefined {
  const { status } = reply;
  const undocumented = undocumentedIn(request, reply);
  if (undocumented) return undocumented;
  if (status >= 500) return `answered ${status}: ${reply.text}`;
  return request.isValid && status >= 400 && isRefusalOfForm(bodyOf(reply))
    ? `refused what the contract takes: ${reply.text}`
    : undefined;
}

const FORM: ReadonlySet<ProblemCode> = new Set([
  'malformed_json',
  'malformed_encoding',
  'route_not_found',
  'method_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
  'unsupported_encoding',
  'validation_failed',
]);

/**
 * To the contract a cursor is any text: whether the list has given it out, only the list can tell. What is no problem
 * is the gateway's.
 */
function isRefusalOfForm(body: unknown): boolean {
  if (!v.is(refusal, body)) return true;
  const { code, errors = [] } = body;
  return FORM.has(code) && !(errors.length > 0 && errors.every((error) => error.code === 'cursor'));
}

const refusal = v.object({
  code: v.picklist(PROBLEM_CODES),
  errors: v.optional(v.array(v.object({ code: v.string() })), []),
});

/** What an organization has for requests to name. */
interface Scene {
  readonly known: KnownIds;
  readonly hints: Hints;
}

async function sceneOf(by: User, resources: number): Promise<Scene> {
  const known = await resourcesOf(by, resources);
  return { known, hints: await hintsOf(by, known) };
}

function edgesOf({ known }: Scene, maximum: number, seed: number): SchemaRequest[] {
  const all = guarded.flatMap((endpoint) => edgeCases(endpoint, known));
  const length = Math.min(maximum, all.length);
  const [some = []] = fc.sample(fc.shuffledSubarray(all, { minLength: length, maxLength: length }), {
    numRuns: 1,
    seed,
  });
  return some.map((request) => ({ ...request, isValid: true }));
}

/** Every other one fits the schemas: of those, each operation gets as many. */
function randomRequests({ known, hints }: Scene, count: number, seed: number): SchemaRequest[] {
  const rounds = Math.max(1, Math.ceil(count / 2 / guarded.length));
  const fitting = guarded.map((endpoint, position) => {
    const related = relatedIds(endpoint.path, known);
    const ids = fc.constantFrom(...(related.length > 0 ? related : ['']));
    // What is deleted once answers 404 from then on, which tells little.
    const [ofKnown, ofMissing] = endpoint.method === 'DELETE' ? [1, 4] : [4, 1];
    const pathIds = fc.oneof({ weight: ofKnown, arbitrary: ids }, { weight: ofMissing, arbitrary: fc.uuid() });
    return fc.sample(schemaRequest(endpoint, pathIds, hints), { numRuns: rounds, seed: seed + position });
  });
  const inTurns = Array.from({ length: rounds }, (_, round) => fitting.flatMap((requests) => requests[round] ?? []));
  const others = anyRequest(kept, known).map((request) => ({ ...request, isValid: false }));
  const missing = fc.sample(others, { numRuns: rounds * guarded.length, seed });
  return inTurns
    .flat()
    .flatMap((request, position) => [request, ...missing.slice(position, position + 1)])
    .slice(0, count);
}

/**
 * Of all paths that go on from the same resource: what one of them made a sent invoice of, another shall refuse to
 * delete.
 */
function relatedIds(path: string, known: KnownIds): string[] {
  const resource = (of: string) => of.slice(0, of.indexOf('}'));
  return [...known].filter(([other]) => resource(other) === resource(path)).flatMap(([, ids]) => ids);
}

async function resourcesOf(by: User, count: number): Promise<KnownIds> {
  const known = new Map<string, string[]>();
  for (const endpoint of guarded.filter(({ path }) => parameterNames(path).length > 0)) {
    const ids = known.get(endpoint.path) ?? [];
    while (ids.length < count) ids.push(await resourceOf(endpoint, by));
    known.set(endpoint.path, ids);
  }
  return known;
}

async function hintsOf(by: User, known: KnownIds): Promise<Hints> {
  const account = await given.connection(by);
  const cursors = await cursorsOf(by);
  const billable = await billableTime(by);
  return (name, schema) => {
    if (name === 'accountId' || name === 'accessToken') return fc.constant(account[name]);
    if ((name === 'after' || name === 'before') && cursors.length > 0) return fc.constantFrom(...cursors);
    if (schema.format !== 'uuid') return commonHints(name, schema);
    const ids = [...idsFor(name, known), ...(billable.get(name) ?? [])];
    if (ids.length === 0) return undefined;
    return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: fc.uuid() });
  };
}

/**
 * Time that an invoice can bill, since the ids of any client and any entries seldom fit together. @returns ids by the
 * names of members
 */
async function billableTime(by: User): Promise<ReadonlyMap<string, readonly string[]>> {
  const { id: clientId } = await given.client(by);
  const project = await given.project(by, { clientId, rate: 60 });
  const entryIds = await bookEntries(by, project, BILLABLE_ENTRIES, ['2026-11-20']);
  // Named many times, so that many requests have this client.
  return new Map([
    ['clientId', Array.from({ length: BILLABLE_ENTRIES }, () => clientId)],
    ['entryIds', entryIds],
  ]);
}

const BILLABLE_ENTRIES = 12;

/** Cursors of every list that has some. */
async function cursorsOf(by: User): Promise<string[]> {
  const lists = guarded.filter(({ response }) => response.kind === 'listOrCursorPage');
  const pages = await Promise.all(lists.map(({ path }) => by.get(path, { pagination: 'cursor' })));
  return pages.flatMap(({ body }) => body.edges.map(({ cursor }: { cursor: string }) => cursor));
}
