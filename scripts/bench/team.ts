import type { Cloud } from '#scripts/local/cloud.ts';
import { markdownTable } from './markdown.ts';
import { median, medianOf } from './statistics.ts';
import {
  describe,
  FULL_SIZE,
  type Operation,
  operationsOfTeam,
  rateOf,
  SAMPLE_SIZE,
  secondsOfImport,
  TOGETHER,
} from './team-day.ts';

/** Requests a second of a team, each operation by itself with functions that are warm. */

/**
 * An instance answers some hundred requests before its code is compiled. Each operation waits while the eight others have
 * their turns. With longer turns, its instances would be idle for so long that the local cloud ends them.
 */
const FULL = { ...FULL_SIZE, rounds: 3, warmUpSeconds: 2, seconds: 4 };
const SAMPLE = { ...SAMPLE_SIZE, rounds: 1, warmUpSeconds: 0.5, seconds: 0.5 };

type Plan = typeof FULL;

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  const plan = isSample ? SAMPLE : FULL;
  const operations = await operationsOfTeam(cloud, plan);
  const rates = await ratesOf(cloud, operations, plan, [1, TOGETHER]);
  const importSeconds = await medianOf(plan.rounds, () => secondsOfImport(cloud));
  const [product = []] = rates;
  const cellsOf = (rate: number, crowd: number) => [
    rate.toFixed(1),
    (rate / (product[crowd] ?? Number.NaN)).toFixed(2),
  ];
  const rows = operations.map(({ name }, position) => [name, ...(rates[position] ?? []).flatMap(cellsOf)]);
  const [alone = Number.NaN, together = Number.NaN] = product;
  return [
    `${describe(plan)} All rates are medians of the rounds; the share is of the rate of GET of one product.`,
    markdownTable(['requests a second', '1 caller', 'share', `${TOGETHER} callers`, 'share'], rows),
    `${TOGETHER} callers of GET of one product get ${(together / alone).toFixed(2)} times the answers of one. An import of 10,000 rows takes ${importSeconds.toFixed(1)} s.`,
  ].join('\n\n');
}

/**
 * Operations take turns: a busy moment does not distort just one of them.
 *
 * @returns requests a second of each operation by each crowd, the medians of the rounds
 */
export async function ratesOf(
  { url }: Cloud,
  operations: readonly Operation[],
  plan: Plan,
  crowds: readonly number[],
): Promise<number[][]> {
  const rates = operations.map((operation) => ({ operation, ofCrowds: crowds.map((): number[] => []) }));
  for (let round = 0; round < plan.rounds; round++) {
    for (const { operation, ofCrowds } of rates) {
      for (const [position, crowd] of crowds.entries()) {
        const rate = await rateOf(url, crowd, operation, plan);
        ofCrowds[position]?.push(rate);
        console.log(`  ${operation.name}, ${crowd}: ${rate.toFixed(1)} a second`);
      }
    }
  }
  return rates.map(({ ofCrowds }) => ofCrowds.map(median));
}
