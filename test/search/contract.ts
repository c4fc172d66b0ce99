import fc from 'fast-check';
import * as v from 'valibot';
import type { ProblemCode, Violation } from '#shared/domain/problems.ts';
import { ROLES } from '#shared/domain/role.ts';
import { PROBLEM_CODES } from '#shared/openapi/problems.ts';
import { routes } from '#shared/routes.ts';
import { bookEntries } from '#test/support/bulk-entries.ts';
import { given, type User } from '#test/support/given.ts';
import { bodyOf } from '#test/support/openapi-validator.ts';
import { newPerson } from '#test/support/person.ts';
import { anyRequest, type KnownIds } from '#test/support/random-requests.ts';
import { webhookCounts } from '#test/support/webhooks.ts';
import { call, faultIn, inParallel, type RawReply } from './caller.ts';
import { Findings } from './findings.ts';
import { guarded, hintsWith, type Possessions, populate } from './possessions.ts';
import type { Hints } from './schema-values.ts';
import { idsFor, type SchemaRequest, schemaRequest } from './valid-requests.ts';

/** An organization is given up before its lists get long. */
const BATCH = 2_000;
/** One request in so many is an admin's who has signed in, the next a member's: people have few requests a minute. */
const CALLERS = 11;
/** Deletions on the way leave some of them. */
const REQUESTS_PER_RESOURCE = 350;

/** Near misses of a deletion are deletions as a rule. */
const kept = routes.filter(({ method }) => method !== 'DELETE');

/**
 * Each answer, to any request, is one that the OpenAPI document allows, no answer is a 5xx, and what the contract takes is never refused for its
 * form. Half of the requests fit the schemas, the others miss them narrowly or by far. An admin's key makes most of them, and an admin and a member
 * who have signed in make some. In the end, the organization has as many webhooks as it counts.
 */
export async function searchContract(count: number, seed: number) {
  const findings = new Findings();
  const byRole = { admin: 0, member: 0 };
  let validCases = 0;
  for (let done = 0, batch = 0; done < count; batch++) {
    const by = await given.user();
    const wanted = Math.min(BATCH, count - done);
    const own = await populate(by, 'plain', Math.ceil(wanted / REQUESTS_PER_RESOURCE));
    const hints = hintsWith(own, idsOf(own, await billableTime(by)));
    const requests = randomRequests(own, hints, wanted, seed + batch);
    const people = {
      admin: await newPerson(by.organization, 'admin'),
      member: await newPerson(by.organization, 'member'),
    };
    await inParallel([...requests.entries()], async ([position, request]) => {
      const role = ROLES[position % CALLERS];
      const reply = await call(role ? people[role].token : by.apiKey, request);
      if (role) byRole[role] += 1;
      findings.countOutcome(String(reply.status));
      const fault = faultIn(request, reply) ?? misjudgementIn(request, reply);
      if (fault) findings.blame(`${fault}: ${JSON.stringify(request)}`);
    });
    const { counted, there } = await webhookCounts(by.organization.id);
    if (counted !== there) findings.blame(`The organization counts ${counted} webhooks and has ${there}`);
    validCases += requests.filter(({ isValid }) => isValid).length;
    done += requests.length;
  }
  findings.blameOverload();
  const { outcomes, violations } = findings;
  return { cases: findings.count, byRole, validCases, outcomes, violations };
}

function misjudgementIn({ isValid }: SchemaRequest, reply: RawReply): string | undefined {
  const isMisjudged = isValid && reply.status >= 400 && isRefusalOfForm(bodyOf(reply));
  return isMisjudged ? `It refuses what the contract takes: ${reply.text}` : undefined;
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
 * To the contract a cursor is any text: whether the list has given it out, only the list can tell; only an object how much
 * metadata it has already, and whether it is billable; and only the maker of a webhook which types it may read. What is no
 * problem is the gateway's.
 */
function isRefusalOfForm(body: unknown): boolean {
  if (!v.is(refusal, body)) return true;
  const { code, errors = [] } = body;
  return FORM.has(code) && !(errors.length > 0 && errors.every((error) => error.code === 'cursor' || isOfState(error)));
}

const isOfState = ({ path, code }: Pick<Violation, 'path' | 'code'>) =>
  (path === 'metadata' && code === 'length') ||
  (/^(?:billedMinutes|types\.\d+)$/.test(path) && code === 'validation_failed');

const refusal = v.object({
  code: v.picklist(PROBLEM_CODES),
  errors: v.optional(v.array(v.object({ path: v.string(), code: v.string() })), []),
});

/** Every other one fits the schemas: of those, each operation gets as many. */
function randomRequests({ known }: Possessions, hints: Hints, count: number, seed: number): SchemaRequest[] {
  const rounds = Math.max(1, Math.ceil(count / 2 / guarded.length));
  const fitting = guarded.map((endpoint, position) => {
    const related = relatedIds(endpoint.path, known);
    const ids = fc.constantFrom(...(related.length > 0 ? related : ['']));
    // A thing that is deleted answers 404 from then on, which tells little.
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
 * Ids of all paths that go on from the same resource: an invoice that one of them has sent, another shall refuse to
 * delete.
 */
function relatedIds(path: string, known: KnownIds): string[] {
  const resource = (of: string) => of.slice(0, of.indexOf('}'));
  return [...known].filter(([other]) => resource(other) === resource(path)).flatMap(([, ids]) => ids);
}

function idsOf({ known }: Possessions, billable: ReadonlyMap<string, readonly string[]>) {
  return (name: string) => {
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
