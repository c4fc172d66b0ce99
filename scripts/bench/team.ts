import type { Cloud } from '#scripts/local/cloud.ts';
import type { Effort } from './effort.ts';
import { markdownTable } from './markdown.ts';
import { measureCosts, type TeamCost } from './team-costs.ts';
import { makeTeam, TEAM_OF } from './team-data.ts';
import { measureRates, type TeamRate, type TeamRates } from './team-rates.ts';

/** What the service does for a team: how many requests a second, and at which cost. */

export interface Team extends TeamRates {
  readonly costs: readonly TeamCost[];
}

export async function measureTeam(cloud: Cloud, effort: Effort): Promise<Team> {
  const plan = TEAM_OF[effort];
  const callers = await makeTeam(cloud, plan);
  const costs = await measureCosts(cloud, callers[0], plan);
  const rates = await measureRates(cloud, callers, plan, effort);
  return { ...rates, costs };
}

const GAIN_TARGET = 1.5;
const IMPORT_TARGET_SECONDS = 7;

/** As Markdown. */
export function teamText({ product, rates, importSeconds, costs }: Team): string {
  return [
    'An organization with 100,000 entries of 1,000 days, 50 projects of 20 clients, 20 users and 1,000 products. Callers are a process of their own; each has a key and, where it writes, a user and a project of its own. The share is of the rate of GET of one product just before; all are medians of the rounds.',
    markdownTable(
      ['requests a second', '1 caller', 'share', '16 callers', 'share', 'wanted'],
      [productRow(product), ...rates.map(rateRow)],
    ),
    `16 callers of GET of one product get ${product.gain.toFixed(2)} times the answers of one (wanted: ${GAIN_TARGET}). An import of 10,000 rows takes ${importSeconds.toFixed(1)} s (wanted: at most ${IMPORT_TARGET_SECONDS} s).`,
    'Calls to the database, the round trips among them that wait for each other, read units and write units, by the cells of a day: combinations of project, client, currency, source and whether it is billable. Days of more than 50 cells are ten, each with an entry in a cell.',
    costsTable(costs),
  ].join('\n\n');
}

function productRow({ alone, together }: Team['product']): string[] {
  return ['GET of one product', alone.toFixed(1), '', together.toFixed(1), '', ''];
}

function rateRow({ name, target, alone, together }: TeamRate): string[] {
  const cells = [alone, together].flatMap(({ perSecond, share }) => [perSecond.toFixed(1), share.toFixed(2)]);
  return [name, ...cells, String(target)];
}

function costsTable(costs: readonly TeamCost[]): string {
  const sizes = [...new Set(costs.map(({ cells }) => cells))];
  const names = [...new Set(costs.map(({ name }) => name))];
  const rows = names.map((name) => [
    name,
    ...sizes.map((size) => costCell(costs.find((each) => each.name === name && each.cells === size))),
  ]);
  return markdownTable(['calls / round trips / read / write units', ...sizes.map((size) => `${size} cells`)], rows);
}

function costCell(measured: TeamCost | undefined): string {
  if (!measured) return '';
  if (!measured.cost) return 'no answer in time';
  const { databaseCalls, roundTrips, readUnits, writeUnits } = measured.cost;
  return [databaseCalls, roundTrips, readUnits, writeUnits].map((value) => Number(value.toFixed(1))).join(' / ');
}
