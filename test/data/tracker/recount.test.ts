import fc from 'fast-check';
import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { createProject } from '#shared/contract/tracker/projects.ts';
import { insertClient, readClient, removeClient } from '#shared/data/clients/clients.ts';
import { database } from '#shared/data/table/database.ts';
import { readCalendarDays, readCalendarMonths } from '#shared/data/tracker/calendar.ts';
import { readDay } from '#shared/data/tracker/day-entries.ts';
import { readEntries, readEntry, writeEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { readEntryList } from '#shared/data/tracker/entry-list.ts';
import type { EntryFilter } from '#shared/data/tracker/entry-search.ts';
import { readAmounts, readDays, readMonths, type Sums, spanOf } from '#shared/data/tracker/ledger-reading.ts';
import { readLinks } from '#shared/data/tracker/links.ts';
import { insertProject, readProject, removeProject } from '#shared/data/tracker/projects.ts';
import { readSummaryCells } from '#shared/data/tracker/summary-cells.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { monthOf } from '#shared/domain/date-range.ts';
import { Problem } from '#shared/domain/problems.ts';
import { amountMinorOf, type Entry, newEntry } from '#shared/domain/tracker/entry.ts';
import { type LinkNames, withoutDeadLinks } from '#shared/domain/tracker/present-entry.ts';
import { newProject } from '#shared/domain/tracker/project.ts';
import type { ProjectTerms } from '#shared/domain/tracker/project-terms.ts';
import { summarize } from '#shared/domain/tracker/summary.ts';
import { GROUPINGS, type GroupedCell, type Grouping, groupCells } from '#shared/domain/tracker/summary-groups.ts';
import { draws } from '#test/support/search.ts';
import { changeStoredEntry, removeStoredEntry } from '#test/support/stored.ts';

/**
 * Whatever happens, and wherever it crashes, every total, every summary and every page equals a plain recount of the entries. A run does
 * a random sequence of operations in an organization of its own; an operation may crash before or after any of its calls to the
 * table, as a function does that dies, and is not tried again.
 */

const RUNS = draws(8, 50);
const figures = { sequences: 0, operations: 0, crashes: 0, refusals: 0, comparisons: 0, divergences: 0 };

class Crash extends Error {}

interface CrashPlan {
  /** Which of the operation's calls to the table it is. */
  readonly call: number;
  /** Whether the table has done what the call asked for. */
  readonly after: boolean;
}

async function crashing(plan: CrashPlan | null, operation: () => Promise<unknown>): Promise<void> {
  const send = database.send.bind(database);
  let calls = 0;
  const spy = vi.spyOn(database, 'send').mockImplementation(async (command: Parameters<typeof send>[0]) => {
    const isNow = plan !== null && calls++ === plan.call;
    if (isNow && !plan.after) throw new Crash();
    const output = await send(command);
    if (isNow) throw new Crash();
    return output;
  });
  try {
    await operation();
  } catch (error) {
    if (error instanceof Problem) figures.refusals += 1;
    else if (error instanceof Crash) figures.crashes += 1;
    else throw error;
  } finally {
    spy.mockRestore();
  }
}

const DATES = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01', '2026-02-02', '2026-05-31'];
const CURRENCIES = ['USD', 'JPY', 'BHD'];
const CLIENT_NAMES = ['Beta & Co', 'Gamma'];

/** The state of one run: only what a caller would know; what is true is read from the table. */
class World {
  readonly owner = { organizationId: uuidV7(), userId: uuidV7(), currency: 'USD' };
  readonly projectIds: string[] = [];
  readonly clientIds: string[] = [];
  readonly entryIds: string[] = [];
  #clock = Date.parse('2026-03-01T00:00:00.000Z');

  get organizationId(): string {
    return this.owner.organizationId;
  }

  /** Every operation has a moment of its own, so that the order of creation is known. */
  now(): Date {
    this.#clock += 1_000;
    return new Date(this.#clock);
  }

  newId(): string {
    return uuidV7({ msecs: this.#clock });
  }

  async addProject(currency: string, clientId: string | null = null): Promise<void> {
    const id = this.newId();
    this.projectIds.push(id);
    const draft = v.parse(createProject.body, { name: id, clientId, rate: 33.333333, currency, billable: true });
    await insertProject(newProject(draft, this.owner, id, this.now()));
  }

  async addClient(name: string): Promise<void> {
    const id = this.newId();
    this.clientIds.push(id);
    await insertClient(newClient({ name }, this.organizationId, id, this.now()));
  }

  /** A client by any number, or none; it may be deleted already. */
  clientId(pick: number): string | null {
    return this.clientIds[pick % (this.clientIds.length + 1)] ?? null;
  }

  /** A project by any number, or none; it may be deleted already. */
  projectId(pick: number): string | null {
    return this.projectIds[pick % (this.projectIds.length + 1)] ?? null;
  }

  async project(pick: number): Promise<ProjectTerms | null> {
    const id = this.projectId(pick);
    if (id === null) return null;
    const { projects } = await readLinks(this.organizationId, [{ projectId: id, clientId: null }]);
    return projects.get(id) ?? null;
  }

  async entry(pick: number): Promise<StoredEntry | undefined> {
    const id = this.entryIds[pick % Math.max(1, this.entryIds.length)];
    return id === undefined ? undefined : readEntry(this.organizationId, id).catch(() => undefined);
  }

  allLinks() {
    return [
      ...this.projectIds.map((projectId) => ({ projectId, clientId: null })),
      ...this.clientIds.map((clientId) => ({ projectId: null, clientId })),
    ];
  }

  /** All entries that the table holds. */
  async truth(): Promise<StoredEntry[]> {
    return readEntries(this.organizationId, this.entryIds);
  }
}

const pick = fc.nat({ max: 1_000 });

const values = fc.record({
  description: fc.constantFrom('alpha', 'beta', 'ALPHA BETA'),
  durationMinutes: fc.integer({ min: 1, max: 3_000 }),
  entryDate: fc.constantFrom(...DATES),
  clock: fc.option(fc.constantFrom({ startTime: '09:00', endTime: '10:30' }, { startTime: '23:00', endTime: '01:00' })),
  billable: fc.boolean(),
  rate: fc.option(fc.constantFrom('0', '19.99', '100', '0.000001', '999999999999')),
  currency: fc.option(fc.constantFrom(...CURRENCIES)),
});

type Values = typeof values extends fc.Arbitrary<infer T> ? T : never;

interface Wished {
  readonly description?: string;
  readonly durationMinutes?: number;
  readonly entryDate?: string;
  readonly clock?: { readonly startTime: string; readonly endTime: string } | null;
  readonly billable?: boolean;
  readonly rate?: string | null;
  readonly currency?: string | null;
}

function bodyOf({ clock, rate, currency, ...rest }: Wished) {
  return { ...rest, ...(clock ?? {}), ...(rate != null && { rate }), ...(currency != null && { currency }) };
}

const operation = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('create' as const), values, project: pick, client: fc.option(pick) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      entry: pick,
      values: fc.record(changeable(), { requiredKeys: [] }),
      project: fc.option(pick),
      client: fc.option(pick),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), entry: pick }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      values: fc.array(values, { minLength: 2, maxLength: 30 }),
      project: pick,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('addProject' as const),
      currency: fc.constantFrom(...CURRENCIES),
      client: pick,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('addClient' as const), name: fc.constantFrom(...CLIENT_NAMES) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeClient' as const), client: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeProject' as const), project: pick }) },
);

