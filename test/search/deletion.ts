import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { seed as seedEntries } from '#scripts/bench/seed.ts';
import type { Cloud } from '#scripts/local/cloud.ts';
import { wildcard } from '#scripts/local/wildcard.ts';
import { apiKeyKey, organizationCountKey, personPartitions } from '#shared/data/layout/keys.ts';
import { PLATFORM_ID } from '#shared/domain/keys/platform.ts';
import { leaseEnd, QUIET_SECONDS } from '#shared/domain/organization/deletion.ts';
import type { Client, Reply } from '#test/support/client.ts';
import { giveEverything } from '#test/support/everything.ts';
import { given, type User } from '#test/support/given.ts';
import { newPerson } from '#test/support/person.ts';
import { exactly, scanTable } from '#test/support/table-scan.ts';
import { Dice } from './dice.ts';
import { Findings } from './findings.ts';
import { ENTRIES, REMOTE, TRACKER } from './work/vocabulary.ts';

const ENTRIES_A_DAY = 100;
const PROJECTS = 50;
const UNTIL = '2026-01-01';

/**
 * An organization that has items of every kind, and so many entries, is deleted while its users go on calling, by key and signed in. The worker is killed
 * at random moments, until the organization is a 404. The table is then what it was before the organization came to be, to the letter.
 */
export async function searchDeletion(cloud: Cloud, entries: number, seed: number) {
  const findings = new Findings();
  const platform = await given.platform();
  await giveEverything(await given.user());
  const before = await itemsOfAll();
  const ana = await given.user();
  const callers = await callersOf(ana);
  await giveEverything(ana);
  const days = Math.ceil(entries / ENTRIES_A_DAY);
  const of = { organizationId: ana.organization.id, userId: ana.userId };
  await seedEntries({ ...of, entries, days, projects: PROJECTS, until: UNTIL });
  const items = (await itemsOfAll()).size - before.size;
  const deletion = new Deletion(cloud, platform, ana, findings);
  await Promise.all(callers.map((caller) => deletion.round(caller)));
  const calling = callers.map((caller) => deletion.watch(caller));
  await deletion.begin();
  await sleep(QUIET_SECONDS * 1_000);
  const killer = new Killer(cloud, new Dice(seed), entries);
  const startedAt = performance.now();
  await deletion.end();
  const erasureSeconds = Math.round((performance.now() - startedAt) / 1_000);
  killer.stop();
  await Promise.all(calling);
  const after = await itemsOfAll();
  const changed = [...before].filter((item) => !after.has(item));
  const left = [...after].filter((item) => !before.has(item));
  for (const item of changed) findings.blame(`An item of others has changed: ${item}`);
  for (const item of left) findings.blame(`An item is left: ${item}`);
  if (killer.kills === 0) findings.blame('The worker was never killed');
  findings.blameOverload();
  const { count: requests, outcomes, violations } = findings;
  const { calls, kills } = killer;
  const remains = { itemsLeft: left.length, itemsOfOthers: before.size, itemsOfOthersChanged: changed.length };
  return { entries, items, calls, kills, erasureSeconds, ...remains, requests, outcomes, violations };
}

const PERSON_BUCKETS = wildcard(apiKeyKey(personPartitions).pk);

/**
 * Every item to the letter, but for the number of organizations, the platform's key, which counts its requests, and the
 * buckets of people, which belong to no organization and go after a day.
 */
async function itemsOfAll(): Promise<ReadonlySet<string>> {
  const items = new Set<string>();
  for await (const item of scanTable()) {
    const text = exactly(item);
    const isOfNobody = item.pk === organizationCountKey.pk || PERSON_BUCKETS.test(String(item.pk));
    if (!isOfNobody && !text.includes(PLATFORM_ID)) items.add(text);
  }
  return items;
}

interface Caller {
  readonly by: Client;
  readonly acts: readonly Act[];
  readonly isRefused: (reply: Reply) => boolean;
}

/** Their tokens outlive the search. */
const LONG = { exp: Math.floor(Date.now() / 1_000) + 86_400 };

async function callersOf(ana: User): Promise<Caller[]> {
  const { organization } = ana;
  const isRefusedKey = ({ status }: Reply) => status === 401;
  const isNoMember = ({ body }: Reply) => body.code === 'not_a_member';
  // A function that still knows it tells it that it is no member.
  const isNowhere = (reply: Reply) => isNoMember(reply) || reply.body.code === 'organization_required';
  const named = (await newPerson(organization, 'admin', LONG)).in(organization.id);
  const unnamed = await newPerson(organization, 'member', LONG);
  return [
    { by: await given.user({ organization }), acts: [...ACTS, ...ACTS_OF_ADMINS], isRefused: isRefusedKey },
    { by: await given.user({ organization, role: 'member' }), acts: ACTS, isRefused: isRefusedKey },
    { by: named, acts: [...ACTS, ...ACTS_OF_ADMINS], isRefused: isNoMember },
    { by: unnamed, acts: ACTS, isRefused: isNowhere },
  ];
}

type Act = readonly [name: string, send: (by: Client) => Promise<Reply>];

const ENTRY = { description: 'Work', durationMinutes: 60, entryDate: '2026-11-20' };
const ROWS = [{ date: '2026-11-20', durationMinutes: 60 }];

