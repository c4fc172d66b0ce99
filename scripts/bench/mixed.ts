import type { Cloud } from '#scripts/local/cloud.ts';
import { markdownTable } from './markdown.ts';
import { median } from './statistics.ts';
import {
  describe,
  FULL_SIZE,
  firstCallMilliseconds,
  operationsOfTeam,
  rateOf,
  SAMPLE_SIZE,
  secondsOfImport,
  TOGETHER,
} from './team-day.ts';

/**
 * Requests a second of a team that does something else every two seconds, as a front end's traffic does. No function is
 * warmed up, and whatever starting and loading costs is part of the figures.
 */

const FULL = { ...FULL_SIZE, rounds: 5, warmUpSeconds: 0, seconds: 2 };
const SAMPLE = { ...SAMPLE_SIZE, rounds: 1, warmUpSeconds: 0, seconds: 0.5 };

const CROWDS = [1, TOGETHER];

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  const plan = isSample ? SAMPLE : FULL;
  const operations = (await operationsOfTeam(cloud, plan)).map((operation) => ({
    ...operation,
    first: [] as number[],
    rates: CROWDS.map((): number[] => []),
  }));
  for (let round = 0; round < plan.rounds; round++) {
    for (const [position, callers] of CROWDS.entries()) {
      for (const operation of operations) {
        const rate = await rateOf(cloud.url, callers, operation, plan);
        operation.rates[position]?.push(rate);
        console.log(`  ${operation.name}, ${callers}: ${rate.toFixed(1)} a second`);
      }
    }
  }
  for (let round = 0; round < plan.rounds; round++) {
    for (const operation of operations) operation.first.push(await firstCallMilliseconds(cloud, operation));
  }
  const importSeconds = await secondsOfImport(cloud);
  const rows = operations.map(({ name, first, rates }) => {
    const [alone = Number.NaN, together = Number.NaN] = rates.map(median);
    return [name, median(first).toFixed(0), alone.toFixed(1), together.toFixed(1), (together / alone).toFixed(2)];
  });
  return [
    `${describe(plan)} Every ${plan.seconds} s they do something else: ${plan.rounds} rounds of all operations, with one caller and then with ${TOGETHER}, and nothing is warmed up. All figures are medians of the rounds. The first call, measured after them, is one of a function that is built but that no instance has loaded.`,
    markdownTable(['requests a second', 'first call, ms', '1 caller', `${TOGETHER} callers`, 'gain'], rows),
    `After them, an import of 10,000 rows takes ${importSeconds.toFixed(1)} s.`,
  ].join('\n\n');
}
