import fc from 'fast-check';
import { v7 as uuidV7 } from 'uuid';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createProject } from '#shared/contract/tracker/create-project.ts';
import { insertClient, readClient, removeClient } from '#shared/data/clients/clients.ts';
import { readEntries, readEntry, writeEntries } from '#shared/data/tracker/entries.ts';
import type { StoredEntry } from '#shared/data/tracker/entry-items.ts';
import { readLinks } from '#shared/data/tracker/links.ts';
import { insertProject, readProject, removeProject } from '#shared/data/tracker/projects.ts';
import { readDays } from '#shared/data/tracker/read-segments.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { Problem } from '#shared/domain/problems.ts';
import type { TimeRounding } from '#shared/domain/time-rounding.ts';
import { type Entry, newEntry } from '#shared/domain/tracker/entry.ts';
import { newProject, presentProject } from '#shared/domain/tracker/project.ts';
import type { ProjectTerms } from '#shared/domain/tracker/project-terms.ts';
import { calendarCounts, countDates, ledgerSums, recount, totalsOf } from '#test/support/bulk-entries.ts';
import { draws } from '#test/support/draws.ts';
import { betweenCalls } from '#test/support/interleaving.ts';
import { anyRounding } from '#test/support/rounding.ts';
import { changeStoredEntry, removeStoredEntry } from '#test/support/stored.ts';

/**
 * Whatever happens, and wherever it crashes, every sum that is kept equals a plain recount of the entries. A run does
 * a random sequence of operations in an organization of its own; an operation may crash before or after any of its calls to the
 * table, as a function does that dies, and is not tried again.
 */

const RUNS = draws(4);

class Crash extends Error {}

interface CrashPlan {
  /** Which of the operation's calls to the table it is. */
  readonly call: number;
  /** Whether the table has done what the call asked for. */
  readonly after: boolean;
}

