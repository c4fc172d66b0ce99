import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dearestText } from './dearest.ts';
import { PROJECTS, type Reading } from './growth.ts';
import { countOverBudget, LOAD_BUDGET } from './load-time.ts';
import { markdownTable } from './markdown.ts';
import type { OperationFigures } from './operations.ts';
import { ASSUMED, PRICES, priceOfOperation } from './prices.ts';
import type { Measured, Part, Results } from './results.ts';
import { rushText } from './rush.ts';
import { teamText } from './team.ts';

const REPORT = join(import.meta.dirname, 'REPORT.md');

const FIGURES = join(import.meta.dirname, '../../dist/bench');

/**
 * Stores the figures of a part as JSON in `dist/bench`. Unless they are a sample, they also become the part's
 * section of the report.
 */
export function keep<P extends Part>(part: P, measured: Measured<Results[P]>): void {
  const section = sectionOf(part, measured);
  console.log(section);
  mkdirSync(FIGURES, { recursive: true });
  writeFileSync(join(FIGURES, `${part}.json`), `${JSON.stringify(measured, null, 2)}\n`);
  if (measured.effort === 'full') writeFileSync(REPORT, withSection(readFileSync(REPORT, 'utf8'), section));
}

/** The report with the section in place of the section of the same title, or at the end if there is none. */
export function withSection(report: string, section: string): string {
  const [title = ''] = section.split('\n', 1);
  const sections = report.trimEnd().split(/\n(?=## )/);
  const position = sections.findIndex((each) => each.startsWith(`${title}\n`));
  const others = position < 0 ? [...sections, section] : sections.with(position, `${section}\n`);
  return `${others.join('\n').trimEnd()}\n`;
}

type Describe = { readonly [P in Part]: { readonly title: string; readonly text: (result: Results[P]) => string } };

const parts: Describe = {
  operations: { title: 'Operations', text: operationsText },
  dearest: { title: 'The dearest requests', text: dearestText },
  growth: { title: 'Growth', text: growthText },
  team: { title: 'A team', text: teamText },
  rush: { title: 'Many at once', text: rushText },
  importUnits: { title: 'What an import takes of the table', text: importUnitsText },
  loadTimes: { title: 'Bundles and cold loads', text: loadTimesText },
  startUp: { title: 'Start of the local cloud', text: startUpText },
};

export function sectionOf<P extends Part>(part: P, measured: Measured<Results[P]>): string {
  const { title, text } = parts[part];
  return [`## ${title}`, text(measured.result), circumstances(measured)].join('\n\n');
}

function circumstances({ at, effort, seconds, load, processors, machine }: Measured<unknown>): string {
  const [before, after] = load.map((average) => average.toFixed(1));
  const sample = effort === 'sample' ? ' Only a sample: its times say nothing.' : '';
  return `*${at.slice(0, 16).replace('T', ' ')} UTC, in ${seconds.toFixed(0)} s. ${machine}, ${processors} processors; load average ${before} before and ${after} after.${sample}*`;
}

function operationsText({ measured, unmeasured }: Results['operations']): string {
  return [
    'What the deployed function of each operation does on the local cloud, in an organization with 100,000 entries of a year in 10 projects, and some products, clients and invoices; 16 callers are of 16 organizations, the others with 1,000 entries. Clients, gateway, functions and database share the processors. The p99 of one caller is the second slowest of 100 requests, or the slowest of 20 where they are long. Requests a second are the callers divided by the mean latency.',
    'Round trips to the database are those that wait for each other, of all calls: a list of entries over more than three months asks in which months its page lies, then in which days of these, and then reads these days side by side, which makes three however many calls there are. The lease of rate-limit tokens is not among the units; the price has it. What is left to workers is not among them. A request with an `Idempotency-Key` takes 3 write units and a round trip more (`test/data/capacity.test.ts`); one without takes nothing more.',
    markdownTable(
      [
        'operation',
        'round trips (calls)',
        'read units',
        'write units',
        'p50 / p99 ms, 1 caller',
        'requests/s',
        'p50 / p99 ms, 16 callers',
        'requests/s',
        '$ per million',
      ],
      measured.map(operationRow),
    ),
    ...unmeasured.map(({ operationId, reason }) => `\`${operationId}\` was not measured: ${reason}.`),
    `List prices of ${PRICES.region} as of ${PRICES.asOf}, to be checked: DynamoDB on demand $${PRICES.millionWriteUnits} and $${PRICES.millionReadUnits} per million write and read units, Lambda arm64 $${PRICES.lambdaGigabyteSecond} per GB-s and $${PRICES.millionLambdaRequests} per million, HTTP API $${PRICES.millionHttpApiRequests}, SQS FIFO $${PRICES.millionFifoMessages}, KMS $${PRICES.millionKmsRequests} per million, logs $${PRICES.logGigabyte} per GB. Assumed: ${ASSUMED.logKilobytes} KB of logs a request, ${ASSUMED.leaseWriteUnits} write units for its authentication, and ${ASSUMED.computeMilliseconds} ms of Lambda and ${ASSUMED.roundTripMilliseconds} more for each round trip to the database, or the p50 of one caller where that is longer.`,
  ].join('\n\n');
}

function operationRow(figures: OperationFigures): string[] {
  const { operationId, cost, alone, together } = figures;
  return [
    `\`${operationId}\``,
    `${cost.roundTrips} (${cost.databaseCalls})`,
    String(cost.readUnits),
    String(cost.writeUnits),
    `${alone.p50Milliseconds.toFixed(1)} / ${alone.p99Milliseconds.toFixed(1)}`,
    alone.throughput.toFixed(0),
    `${together.p50Milliseconds.toFixed(1)} / ${together.p99Milliseconds.toFixed(1)}`,
    together.throughput.toFixed(0),
    priceOfOperation(figures).total.toFixed(2),
  ];
}

function growthText(growths: Results['growth']): string {
  return [
    `An organization with ${PROJECTS} projects and entries spread evenly over days. \`list\`, \`deep list\` (from the middle on), \`summary\` and \`list of a project\` are of the last year; the others have no range of dates. A page has 50 entries. Cells: round trips (calls), read units, median milliseconds of one caller.`,
    markdownTable(
      ['entries', 'days', ...(growths[0]?.readings ?? []).map(({ name }) => name)],
      growths.map(({ entries, days, readings }) => [
        entries.toLocaleString('en'),
        days.toLocaleString('en'),
        ...readings.map(readingCell),
      ]),
    ),
    `Filling took ${growths.map(({ entries, seedSeconds }) => `${seedSeconds.toFixed(0)} s for ${entries.toLocaleString('en')}`).join(', ')}.`,
  ].join('\n\n');
}

function readingCell({ roundTrips, databaseCalls, readUnits, medianMilliseconds }: Reading): string {
  return `${roundTrips} (${databaseCalls}), ${readUnits} RU, ${medianMilliseconds.toFixed(0)} ms`;
}

function importUnitsText({
  rows,
  messages,
  transactions,
  writeUnitsPerRow,
  readUnits,
  busiest,
  computedToTold,
}: Results['importUnits']): string {
  return [
    `${rows.toLocaleString('en')} rows in ${messages} messages and ${transactions} transactions: ${writeUnitsPerRow.toFixed(2)} write units a row and ${readUnits.toLocaleString('en')} read units in all. The units of a partition key are computed from the sizes of the items; their sum is ${(computedToTold * 100).toFixed(1)} % of what the database told. The busiest partition keys (a partition takes 1,000 write units a second):`,
    markdownTable(
      ['partition key', 'write units'],
      busiest.map(({ partition, writeUnits }) => [`\`${partition}\``, writeUnits.toLocaleString('en')]),
    ),
  ].join('\n\n');
}

function loadTimesText(loadTimes: Results['loadTimes']): string {
  return [
    loadTimesSummary(loadTimes),
    markdownTable(
      ['function', 'KiB', 'median ms', 'against the document client', 'processor ms', 'against the document client'],
      loadTimes.map(({ name, bytes, medianMilliseconds, ratio, processorMilliseconds, processorRatio }) => [
        name,
        (bytes / 1_024).toFixed(0),
        medianMilliseconds.toFixed(1),
        `${ratio.toFixed(2)} x`,
        processorMilliseconds.toFixed(1),
        `${processorRatio.toFixed(2)} x`,
      ]),
    ),
  ].join('\n\n');
}

function loadTimesSummary(loadTimes: Results['loadTimes']): string {
  const count = loadTimes.filter(({ kind }) => kind === 'function').length;
  const byClock = countOverBudget(loadTimes, 'medianMilliseconds');
  const byProcessor = countOverBudget(loadTimes, 'processorMilliseconds');
  return [
    "A fresh process for each reading; the bundle of nothing but the DynamoDB document client takes its turn among them. The processor's time is that of the loading thread, which a busy machine disturbs least.",
    `Budget: 400 KiB, and ${LOAD_BUDGET} times the time of that client, which of ${count} functions ${byClock} exceed by the clock and ${byProcessor} by the processor's time (medians). The client is bundled as the functions are, without what Lambda never needs of it.`,
    'What a function loads only when it needs it is timed by itself, and not counted among them.',
  ].join(' ');
}

function startUpText(milliseconds: Results['startUp']): string {
  return `From an empty folder to the first answer, with everything built: ${milliseconds.toFixed(0)} ms.`;
}