function changeable() {
  return {
    description: fc.constantFrom('alpha', 'beta'),
    durationMinutes: fc.integer({ min: 1, max: 3_000 }),
    entryDate: fc.constantFrom(...DATES),
    clock: fc.constantFrom({ startTime: '08:00', endTime: '12:00' }),
    billable: fc.boolean(),
    rate: fc.constantFrom('0', '50', '7.77'),
    currency: fc.constantFrom(...CURRENCIES),
  };
}

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const crash = fc.option(fc.record({ call: fc.nat({ max: 6 }), after: fc.boolean() }), { freq: 3 });

async function perform(world: World, operation: Operation): Promise<void> {
  const { organizationId } = world;
  switch (operation.kind) {
    case 'create': {
      const id = world.newId();
      world.entryIds.push(id);
      const entry = newEntry(
        { ...bodyOfNew(operation.values), ...clientOf(world, operation.client) },
        await world.project(operation.project),
        world.owner,
        id,
        world.now(),
      );
      return writeEntries(organizationId, [{ before: null, after: entry }]);
    }
    case 'batch': {
      const project = await world.project(operation.project);
      const entries = operation.values.map((one) =>
        newEntry(bodyOfNew(one), project, world.owner, world.newId(), world.now()),
      );
      world.entryIds.push(...entries.map(({ id }) => id));
      return writeEntries(
        organizationId,
        entries.map((after) => ({ before: null, after })),
      );
    }
    case 'change': {
      const entry = await world.entry(operation.entry);
      if (!entry) return;
      const project = operation.project === null ? undefined : ((await world.project(operation.project))?.id ?? null);
      const now = world.now();
      const links = { projectId: project, ...clientOf(world, operation.client) };
      await changeStoredEntry(entry, { ...bodyOf(operation.values), ...links }, now);
      return;
    }
    case 'remove': {
      const entry = await world.entry(operation.entry);
      return entry && removeStoredEntry(entry);
    }
    case 'addProject':
      return world.addProject(operation.currency, world.clientId(operation.client));
    case 'addClient':
      return world.addClient(operation.name);
    case 'removeClient': {
      const id = world.clientId(operation.client);
      const client = id === null ? null : await readClient(organizationId, id).catch(() => null);
      return client ? removeClient(client) : undefined;
    }
    case 'removeProject': {
      const id = world.projectId(operation.project);
      const project = id === null ? null : await readProject(organizationId, id).catch(() => null);
      return project ? removeProject(project) : undefined;
    }
  }
}

