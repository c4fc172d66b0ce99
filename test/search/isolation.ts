import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Endpoint } from '#shared/contract/endpoint.ts';
import { urlOf } from '#test/support/client.ts';
import { itemsOf } from '#test/support/deletions.ts';
import { given, type User } from '#test/support/given.ts';
import { newPerson } from '#test/support/person.ts';
import { nearMiss, type RandomRequest } from '#test/support/random-requests.ts';
import { exactly } from '#test/support/table-scan.ts';
import { call, faultIn, inParallel, type RawReply } from './caller.ts';
import { Findings } from './findings.ts';
import { CANARY, guarded, hintsWith, idsIn, ofPlatform, type Possessions, populate, UUID } from './possessions.ts';
import type { Hints } from './schema-values.ts';
import { idsFor, schemaRequest } from './valid-requests.ts';

/** Requests until another organization goes on, before its lists get long. */
const BATCH = 2_000;

/** How many the first organization has for each path that takes an id; a few calls find as much in one. */
const RESOURCES = 3;

/**
 * One organization, full of texts that exist nowhere else, and another whose admins and members call every route, by key or signed in, with the first
 * one's ids, cursors and texts wherever there is room for them. Nothing of the first comes back, a refusal is to the letter that for an id which
 * does not exist, and at the end the first one's items lie in the table as they lay before. Operations of the platform refuse all these callers, and
 * all other operations refuse the platform.
 *
 * @param newcomer who calls, given whose possessions are called for: a stranger, unless the search itself is put to the
 * test
 */
export async function searchIsolation(
  count: number,
  seed: number,
  newcomer: (ana: User) => Promise<User> = () => given.user(),
) {
  const ana = await given.user();
  const hers = await populate(ana, 'canaries', Math.ceil(RESOURCES * Math.min(1, count / BATCH)));
  const before = await itemsAtRest(ana);
  const spy = new Spy(hers);
  for (let done = 0, batch = 0; done < count; batch++) {
    const eve = await newcomer(ana);
    const probes = probesOf(hers, await populate(eve, 'plain'), await callersBeside(eve));
    const requests = fc.sample(probes, { numRuns: Math.min(BATCH, count - done), seed: seed + batch });
    const suspicions: Suspicion[] = [];
    await inParallel(requests, async (probe) => {
      const suspicion = await spy.probe(probe);
      if (suspicion) suspicions.push(suspicion);
    });
    for (const suspicion of suspicions) await spy.confirm(suspicion);
    done += requests.length;
  }
  const { findings, compared } = spy;
  for (const item of differencesOf(before, await storedItems(ana)))
    findings.blame(`An item of the first organization has changed: ${item}`);
  findings.blameOverload();
  const { outcomes, violations } = findings;
  const [canaries, ids, cursors] = [hers.canaries.size, hers.ids.size, hers.cursors.length];
  return { calls: findings.count, compared, outcomes, canaries, ids, cursors, items: before.length, violations };
}

function differencesOf(before: readonly string[], after: readonly string[]): string[] {
  const [old, present] = [new Set(before), new Set(after)];
  return [...before.filter((item) => !present.has(item)), ...after.filter((item) => !old.has(item))];
}

interface Callers {
  /** Keys and tokens of users of one organization, by how often they call. */
  readonly users: readonly { readonly weight: number; readonly credential: string }[];
  readonly platformKey: string;
}

/** The first calls most: others have fewer rights, and who has signed in has few requests a minute. */
async function callersBeside(eve: User): Promise<Callers> {
  const { organization } = eve;
  const member = await given.user({ organization, role: 'member' });
  const people = [await newPerson(organization, 'admin'), await newPerson(organization, 'member')];
  const others = [member.apiKey, ...people.map(({ token }) => token)];
  const users = [{ weight: 6, credential: eve.apiKey }, ...others.map((credential) => ({ weight: 1, credential }))];
  return { users, platformKey: await given.platformKey() };
}

interface Probe {
  readonly credential: string;
  readonly request: RandomRequest;
  /** Whether no key or token of the kind may call the operation. */
  readonly isOutOfBounds: boolean;
}

interface Suspicion {
  readonly probe: Probe;
  readonly twin: Twin;
}

const MOST_LOOKS = 5;

class Spy {
  readonly #hers: Possessions;
  readonly findings = new Findings();
  /** Calls that had an id of the first organization, and were made again with one that does not exist. */
  compared = 0;

  constructor(hers: Possessions) {
    this.#hers = hers;
  }

