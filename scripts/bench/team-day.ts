import { v7 as uuidV7 } from 'uuid';
import type { Cloud } from '#scripts/local/cloud.ts';
import { insertClient } from '#shared/data/clients/clients.ts';
import { ensureUser } from '#shared/data/organization/users.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { type Caller, callerWithKey, endpointOf, type Input, newCaller, pathOf } from './caller.ts';
import { IMPORTED_PROJECTS, importAll, importRows } from './import.ts';
import { seed, seedProducts } from './seed.ts';
import { functionOf } from './team-month.ts';
import { drive, type Step } from './traffic.ts';

/** What a team does in a day: many users of one organization, with years of work in many projects. */

const USERS = 20;
const CLIENTS = 20;
const PROJECTS = 50;
const PRODUCTS = 1_000;

export const FULL_SIZE = { entries: 100_000, days: 1_000, until: '2026-01-01' };
export const SAMPLE_SIZE = { entries: 10_000, days: 100, until: '2025-08-01' };

type Size = typeof FULL_SIZE;

export interface Turn {
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export interface Member extends Caller {
  readonly projectId: string;
}

export interface Operation {
  readonly name: string;
  readonly members: readonly Member[];
  /** Of the first step. */
  readonly operationId: string;
  readonly steps: (by: Member) => readonly Step[];
}

type Part = Omit<Operation, 'members'>;

/** A month of the team's work that is not the first, the last or in the middle. */
const MONTH = { dateFrom: '2025-06-01', dateTo: '2025-06-30' };
const ALL = { dateFrom: '2000-01-01', dateTo: '2099-12-31' };

/** Eleven of the thousand products match. */
const PRODUCT_SEARCH = { q: 'product 77' };

/** Before all other work: then no measured list begins with entries that are created meanwhile. */
const NEW_ENTRY = { description: 'New work', durationMinutes: 60, entryDate: '2020-01-06' };

function readsOf({ entries }: Size, productId: string): Part[] {
  const deep = { limit: '100', offset: String(entries / 2) };
  return [
    { name: 'GET of one product', ...reading('getProduct', { params: { id: productId } }) },
    { name: 'list of 100 entries', ...reading('listEntries', { query: { limit: '100' } }) },
    { name: 'deep list of 100', ...reading('listEntries', { query: deep }) },
    { name: 'page of 50 products', ...reading('listProducts', { query: { limit: '50' } }) },
    { name: 'search of products', ...reading('searchProducts', { query: PRODUCT_SEARCH }) },
    { name: "month's summary", ...reading('summarizeEntries', { query: MONTH }) },
    { name: 'summary of all', ...reading('summarizeEntries', { query: ALL }) },
  ];
}

const CREATION: Part = {
  name: 'create an entry in a project',
  operationId: 'createEntry',
  steps: ({ projectId }) => [stepOf('createEntry', { body: { ...NEW_ENTRY, projectId } })],
};

const TIMER_PAIR: Part = {
  name: 'timer pair (start, stop)',
  operationId: 'startTimer',
  steps: ({ projectId }) => [
    stepOf('startTimer', { body: { projectId } }),
    stepOf('stopTimer', { params: { sessionId: '{id}' } }),
  ],
};

function reading(operationId: string, input: Input): Omit<Part, 'name'> {
  return { operationId, steps: () => [stepOf(operationId, input)] };
}

function stepOf(operationId: string, input: Input): Step {
  return { method: endpointOf(operationId).method, path: pathOf(operationId, input), body: input.body };
}

/**
 * Timers run in an organization of their own. They book work of today, thousands of entries within minutes: no team has
 * such a day, and every list would begin with it.
 */
export async function operationsOfTeam(cloud: Cloud, size: Size): Promise<Operation[]> {
  const members = await makeTeam(cloud, size);
  const products = await members[0]?.call('listProducts');
  const ofTeam = [...readsOf(size, products?.body.data[0].id), CREATION].map((part) => ({ ...part, members }));
  return [...ofTeam, { ...TIMER_PAIR, members: await makeTeam(cloud, { ...size, entries: 0, days: 1 }) }];
}

async function makeTeam(cloud: Cloud, size: Size): Promise<Member[]> {
  const { organizationId, userId } = await newCaller(cloud);
  const clients = Array.from({ length: CLIENTS }, (_, i) =>
    newClient({ name: `Client ${i + 1}` }, organizationId, uuidV7(), new Date()),
  );
  for (const client of clients) await insertClient(client, []);
  const userIds: string[] = [];
  for (let i = 1; i <= USERS; i++) userIds.push((await ensureUser(organizationId, `User ${i}`, async () => [])).id);
  const work = { ...size, projects: PROJECTS, userIds, clientIds: clients.map(({ id }) => id) };
  const projects = await seed({ organizationId, userId, ...work });
  await seedProducts({ organizationId, userId, products: PRODUCTS, description: 'By the hour' });
  const members: Member[] = [];
  for (const [position, id] of userIds.entries()) {
    const caller = await callerWithKey(cloud, { organizationId, userId: id });
    members.push({ ...caller, projectId: projects[position]?.id ?? '' });
  }
  return members;
}

export const TOGETHER = 16;

/** Laps a second of so many callers. A busy machine may answer 503, which does not count. */
export async function rateOf(
  url: string,
  crowd: number,
  { members, steps }: Operation,
  { warmUpSeconds, seconds }: Turn,
): Promise<number> {
  const callers = members.slice(0, crowd).map((by) => ({ apiKey: by.apiKey, steps: steps(by) }));
  const laps = await drive({ url, seconds: warmUpSeconds + seconds, callers });
  const refused = laps.find(({ status }) => status >= 300 && status < 500);
  if (refused) throw new Error(`A request was answered ${refused.status}.`);
  const [from, to] = [warmUpSeconds * 1_000, (warmUpSeconds + seconds) * 1_000];
  const isIn = (milliseconds: number) => milliseconds >= from && milliseconds < to;
  return laps.filter((lap) => lap.status < 300 && isIn(lap.endedAfterMilliseconds)).length / seconds;
}

/** Of the first step, whose function is built but that no instance has loaded. */
export async function firstCallMilliseconds(cloud: Cloud, operation: Operation): Promise<number> {
  const { members, operationId, steps } = operation;
  const [member] = members;
  if (!member) throw new Error('A team has members.');
  await cloud.endInstances(functionOf(operationId).name);
  const caller = { apiKey: member.apiKey, steps: steps(member).slice(0, 1) };
  const [lap] = await drive({ url: cloud.url, seconds: 0, callers: [caller] });
  if (!lap || lap.status >= 300) throw new Error(`The first call of ${operationId} was answered ${lap?.status}.`);
  // A timer that the first step has started is stopped.
  await rateOf(cloud.url, 1, operation, { warmUpSeconds: 0, seconds: 0 });
  return lap.milliseconds;
}

export async function secondsOfImport(cloud: Cloud): Promise<number> {
  const by = await newCaller(cloud);
  const { organizationId, userId } = by;
  const nothing = { entries: 0, days: 1, until: '2026-01-01' };
  const projects = await seed({ organizationId, userId, ...nothing, projects: IMPORTED_PROJECTS });
  const projectMapping = Object.fromEntries(projects.map(({ id }, i) => [`Project ${i}`, id]));
  const startedAt = performance.now();
  await importAll(by, { rows: importRows(), projectMapping });
  return (performance.now() - startedAt) / 1_000;
}

export function describe({ entries, days }: Size): string {
  return `An organization with ${entries.toLocaleString('en')} entries of ${days.toLocaleString('en')} days, ${PROJECTS} projects of ${CLIENTS} clients, ${USERS} users and ${PRODUCTS.toLocaleString('en')} products. Callers are a process of their own, and timers run in a second organization of this size without entries; each has a key and, where it writes, a user and a project of its own.`;
}
