import { v7 as uuidV7 } from 'uuid';
import type { Cloud } from '#scripts/local/cloud.ts';
import { insertClient } from '#shared/data/clients/clients.ts';
import { ensureUser } from '#shared/data/organization/users.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { type Caller, callerWithKey, endpointOf, type Input, newCaller, pathOf } from './caller.ts';
import { IMPORTED_PROJECTS, importAll, importRows } from './import.ts';
import { markdownTable } from './markdown.ts';
import { seed, seedProducts } from './seed.ts';
import { median } from './statistics.ts';
import { drive, type Step } from './traffic.ts';

/** Requests a second of a team: many users of one organization, with years of work in many projects. */

const USERS = 20;
const CLIENTS = 20;
const PROJECTS = 50;
const PRODUCTS = 1_000;

/**
 * An instance answers some hundred requests before its code is compiled. Each operation waits while the six others have
 * their turns. With longer turns, its instances would be idle for so long that the local cloud ends them.
 */
const FULL = { entries: 100_000, days: 1_000, until: '2026-01-01', rounds: 3, warmUpSeconds: 2, seconds: 5 };
const SAMPLE = { entries: 10_000, days: 100, until: '2025-08-01', rounds: 1, warmUpSeconds: 0.5, seconds: 0.5 };

type Plan = typeof FULL;

interface Member extends Caller {
  readonly projectId: string;
}

interface Operation {
  readonly name: string;
  readonly steps: (by: Member) => readonly Step[];
}

/** A month of the team's work that is not the first, the last or in the middle. */
const MONTH = { dateFrom: '2025-06-01', dateTo: '2025-06-30' };
const ALL = { dateFrom: '2000-01-01', dateTo: '2099-12-31' };

/** Eleven of the thousand products match. */
const PRODUCT_SEARCH = { q: 'product 77' };

/** Before all other work: then no measured list begins with entries that are created meanwhile. */
const NEW_ENTRY = { description: 'New work', durationMinutes: 60, entryDate: '2020-01-06' };

function readsOf({ entries }: Plan, productId: string): Operation[] {
  const deep = { limit: '100', offset: String(entries / 2) };
  return [
    { name: 'GET of one product', steps: reading('getProduct', { params: { id: productId } }) },
    { name: 'list of 100 entries', steps: reading('listEntries', { query: { limit: '100' } }) },
    { name: 'deep list of 100', steps: reading('listEntries', { query: deep }) },
    { name: 'page of 50 products', steps: reading('listProducts', { query: { limit: '50' } }) },
    { name: 'search of products', steps: reading('searchProducts', { query: PRODUCT_SEARCH }) },
    { name: "month's summary", steps: reading('summarizeEntries', { query: MONTH }) },
    { name: 'summary of all', steps: reading('summarizeEntries', { query: ALL }) },
  ];
}

const WRITES: readonly Operation[] = [
  {
    name: 'create an entry in a project',
    steps: ({ projectId }) => [stepOf('createEntry', { body: { ...NEW_ENTRY, projectId } })],
  },
  {
    name: 'timer pair (start, stop)',
    steps: ({ projectId }) => [
      stepOf('startTimer', { body: { projectId } }),
      stepOf('stopTimer', { params: { sessionId: '{id}' } }),
    ],
  },
];

function reading(operationId: string, input: Input): Operation['steps'] {
  return () => [stepOf(operationId, input)];
}

function stepOf(operationId: string, input: Input): Step {
  return { method: endpointOf(operationId).method, path: pathOf(operationId, input), body: input.body };
}

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  const plan = isSample ? SAMPLE : FULL;
  const members = await makeTeam(cloud, plan);
  const products = await members[0]?.call('listProducts');
  const reads = readsOf(plan, products?.body.data[0].id);
  // All reads come first: timers book work of today, with which every list would begin.
  const speeds = [...(await speedsOf(cloud, members, reads, plan)), ...(await speedsOf(cloud, members, WRITES, plan))];
  const importSeconds: number[] = [];
  while (importSeconds.length < plan.rounds) importSeconds.push(await secondsOfImport(cloud));
  return textOf(plan, speeds, median(importSeconds));
}