function bodyOfNew(one: Values) {
  const { description, durationMinutes, entryDate, billable } = one;
  return { ...bodyOf(one), description, durationMinutes, entryDate, billable };
}

/** An absent member leaves the link to the rules; null unlinks. */
function clientOf(world: World, pick: number | null) {
  return pick === null ? {} : { clientId: world.clientId(pick) };
}

const sumsOf = (entries: readonly Entry[], keyOf: (entry: Entry) => string) => {
  const sums: Record<string, [number, number, bigint]> = {};
  for (const entry of entries) {
    const [count, minutes, amount] = sums[keyOf(entry)] ?? [0, 0, 0n];
    sums[keyOf(entry)] = [count + 1, minutes + entry.durationMinutes, amount + amountMinorOf(entry)];
  }
  return sums;
};

const amountsOf = ({ entries, minutes, amountMinor }: Sums) => [entries, minutes, amountMinor];

type Dimensioned = Pick<Entry, 'projectId' | 'clientId' | 'currency' | 'source' | 'billable'>;

const cellName = (
  date: string,
  { projectId, clientId, currency, source, billable }: Omit<Dimensioned, 'source'> & { source: string },
) => [date, projectId, clientId, currency, source, billable].join('|');

async function compare(...comparison: Parameters<typeof compareAll>): Promise<void> {
  try {
    await compareAll(...comparison);
  } catch (error) {
    figures.divergences += 1;
    throw error;
  }
}