async function crashing(plan: CrashPlan | null, operation: () => Promise<unknown>): Promise<void> {
  let calls = 0;
  const spy = betweenCalls(async (command, send) => {
    const isNow = plan !== null && calls++ === plan.call;
    if (isNow && !plan.after) throw new Crash();
    const output = await send(command);
    if (isNow) throw new Crash();
    return output;
  });
  try {
    await operation();
  } catch (error) {
    if (!(error instanceof Problem || error instanceof Crash)) throw error;
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

  get organization() {
    return { id: this.organizationId };
  }

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

  async addProject(
    currency: string,
    clientId: string | null = null,
    rounding: TimeRounding | null = null,
  ): Promise<void> {
    const id = this.newId();
    this.projectIds.push(id);
    const draft = v.parse(createProject.body, {
      name: id,
      clientId,
      rate: 33.333333,
      currency,
      billable: true,
      rounding,
    });
    await insertProject(newProject(draft, this.owner, id, this.now()), []);
  }

  async addClient(name: string): Promise<void> {
    const id = this.newId();
    this.clientIds.push(id);
    await insertClient(newClient({ name }, this.organizationId, id, this.now()), []);
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

const members = {
  description: fc.constantFrom('alpha', 'beta', 'ALPHA BETA'),
  durationMinutes: fc.integer({ min: 1, max: 3_000 }),
  entryDate: fc.constantFrom(...DATES),
  clock: fc.option(fc.constantFrom({ startTime: '09:00', endTime: '10:30' }, { startTime: '23:00', endTime: '01:00' })),
  billable: fc.boolean(),
  rate: fc.option(fc.constantFrom('0', '19.99', '100', '0.000001', '999999999999')),
  currency: fc.option(fc.constantFrom(...CURRENCIES)),
};

const values = fc.record(members);
const changes = fc.record({ ...members, billedMinutes: fc.constant(null) }, { requiredKeys: [] });

type Values = typeof values extends fc.Arbitrary<infer T> ? T : never;

/** What is null is not sent. */
function bodyOf<Drawn extends Partial<Values>>({ clock, rate, currency, ...rest }: Drawn) {
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
      values: changes,
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
      rounding: anyRounding,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('addClient' as const), name: fc.constantFrom(...CLIENT_NAMES) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeClient' as const), client: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('removeProject' as const), project: pick }) },
);

type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

const crash = fc.option(fc.record({ call: fc.nat({ max: 6 }), after: fc.boolean() }), { freq: 3 });

async function perform(world: World, operation: Operation): Promise<void> {
  const { organizationId } = world;
  switch (operation.kind) {
    case 'create': {
      const id = world.newId();
      world.entryIds.push(id);
      const entry = newEntry(
        { ...bodyOf(operation.values), ...clientOf(world, operation.client) },
        await world.project(operation.project),
        world.owner,
        id,
        world.now(),
      );
      return writeEntries([{ before: null, after: entry }]);
    }
    case 'batch': {
      const project = await world.project(operation.project);
      const entries = operation.values.map((one) =>
        newEntry(bodyOf(one), project, world.owner, world.newId(), world.now()),
      );
      world.entryIds.push(...entries.map(({ id }) => id));
      return writeEntries(entries.map((after) => ({ before: null, after })));
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
      return world.addProject(operation.currency, world.clientId(operation.client), operation.rounding);
    case 'addClient':
      return world.addClient(operation.name);
    case 'removeClient': {
      const id = world.clientId(operation.client);
      const client = id === null ? null : await readClient(organizationId, id).catch(() => null);
      return client ? removeClient(client, []) : undefined;
    }
    case 'removeProject': {
      const id = world.projectId(operation.project);
      const project = id === null ? null : await readProject(organizationId, id).catch(() => null);
      return project ? removeProject(project, []) : undefined;
    }
  }
}

/** An absent member leaves the link to the rules; null unlinks. */
function clientOf(world: World, pick: number | null) {
  return pick === null ? {} : { clientId: world.clientId(pick) };
}

/** Compares everything that is kept with a recount of what the entries say. */
async function compare(world: World): Promise<void> {
  const { organizationId } = world;
  const truth = await world.truth();
  expect(await ledgerSums(world)).toEqual(recount(truth));
  expect(await calendarCounts(world)).toEqual(countDates(truth));
  await compareDays(organizationId, truth);
  const { projects } = await readLinks(organizationId, world.allLinks());
  for (const id of projects.keys()) await compareProject(organizationId, id, truth);
}

/** Each day has the entries as they lie by their ids. */
async function compareDays(organizationId: string, truth: readonly StoredEntry[]): Promise<void> {
  const counts = DATES.map((period) => ({ period, entries: 1 }));
  const onDays = await readDays(organizationId, counts, {});
  expect(new Map(onDays.map((entry) => [entry.id, entry]))).toEqual(new Map(truth.map((entry) => [entry.id, entry])));
}

async function compareProject(organizationId: string, id: string, truth: readonly Entry[]): Promise<void> {
  const project = await readProject(organizationId, id);
  const totals = totalsOf(truth.filter(({ projectId }) => projectId === id));
  expect(presentProject(project)).toEqual(presentProject({ ...project, totals }));
}

describe('ledger, calendar, days and totals of projects', () => {
  it(
    'equal a recount after any sequence of operations and crashes',
    async () => {
      const steps = fc.array(fc.record({ operation, crash }), { minLength: 15, maxLength: 60 });
      const run = async (drawn: typeof steps extends fc.Arbitrary<infer T> ? T : never) => {
        const world = new World();
        await world.addClient('Beta & Co');
        await world.addProject('USD', world.clientId(0), { minutes: 15, mode: 'up', minimumMinutes: 20 });
        await world.addProject('JPY');
        for (const step of drawn) await crashing(step.crash, () => perform(world, step.operation));
        await compare(world);
      };
      await fc.assert(fc.asyncProperty(steps, run), { numRuns: RUNS });
    },
    draws(60_000),
  );
});