async function makeTeam(cloud: Cloud, { entries, days, until }: Plan): Promise<Member[]> {
  const { organizationId, userId } = await newCaller(cloud);
  const clients = Array.from({ length: CLIENTS }, (_, i) =>
    newClient({ name: `Client ${i + 1}` }, organizationId, uuidV7(), new Date()),
  );
  for (const client of clients) await insertClient(client);
  const userIds: string[] = [];
  for (let i = 1; i <= USERS; i++) userIds.push((await ensureUser(organizationId, `User ${i}`)).id);
  const work = { entries, days, until, projects: PROJECTS, userIds, clientIds: clients.map(({ id }) => id) };
  const projects = await seed({ organizationId, userId, ...work });
  await seedProducts({ organizationId, userId, products: PRODUCTS, description: 'By the hour' });
  const members: Member[] = [];
  for (const [position, id] of userIds.entries()) {
    const caller = await callerWithKey(cloud, { organizationId, userId: id });
    members.push({ ...caller, projectId: projects[position]?.id ?? '' });
  }
  return members;
}

const TOGETHER = 16;

interface Speed {
  readonly operation: Operation;
  /** Requests a second, the medians of the rounds. */
  readonly alone: number;
  readonly together: number;
}

/** Operations take turns: a busy moment does not distort just one of them. */
async function speedsOf(
  { url }: Cloud,
  members: readonly Member[],
  operations: readonly Operation[],
  plan: Plan,
): Promise<Speed[]> {
  const rates = operations.map((operation) => ({ operation, alone: [] as number[], together: [] as number[] }));
  for (let round = 0; round < plan.rounds; round++) {
    for (const { operation, alone, together } of rates) {
      alone.push(await rateOf(url, members.slice(0, 1), operation, plan));
      together.push(await rateOf(url, members.slice(0, TOGETHER), operation, plan));
      console.log(`  ${operation.name}: ${alone.at(-1)?.toFixed(1)}, ${together.at(-1)?.toFixed(1)} a second`);
    }
  }
  return rates.map((each) => ({ ...each, alone: median(each.alone), together: median(each.together) }));
}

/** Laps a second. A busy machine may answer 503, which does not count. */
async function rateOf(
  url: string,
  members: readonly Member[],
  { steps }: Operation,
  { warmUpSeconds, seconds }: Plan,
): Promise<number> {
  const callers = members.map((by) => ({ apiKey: by.apiKey, beginsAfterMilliseconds: 0, steps: steps(by) }));
  const laps = await drive({ url, seconds: warmUpSeconds + seconds, callers });
  const refused = laps.find(({ status }) => status >= 300 && status < 500);
  if (refused) throw new Error(`A request was answered ${refused.status}.`);
  const [from, to] = [warmUpSeconds * 1_000, (warmUpSeconds + seconds) * 1_000];
  const isIn = (milliseconds: number) => milliseconds >= from && milliseconds < to;
  return laps.filter((lap) => lap.status < 300 && isIn(lap.endedAfterMilliseconds)).length / seconds;
}

async function secondsOfImport(cloud: Cloud): Promise<number> {
  const by = await newCaller(cloud);
  const { organizationId, userId } = by;
  const nothing = { entries: 0, days: 1, until: '2026-01-01' };
  const projects = await seed({ organizationId, userId, ...nothing, projects: IMPORTED_PROJECTS });
  const projectMapping = Object.fromEntries(projects.map(({ id }, i) => [`Project ${i}`, id]));
  const startedAt = performance.now();
  await importAll(by, { rows: importRows(), projectMapping });
  return (performance.now() - startedAt) / 1_000;
}

function textOf({ entries, days }: Plan, speeds: readonly Speed[], importSeconds: number): string {
  const [product = { alone: Number.NaN, together: Number.NaN }] = speeds;
  const rows = speeds.map(({ operation, alone, together }) => [
    operation.name,
    alone.toFixed(1),
    (alone / product.alone).toFixed(2),
    together.toFixed(1),
    (together / product.together).toFixed(2),
  ]);
  const gain = (product.together / product.alone).toFixed(2);
  return [
    `An organization with ${entries.toLocaleString('en')} entries of ${days.toLocaleString('en')} days, ${PROJECTS} projects of ${CLIENTS} clients, ${USERS} users and ${PRODUCTS.toLocaleString('en')} products. Callers are a process of their own; each has a key and, where it writes, a user and a project of its own. All rates are medians of the rounds; the share is of the rate of GET of one product.`,
    markdownTable(['requests a second', '1 caller', 'share', `${TOGETHER} callers`, 'share'], rows),
    `${TOGETHER} callers of GET of one product get ${gain} times the answers of one. An import of 10,000 rows takes ${importSeconds.toFixed(1)} s.`,
  ].join('\n\n');
}