/** Compares everything that is kept with a recount of what the entries say. */
async function compareAll(
  world: World,
  filters: readonly { filter: EntryFilter; groupings: readonly Grouping[]; offset: number; limit: number }[],
): Promise<void> {
  const { organizationId } = world;
  const truth = await world.truth();
  const ledger = await readDays(organizationId, {});
  const kept = Object.fromEntries(ledger.map((cell) => [cellName(cell.date, cell.dimensions), amountsOf(cell)]));
  expect(kept).toEqual(sumsOf(truth, (entry) => cellName(entry.entryDate, entry)));
  const months = await readMonths(organizationId, ALL_MONTHS);
  const ofMonths = Object.fromEntries(months.map((cell) => [cellName(cell.month, cell.dimensions), amountsOf(cell)]));
  expect(ofMonths).toEqual(sumsOf(truth, (entry) => cellName(monthOf(entry.entryDate), entry)));
  await compareDays(organizationId, truth);

  const links = await readLinks(organizationId, world.allLinks());
  for (const id of links.projects.keys()) await compareProject(organizationId, id, truth);
  const visible = truth.map((entry) => withoutDeadLinks(entry, links));
  const names = new Map([...links.projects].map(([id, { name }]) => [id, name]));
  for (const { filter, groupings, offset, limit } of filters) {
    const { from, to } = filter;
    const inRange = visible.filter((entry) => isMatch(entry, { from, to }, links));
    compareSummary(inRange, await readAmounts(organizationId, spanOf({ from, to })), names);
    const cells = await readSummaryCells(organizationId, spanOf({ from, to }), groupings);
    const groupNames = { ...links, users: new Map([[world.owner.userId, { name: 'Ana' }]]) };
    expect(groupCells(cells, groupings, groupNames)).toEqual(
      groupCells(inRange.map(wholeCellOf), groupings, groupNames),
    );
    const expected = visible.filter((entry) => isMatch(entry, filter, links)).sort(newestFirst);
    const { items, total } = await readEntryList(organizationId, filter, offset, limit);
    expect(total).toBe(expected.length);
    expect(items.map(({ id }) => id)).toEqual(expected.slice(offset, offset + limit).map(({ id }) => id));
    figures.comparisons += 1;
  }
}

/** An entry with all that it can be grouped by. */
const wholeCellOf = (entry: Entry): GroupedCell => ({
  dimensions: entry,
  minutes: entry.durationMinutes,
  amountMinor: amountMinorOf(entry),
  period: entry.entryDate,
  userId: entry.userId,
});

const ALL_MONTHS = { from: '0000-01', to: '9999-12' };

/** The calendar counts each day and month, and each day has the entries as they lie by their ids. */
async function compareDays(organizationId: string, truth: readonly StoredEntry[]): Promise<void> {
  const countBy = (periodOf: (date: string) => string) =>
    Object.fromEntries(
      [...Map.groupBy(truth, ({ entryDate }) => periodOf(entryDate))].map(([period, { length }]) => [period, length]),
    );
  const days = await readCalendarDays(organizationId, spanOf({}));
  const months = await readCalendarMonths(organizationId, ALL_MONTHS);
  expect(sumsBy(days.map(({ date, entries }) => [date, entries]))).toEqual(countBy((date) => date));
  expect(sumsBy(months.map(({ month, entries }) => [month, entries]))).toEqual(countBy(monthOf));
  const onDays = await Promise.all(DATES.map((date) => readDay(organizationId, date, [{ date, entries: 1 }], {})));
  expect(new Map(onDays.flat().map((entry) => [entry.id, entry]))).toEqual(
    new Map(truth.map((entry) => [entry.id, entry])),
  );
}

/** The sums that are not zero. */
function sumsBy(counts: readonly (readonly [period: string, count: number])[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [period, count] of counts) sums.set(period, (sums.get(period) ?? 0) + count);
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0));
}

async function compareProject(organizationId: string, id: string, truth: readonly Entry[]): Promise<void> {
  const { totals } = await readProject(organizationId, id);
  const own = truth.filter(({ projectId }) => projectId === id);
  const minutes = (entries: readonly Entry[]) => entries.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);
  const amounts = Object.entries(
    sumsOf(
      own.filter(({ billable }) => billable),
      ({ currency }) => currency,
    ),
  ).map(([currency, [, , amount]]) => [currency, amount]);
  expect(totals.totalMinutes).toBe(minutes(own));
  expect(totals.billableMinutes).toBe(minutes(own.filter(({ billable }) => billable)));
  const nonZero = (entries: [string, bigint][]) => Object.fromEntries(entries.filter(([, amount]) => amount !== 0n));
  expect(nonZero(Object.entries(totals.amountsMinor))).toEqual(nonZero(amounts as [string, bigint][]));
  figures.comparisons += 1;
}