  /**
   * @returns a request whose answer differs from that for ids that do not exist, which may be the work of another caller
   * of the organization
   */
  async probe(probe: Probe): Promise<Suspicion | undefined> {
    const { request } = probe;
    const reply = await this.#call(probe, request);
    this.findings.countOutcome(String(reply.status));
    if (probe.isOutOfBounds && reply.status !== 403) this.#blame(`It answers ${reply.status} to others`, request);
    const twin = withMissingIds(request, this.#hers);
    if (!twin || this.#isDone(request, reply)) return undefined;
    this.compared += 1;
    return isSame(reply, await this.#call(probe, twin.request), twin) ? undefined : { probe, twin };
  }

  /**
   * Compares once more, while nobody else does anything. Workers may still move a webhook, whose list then differs from
   * one call to the next: such a comparison is made again.
   */
  async confirm({ probe, twin }: Suspicion): Promise<void> {
    const { request } = probe;
    for (let looks = 0; looks < MOST_LOOKS; looks++) {
      const theirs = await this.#call(probe, request);
      if (this.#isDone(request, theirs)) return;
      if (isSame(theirs, await this.#call(probe, twin.request), twin)) return;
      const again = await this.#call(probe, request);
      if (comparable(again, String) === comparable(theirs, String)) break;
    }
    this.#blame('It answers otherwise than for ids that do not exist', request);
  }

  async #call({ credential }: Probe, request: RandomRequest): Promise<RawReply> {
    const reply = await call(credential, request);
    for (const leak of leaksIn(reply, textOf(request), this.#hers)) this.#blame(`It answers ${leak}`, request);
    const fault = faultIn(request, reply);
    if (fault) this.#blame(fault, request);
    return reply;
  }

  /** Whether a write has succeeded, which cannot be repeated and compared. It must have done so with nothing of hers. */
  #isDone(request: RandomRequest, { status }: RawReply): boolean {
    if (status >= 300) return false;
    if (isWithHers(request, this.#hers)) this.#blame(`It answers ${status}`, request);
    return request.method !== 'GET';
  }

  #blame(fault: string, request: RandomRequest): void {
    this.findings.blame(`${fault}: ${JSON.stringify(request)}`);
  }
}

interface Twin {
  readonly request: RandomRequest;
  /** Puts the ids that do not exist where a text has hers. */
  readonly asMissing: (text: string) => string;
}

/** The same request about things that do not exist; undefined where it names nothing of hers. */
function withMissingIds(request: RandomRequest, { ids }: Possessions): Twin | undefined {
  const missing = new Map<string, string>();
  const asMissing = (text: string) =>
    text.replace(UUID, (id) => {
      if (!ids.has(id.toLowerCase())) return id;
      if (!missing.has(id)) missing.set(id, randomUUID());
      return missing.get(id) ?? id;
    });
  const twin: RandomRequest = JSON.parse(asMissing(JSON.stringify(request)));
  return missing.size > 0 ? { request: twin, asMissing } : undefined;
}

function isSame(theirs: RawReply, missing: RawReply, { asMissing }: Twin): boolean {
  return comparable(theirs, asMissing) === comparable(missing, String);
}

/** Whether a request that succeeds has done something with hers. Lent ids may stand in any text of a body. */
function isWithHers({ method, path, rawBody = '' }: RandomRequest, { ids, lent }: Possessions): boolean {
  const isWrite = method !== 'GET';
  return (
    idsIn(path).some((id) => ids.has(id)) ||
    (isWrite && idsIn(String(rawBody)).some((id) => ids.has(id) && !lent.has(id)))
  );
}

/** They name the request, tell the time and how many requests the key has left, or count the bytes of a compressed body. */
const VOLATILE_HEADERS: ReadonlySet<string> = new Set([
  'x-request-id',
  'apigw-requestid',
  'date',
  'ratelimit',
  'content-length',
]);

/** The id of the job that a refused import leaves in the history: a new one each time. */
const NEW_ID = /(?<="importJobId":")[0-9a-f-]+/;

/** All of an answer that must not depend on whether an id exists. */
function comparable({ status, headers, text }: RawReply, asMissing: (text: string) => string): string {
  const requestId = headers.get('x-request-id') ?? '';
  const kept = [...headers].filter(([name]) => !VOLATILE_HEADERS.has(name));
  return asMissing(JSON.stringify([status, kept, text.replace(requestId, '').replace(NEW_ID, '')]));
}

/** Her texts, ids and cursors in an answer, but for those that the request itself has brought. */
function leaksIn({ headers, text }: RawReply, sent: string, hers: Possessions): string[] {
  const answered = JSON.stringify([...headers]) + text;
  const canaries = [...answered.matchAll(CANARY)].map(([canary]) => canary.toLowerCase());
  const ids = idsIn(answered).filter((id) => hers.ids.has(id));
  const cursors = hers.cursors.filter((cursor) => answered.includes(cursor));
  return [...canaries, ...ids, ...cursors].filter((leak) => !hers.lent.has(leak) && !sent.includes(leak.toLowerCase()));
}

function textOf(request: RandomRequest): string {
  return decodeURIComponentSafely(
    `${urlOf(request.path, request.query).href} ${request.rawBody ?? ''} ${JSON.stringify(request.headers ?? {})}`,
  ).toLowerCase();
}

function decodeURIComponentSafely(text: string): string {
  try {
    return `${text} ${decodeURIComponent(text)}`;
  } catch {
    return text;
  }
}

function probesOf(hers: Possessions, own: Possessions, { users, platformKey }: Callers): fc.Arbitrary<Probe> {
  const hints = hintsOf(hers, own);
  const schemaRequestOf = (endpoint: Endpoint) => schemaRequest(endpoint, pathIds(endpoint, hers, own), hints);
  const bySchema = guarded.map(schemaRequestOf);
  const byAccident = guarded.map((endpoint) => nearMiss(endpoint, hers.lendable));
  const withinBounds = fc.oneof(
    { weight: 4, arbitrary: fc.oneof(...bySchema) },
    { weight: 1, arbitrary: fc.oneof(...byAccident) },
  );
  const user = fc.oneof(...users.map(({ weight, credential }) => ({ weight, arbitrary: fc.constant(credential) })));
  const probe = (credential: fc.Arbitrary<string>, sent: fc.Arbitrary<RandomRequest>, isOutOfBounds: boolean) =>
    fc.record({ credential, request: withForeignHeaders(sent, hers), isOutOfBounds: fc.constant(isOutOfBounds) });
  return fc.oneof(
    { weight: 18, arbitrary: probe(user, withinBounds, false) },
    { weight: 1, arbitrary: probe(user, fc.oneof(...ofPlatform.map(schemaRequestOf)), true) },
    { weight: 1, arbitrary: probe(fc.constant(platformKey), fc.oneof(...bySchema), true) },
  );
}

/** Some have a header that some service somewhere might believe. Ours asks the first of people who have signed in. */
function withForeignHeaders(requests: fc.Arbitrary<RandomRequest>, hers: Possessions): fc.Arbitrary<RandomRequest> {
  const foreign = fc.constantFrom(
    { 'billwright-organization': hers.organizationId },
    { 'x-tenant-id': hers.organizationId },
    { 'x-forwarded-user': hers.userId },
  );
  return fc
    .tuple(requests, fc.option(foreign, { freq: 10 }))
    .map(([request, header]) => ({ ...request, headers: { ...request.headers, ...header } }));
}

/** Mostly hers of the right kind, sometimes of another kind, sometimes her own. */
function pathIds({ path }: Endpoint, hers: Possessions, own: Possessions): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(hers.known.get(path) ?? ['x'])) },
    { weight: 2, arbitrary: fc.constantFrom(...hers.ids) },
    { weight: 2, arbitrary: fc.constantFrom(...(own.known.get(path) ?? ['x'])) },
  );
}

/** Texts that may be stored and answered later have nothing of hers, so that all that comes back has come from her. */
function hintsOf(hers: Possessions, own: Possessions): Hints {
  const idsOf = (name: string) => {
    if (name === 'assignedUserIds') return fc.uuid();
    const [theirs, ours] = [idsFor(name, hers.known), idsFor(name, own.known)];
    return fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...(theirs.length > 0 ? theirs : [...hers.ids])) },
      { weight: 1, arbitrary: ours.length > 0 ? fc.constantFrom(...ours) : fc.uuid() },
    );
  };
  const searched = fc.constantFrom(...[...hers.canaries].slice(0, 50), 'a', '');
  const others = hintsWith(own, idsOf, hers.cursors);
  return (name, schema) => (name === 'q' ? searched : others(name, schema));
}

/** By then, workers have taken what was sent to them. */
const REST_MILLISECONDS = 3_000;

/** All items in the table that tell of an organization, to the letter, under its own keys or those of people. */
async function storedItems(of: User): Promise<string[]> {
  return (await itemsOf(of)).own.map(exactly).sort();
}

async function itemsAtRest(of: User): Promise<string[]> {
  for (let items = await storedItems(of); ; ) {
    await sleep(REST_MILLISECONDS);
    const later = await storedItems(of);
    if (later.join() === items.join()) return items;
    items = later;
  }
}