const ACTS: readonly Act[] = [
  ['me', (by) => by.get('/v1/me')],
  ['list', (by) => by.get(ENTRIES)],
  ['sum', (by) => by.get(`${ENTRIES}/summary`, { dateFrom: '2025-12-01', dateTo: '2025-12-31' })],
  ['book', (by) => by.send('POST', ENTRIES, { body: ENTRY, headers: { 'idempotency-key': randomUUID() } })],
  ['start', (by) => by.post(`${TRACKER}/timer/start`)],
  ['stop', stopTimer],
];

const ACTS_OF_ADMINS: readonly Act[] = [
  ['client', (by) => by.post('/clients', { name: 'Northwind' })],
  ['product', (by) => by.post('/products', { name: 'Consulting', price: '1' })],
  ['rename', (by) => by.patch('/v1/organization', { name: `Organization ${randomUUID()}` })],
  ['user', (by) => by.post('/v1/users', { name: randomUUID(), email: `${randomUUID()}@example.com` })],
  ['key', (by) => by.post('/v1/api-keys', { name: 'Another', scopes: ['products:read'] })],
  ['import', (by) => by.post(`${REMOTE}/sync/confirm`, { rows: ROWS })],
  ['import from anywhere', (by) => by.post(`${TRACKER}/imports`, { origin: 'old-tracker', rows: ROWS })],
];

async function stopTimer(by: Client): Promise<Reply> {
  const active = await by.get(`${TRACKER}/timer/active`);
  return active.body.data ? by.post(`${TRACKER}/timer/${active.body.data.id}/stop`) : active;
}

/** Within them a key or a person is refused everywhere. */
const REFUSAL_MILLISECONDS = 30_000;
const PAUSE_MILLISECONDS = 250;

class Deletion {
  readonly #cloud: Cloud;
  readonly #platform: Client;
  readonly #path: string;
  readonly #findings: Findings;
  #askedAt = Number.POSITIVE_INFINITY;
  #answeredAt = Number.POSITIVE_INFINITY;
  #hasEnded = false;

  constructor(cloud: Cloud, platform: Client, { organization }: User, findings: Findings) {
    this.#cloud = cloud;
    this.#platform = platform;
    this.#path = `/v1/organizations/${organization.id}`;
    this.#findings = findings;
  }

  async watch(caller: Caller): Promise<void> {
    while (!this.#hasEnded) await this.round(caller);
  }

  /** Lets a caller do all that it does, one thing after the other. */
  async round({ by, acts, isRefused }: Caller): Promise<void> {
    for (const [name, send] of acts) {
      const begunAt = performance.now();
      const reply = await send(by);
      const outcome = `${name} ${reply.status} ${reply.body.code ?? ''}`.trim();
      this.#findings.countOutcome(outcome);
      const fault = this.#faultOf(reply, isRefused(reply), begunAt);
      if (fault) this.#findings.blame(`${outcome} ${fault}`);
      await sleep(PAUSE_MILLISECONDS);
    }
  }

  async begin(): Promise<void> {
    this.#askedAt = performance.now();
    const { status } = await this.#platform.delete(this.#path);
    this.#answeredAt = performance.now();
    if (status !== 202) this.#findings.blame(`The deletion answers ${status}`);
  }

  /** Lets the schedule strike until nothing is left, each time after a lease that may have ended with its worker. */
  async end(): Promise<void> {
    let now = new Date();
    while (await this.#isThere()) {
      await this.#cloud.fireSchedule('deletion-scheduler', now);
      await sleep(STRIKE_MILLISECONDS);
      now = new Date(leaseEnd(now));
    }
    this.#hasEnded = true;
  }

  async #isThere(): Promise<boolean> {
    const { status, body } = await this.#platform.get(this.#path);
    if (status === 404) return false;
    if (status !== 200 || body.data.status !== 'deleting')
      this.#findings.blame(`It is shown as ${JSON.stringify(body)}`);
    return true;
  }

  /** @param begunAt when the request was sent */
  #faultOf({ status }: Reply, isRefused: boolean, begunAt: number): string | undefined {
    if (isRefused) return performance.now() < this.#askedAt ? 'before the deletion' : undefined;
    if (begunAt > this.#answeredAt + REFUSAL_MILLISECONDS && status !== 503) return 'long after the deletion';
    return FORESEEN.has(status) ? undefined : 'is no answer to it';
  }
}

/** Callers do one thing at a time, so that none of them is refused for anything but the deletion. */
const FORESEEN: ReadonlySet<number> = new Set([200, 201, 202, 503]);

const STRIKE_MILLISECONDS = 2_000;

/** Kills the worker over and over, at one of its calls, which then takes effect or not. */
class Killer {
  calls = 0;
  kills = 0;
  readonly stop: () => void;

  constructor(cloud: Cloud, dice: Dice, entries: number) {
    const draw = () => 1 + dice.below(2 * (CALLS_OF_A_LIFE + entries / ENTRIES_A_CALL));
    let callsLeft = draw();
    this.stop = cloud.intercept(({ functionName }) => {
      if (!functionName?.endsWith('-erase-organization')) return undefined;
      this.calls += 1;
      callsLeft -= 1;
      if (callsLeft > 0) return undefined;
      callsLeft = draw();
      this.kills += 1;
      void cloud.killInstances('erase-organization');
      return dice.chance(0.5) ? 'drop' : undefined;
    });
  }
}

/** On average. Each worker first looks again at what others have emptied, the more the more days there are. */
const CALLS_OF_A_LIFE = 30;
const ENTRIES_A_CALL = 50;
