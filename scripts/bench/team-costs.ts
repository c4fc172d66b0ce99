import type { Cloud } from '#scripts/local/cloud.ts';
import { DEMO_CREDENTIAL } from '#scripts/local/demo-provider.ts';
import { type Caller, endpointOf, type Input, makeCaller } from './caller.ts';
import type { OperationCost } from './meter.ts';
import { costOfOperation } from './operations.ts';
import { assertOk, type Scenario, scenarioOf } from './scenarios.ts';
import { makeTeam, PRODUCTS, PROJECTS, type TeamPlan } from './team-data.ts';
import { ALL, MONTH, NEW_ENTRY, PRODUCT_SEARCH } from './team-rates.ts';

/** What a team's requests take of the database, on usual days and on days of more and more cells. */

export interface TeamCost {
  readonly name: string;
  /** The cells of a day. */
  readonly cells: number;
  /** Null if no answer came in time. */
  readonly cost: OperationCost | null;
}

/** A cell is one combination of day, project, client, currency, source and whether it is billable. */
const USUAL_CELLS = 50;

const CROWDED: Omit<TeamPlan, 'clients' | 'entries'> = { days: 10, isForAnyClient: true, until: '2025-07-01' };

/**
 * Hundreds of calls side by side also wait for a connection. If they were held up for longer, they would time out. On
 * a busy machine they may time out even so.
 */
const CROWDED_HOLD_UPS_MILLISECONDS = [30, 0, 0, 0];

const CLIENTS_OF_CROWDED = [10, 40];

/** @param team with the usual number of cells */
export async function measureCosts(cloud: Cloud, team: Caller, plan: TeamPlan): Promise<TeamCost[]> {
  const costs = [...(await costsOf(cloud, team, operationsOf(), USUAL_CELLS))];
  costs.push(...(await costsOf(cloud, team, await entryOperations(team, plan), USUAL_CELLS)));
  for (const clients of CLIENTS_OF_CROWDED) {
    const cells = PROJECTS * clients;
    const crowded = { ...CROWDED, clients, entries: cells * CROWDED.days };
    const [caller] = await makeTeam(cloud, crowded);
    costs.push(...(await costsOf(cloud, caller, await entryOperations(caller, crowded), cells)));
  }
  return [...costs, ...(await costsOf(cloud, await importer(cloud), [preview], USUAL_CELLS))];
}

interface Operation {
  readonly name: string;
  readonly operationId: string;
  readonly scenario: Scenario;
}

async function costsOf(cloud: Cloud, by: Caller, operations: readonly Operation[], cells: number): Promise<TeamCost[]> {
  const costs: TeamCost[] = [];
  for (const operation of operations) {
    console.log(`  ${operation.name}, ${cells} cells a day`);
    costs.push({ name: operation.name, cells, cost: await costOf(cloud, by, operation, cells) });
  }
  return costs;
}

async function costOf(cloud: Cloud, by: Caller, { operationId, scenario }: Operation, cells: number) {
  for (const holdUp of cells > USUAL_CELLS ? CROWDED_HOLD_UPS_MILLISECONDS : [undefined]) {
    try {
      return await costOfOperation(cloud, by, endpointOf(operationId), scenario, holdUp);
    } catch (error) {
      console.error(`  with calls held up by ${holdUp ?? 'the usual'} ms: ${error}`);
    }
  }
  return null;
}

function operation(name: string, operationId: string, input: Input = {}): Operation {
  return { name, operationId, scenario: { input: async () => input } };
}

function operationsOf(): Operation[] {
  const usual = (name: string, operationId: string, scenario: Partial<Scenario> = {}) => ({
    name,
    operationId,
    scenario: { ...scenarioOf(endpointOf(operationId)), ...scenario },
  });
  return [
    usual('GET of one product', 'getProduct'),
    operation(`page of 50 of ${PRODUCTS} products`, 'listProducts'),
    operation('search of products', 'searchProducts', { query: PRODUCT_SEARCH }),
    usual('create an entry in a project', 'createEntry', {
      input: async ({ projectIds: [projectId] }) => ({ body: { ...NEW_ENTRY, projectId } }),
    }),
    usual('start a timer', 'startTimer'),
    // The entries are of today: every list would begin with them.
    usual('stop a timer', 'stopTimer', {
      after: (by, { body }) => by.call('deleteEntry', { params: { id: body.data.workEntry.id } }),
    }),
    operation('summary of all', 'summarizeEntries', { query: ALL }),
  ];
}

async function entryOperations(by: Caller, { entries }: TeamPlan): Promise<Operation[]> {
  const { body } = assertOk(await by.call('listClients', { query: { limit: '1' } }));
  const clientId: string = body.data[0].id;
  const [projectId = ''] = by.projectIds;
  const filters = { 'no filter': {}, 'a project': { projectId }, 'a client': { clientId } };
  const pages: Operation[] = [];
  // After the last entry a page only counts.
  for (const [filter, query] of Object.entries(filters)) {
    const listed = assertOk(await by.call('listEntries', { query: { ...query, offset: String(entries) } }));
    pages.push(...pagesOf(filter, query, Math.min(listed.body.meta.total, entries)));
  }
  return [
    ...pages,
    operation("month's summary", 'summarizeEntries', { query: MONTH }),
    operation('search in a month', 'listEntries', { query: { ...MONTH, q: 'item 12' } }),
    operation("billing a client's month", 'createInvoice', {
      body: { clientId, currency: 'USD', issueDate: '2025-07-01', timeEntries: { ...MONTH, groupBy: 'project' } },
    }),
  ];
}

function pagesOf(filter: string, query: Input['query'], total: number): Operation[] {
  return [50, 100].flatMap((limit) => {
    const offsets = { first: 0, middle: Math.floor(total / 2), last: total - limit };
    return Object.entries(offsets).map(([name, offset]) =>
      operation(`${name} page of ${limit}, ${filter}`, 'listEntries', {
        query: { ...query, limit: String(limit), offset: String(offset) },
      }),
    );
  });
}

const preview = operation('preview of 30 days', 'previewRemoteSync', { body: {} });

const MILLISECONDS_PER_DAY = 86_400_000;

/** A caller with an account at the demo provider: part of the work of the last weeks is imported already. */
async function importer(cloud: Cloud): Promise<Caller> {
  const until = new Date(Date.now() + MILLISECONDS_PER_DAY).toISOString().slice(0, 10);
  const by = await makeCaller(cloud, { entries: 3_000, days: 30, projects: PROJECTS, until });
  assertOk(await by.call('connectRemote', { body: DEMO_CREDENTIAL }));
  const { body } = assertOk(await by.call('previewRemoteSync', { body: {} }));
  assertOk(await by.call('confirmRemoteSync', { body: { rows: body.data.rows } }));
  return by;
}