function compareSummary(visible: readonly Entry[], sums: readonly Sums[], names: ReadonlyMap<string, string>): void {
  const summary = summarize(sums, names, 'USD');
  const billable = visible.filter((entry) => entry.billable);
  const minutes = (entries: readonly Entry[]) => entries.reduce((sum, { durationMinutes }) => sum + durationMinutes, 0);
  expect(summary.trackedMinutes).toBe(minutes(visible));
  expect(summary.totalMinutes).toBe(minutes(billable));
  for (const { projectId, currency, trackedMinutes } of summary.byProject) {
    expect(trackedMinutes).toBe(
      minutes(visible.filter((entry) => entry.projectId === projectId && entry.currency === currency)),
    );
  }
  figures.comparisons += 1;
}

function isMatch(entry: Entry, filter: EntryFilter, links: LinkNames): boolean {
  const { from, to, projectId, clientId, source, billable, q, userId, billingStatus } = filter;
  const label = entry.clientId === null ? entry.clientLabel : links.clients.get(entry.clientId)?.name;
  return (
    (from === undefined || entry.entryDate >= from) &&
    (to === undefined || entry.entryDate <= to) &&
    (projectId === undefined || entry.projectId === projectId) &&
    (clientId === undefined || entry.clientId === clientId) &&
    (source === undefined || entry.source === source) &&
    (billable === undefined || entry.billable === billable) &&
    (userId === undefined || entry.userId === userId) &&
    (billingStatus === undefined || (entry.billable ? 'unbilled' : 'non_billable') === billingStatus) &&
    (q === undefined || [entry.description, label ?? ''].some((text) => text.toLowerCase().includes(q.toLowerCase())))
  );
}

function newestFirst(one: Entry, other: Entry): number {
  const key = ({ entryDate, startedAt, createdAt, id }: Entry) => [entryDate, startedAt ?? '', createdAt, id].join('#');
  return key(one) < key(other) ? 1 : -1;
}

const filters = fc.array(
  fc.record({
    filter: fc.record(
      {
        from: fc.constantFrom(...DATES.slice(0, 3)),
        to: fc.constantFrom(...DATES.slice(2)),
        billable: fc.boolean(),
        source: fc.constantFrom('native_tracker', 'remote_api'),
        billingStatus: fc.constantFrom('unbilled', 'non_billable', 'invoiced'),
        q: fc.constantFrom('alpha', 'BETA', 'gamma', '& co'),
      },
      { requiredKeys: [] },
    ),
    groupings: fc.shuffledSubarray([...GROUPINGS], { minLength: 1, maxLength: 2 }),
    project: fc.option(pick),
    client: fc.option(pick),
    offset: fc.nat({ max: 40 }),
    limit: fc.integer({ min: 1, max: 20 }),
  }),
  { minLength: 3, maxLength: 6 },
);

describe('totals, summaries and pages', () => {
  it('equal a recount after any sequence of operations and crashes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ operation, crash }), { minLength: 15, maxLength: 60 }),
        filters,
        async (steps, wanted) => {
          const world = new World();
          await world.addClient('Beta & Co');
          await world.addProject('USD', world.clientId(0));
          await world.addProject('JPY');
          for (const step of steps) {
            await crashing(step.crash, () => perform(world, step.operation));
            figures.operations += 1;
          }
          const views = wanted.map(({ project, client, filter, ...page }) => {
            const projectId = project === null ? null : world.projectId(project);
            const clientId = client === null ? null : world.clientId(client);
            const links = { ...(projectId !== null && { projectId }), ...(clientId !== null && { clientId }) };
            return { ...page, filter: { ...filter, ...links } };
          });
          await compare(world, [{ filter: {}, groupings: ['user', 'day'], offset: 0, limit: 200 }, ...views]);
          figures.sequences += 1;
        },
      ),
      { numRuns: RUNS },
    );
  }, 180_000);

  afterAll(() => console.log('recount:', JSON.stringify(figures)));
});
