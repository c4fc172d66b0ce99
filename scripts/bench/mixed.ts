import type { Cloud } from '#scripts/local/cloud.ts';
import { markdownTable } from './markdown.ts';
import { medianOf } from './statistics.ts';
import { ratesOf } from './team.ts';
import {
  describe,
  FULL_SIZE,
  firstCallMilliseconds,
  operationsOfTeam,
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

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  const plan = isSample ? SAMPLE : FULL;
  const operations = await operationsOfTeam(cloud, plan);
  const alone = await ratesOf(cloud, operations, plan, [1]);
  const together = await ratesOf(cloud, operations, plan, [TOGETHER]);
  const rows: string[][] = [];
  for (const [position, operation] of operations.entries()) {
    const first = await medianOf(plan.rounds, () => firstCallMilliseconds(cloud, operation));
    const [one = Number.NaN, many = Number.NaN] = [alone, together].flatMap((rates) => rates[position]);
    rows.push([operation.name, first.toFixed(0), one.toFixed(1), many.toFixed(1), (many / one).toFixed(2)]);
  }
  const importSeconds = await secondsOfImport(cloud);
  return [
    `${describe(plan)} Every ${plan.seconds} s they do something else: ${plan.rounds} rounds of all operations, with one caller and then with ${TOGETHER}, and nothing is warmed up. All figures are medians of the rounds. The first call, measured after them, is one of a function that is built but that no instance has loaded.`,
    markdownTable(['requests a second', 'first call, ms', '1 caller', `${TOGETHER} callers`, 'gain'], rows),
    `After them, an import of 10,000 rows takes ${importSeconds.toFixed(1)} s.`,
  ].join('\n\n');
}
