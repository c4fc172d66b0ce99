import type { Cloud } from '#scripts/local/cloud.ts';
import { markdownTable } from './markdown.ts';
import { median } from './statistics.ts';
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
  const speeds = await speedsOf(cloud, await operationsOfTeam(cloud, plan), plan);
  const importSeconds: number[] = [];
  while (importSeconds.length < plan.rounds) importSeconds.push(await secondsOfImport(cloud));
  return textOf(plan, speeds, median(importSeconds));
}

interface Speed {
  readonly operation: Operation;
  /** Requests a second, the medians of the rounds. */
  readonly alone: number;
  readonly together: number;
}

/** Operations take turns: a busy moment does not distort just one of them. */
async function speedsOf({ url }: Cloud, operations: readonly Operation[], plan: Plan): Promise<Speed[]> {
  const rates = operations.map((operation) => ({ operation, alone: [] as number[], together: [] as number[] }));
  for (let round = 0; round < plan.rounds; round++) {
    for (const { operation, alone, together } of rates) {
      alone.push(await rateOf(url, 1, operation, plan));
      together.push(await rateOf(url, TOGETHER, operation, plan));
      console.log(`  ${operation.name}: ${alone.at(-1)?.toFixed(1)}, ${together.at(-1)?.toFixed(1)} a second`);
    }
  }
  return rates.map((each) => ({ ...each, alone: median(each.alone), together: median(each.together) }));
}

function textOf(plan: Plan, speeds: readonly Speed[], importSeconds: number): string {
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
    `${describe(plan)} All rates are medians of the rounds; the share is of the rate of GET of one product.`,
    markdownTable(['requests a second', '1 caller', 'share', `${TOGETHER} callers`, 'share'], rows),
    `${TOGETHER} callers of GET of one product get ${gain} times the answers of one. An import of 10,000 rows takes ${importSeconds.toFixed(1)} s.`,
  ].join('\n\n');
}
