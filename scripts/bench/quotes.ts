import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpointFunction, workerFunction } from '#infra/functions.ts';
import { confirmRemoteSync } from '#shared/contract/remote/imports.ts';
import { queues } from '#shared/queues.ts';
import { ALL_TIME, crowdedOf, DAYS_OF_YEAR, DEEP_LIST, type Growth, LIST } from './growth.ts';
import type { ImportSpeed } from './import.ts';
import { countOverBudget, LOAD_BUDGET } from './load-time.ts';
import { markdownTable, withFigures } from './markdown.ts';
import type { OperationFigures } from './operations.ts';
import { lambdaPrice, priceOfOperation, requestPrice, tablePrice } from './prices.ts';
import type { Measurements, Results } from './results.ts';
import { median } from './statistics.ts';

/** The figures that the README and the runbook quote are written into them, so that they are those of the report. */
export async function quoteMeasurements(measurements: Measurements): Promise<void> {
  for (const [document, figures] of Object.entries(quotesOf(measurements))) {
    const file = join(import.meta.dirname, '../..', document);
    await writeFile(file, withFigures(await readFile(file, 'utf8'), figures));
  }
}

/** What each document says, by its path; parts that were never measured are left out. */
export function quotesOf(measurements: Measurements): Readonly<Record<string, string>> {
  return { 'README.md': readmeFigures(measurements), 'infra/RUNBOOK.md': costFigures(measurements) };
}

/** Operations that say most, as people name them. */
const QUOTED: Readonly<Record<string, string>> = {
  getProduct: 'get a product',
  createEntry: 'create an entry in a project',
  listEntries: 'list 50 of 100,000 entries, from the 500th on',
  summarizeEntries: 'summarize the year of these',
  stopTimer: 'stop a timer',
  createInvoice: 'bill 20 entries on an invoice',
  sendInvoice: 'send the invoice',
  getInvoicePdf: 'draw its PDF',
};

function quotedOf({ operations }: Measurements): { readonly name: string; readonly figures: OperationFigures }[] {
  const measured = operations?.result.measured ?? [];
  return Object.entries(QUOTED).flatMap(([operationId, name]) =>
    measured.filter((figures) => figures.operationId === operationId).map((figures) => ({ name, figures })),
  );
}

function readmeFigures(measurements: Measurements): string {
  const head = [
    '',
    'round trips',
    'read units',
    'write units',
    'p50 / p99 ms',
    'requests/s, 16 callers',
    '$ per million requests',
  ];
  const rows = quotedOf(measurements).map(({ name, figures }) => [
    name,
    String(figures.cost.roundTrips),
    String(figures.cost.readUnits),
    String(figures.cost.writeUnits),
    `${figures.alone.p50Milliseconds.toFixed(1)} / ${figures.alone.p99Milliseconds.toFixed(1)}`,
    figures.together.throughput.toFixed(0),
    priceOfOperation(figures).total.toFixed(2),
  ]);
  const { growth, imports, importUnits, loadTimes, httpStack } = measurements;
  const sentences = [
    growthText(growth?.result),
    importSentence(imports?.result, importUnits?.result),
    loadSentence(loadTimes?.result),
    stackSentence(httpStack?.result),
  ].filter((sentence) => sentence !== '');
  return [markdownTable(head, rows), ...sentences].join('\n\n');
}

function growthText(growths: Results['growth'] = []): string {
  const [years, crowded] = [growths.findLast((growth) => growth !== crowdedOf(growths)), crowdedOf(growths)];
  const reading = (growth: Growth | undefined, wanted: string) => growth?.readings.find(({ name }) => name === wanted);
  const ofAllTime = reading(years, ALL_TIME);
  const [first, middle] = [reading(crowded, LIST), reading(crowded, DEEP_LIST)];
  if (!years || !crowded || !ofAllTime || !first || !middle) return '';
  const count = (amount: number) => amount.toLocaleString('en');
  return [
    '![What lists and summaries take as entries grow](scripts/bench/curves.svg)',
    [
      `The curves are of a team with ${count(years.entries / years.days)} entries a day in 50 projects, and of what it asks about a year: the last of ${Math.round(years.days / DAYS_OF_YEAR)} where there are ${count(years.entries)} entries. A list of all these years takes ${ofAllTime.readUnits} read units in ${ofAllTime.roundTrips} round trips.`,
      `A page reads its days as a whole: where each has ${count(crowded.entries / crowded.days)} entries, the first page takes ${first.readUnits} read units in ${first.roundTrips} round trips, and a deep one ${middle.readUnits}.`,
    ].join(' '),
  ].join('\n\n');
}

function importSentence(imports?: readonly ImportSpeed[], units?: Results['importUnits']): string {
  if (!imports || !units) return '';
  const rate = median(imports.map(({ rows, importSeconds }) => rows / importSeconds));
  const share = median(imports.map(({ importSeconds, rawSeconds }) => rawSeconds / importSeconds));
  const [busiest] = units.busiest;
  return `An import of ${units.rows.toLocaleString('en')} rows brings ${rate.toFixed(0)} rows a second, ${(share * 100).toFixed(0)} % of what the database takes from a loop that does nothing else; it takes ${units.writeUnitsPerRow.toFixed(2)} write units a row, and ${busiest?.writeUnits ?? 0} of them in all on the busiest partition key.`;
}

function loadSentence(loadTimes?: Results['loadTimes']): string {
  if (!loadTimes) return '';
  const functions = loadTimes.filter(({ kind }) => kind === 'function');
  const ratios = functions.map(({ processorRatio }) => processorRatio);
  const over = countOverBudget(loadTimes, 'processorMilliseconds');
  const overPlain = countOverBudget(loadTimes, 'processorMilliseconds', 'plain baseline');
  const kibibytes = (bytes: number) => `${(bytes / 1_024).toFixed(0)} KiB`;
  const largest = kibibytes(Math.max(...functions.map(({ bytes }) => bytes)));
  const late = loadTimes
    .filter(({ kind }) => kind === 'late module')
    .map(
      ({ name, bytes, processorRatio }) =>
        `; \`${name}\` is ${kibibytes(bytes)} more, in ${processorRatio.toFixed(2)} times`,
    );
  return `A cold function loads in ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} times (median ${median(ratios).toFixed(2)}) the processor's time of a bundle that only creates the document client, ${over} of ${ratios.length} in more than the ${LOAD_BUDGET} times that are allowed, and ${overPlain} against what esbuild makes of that client by itself; the largest bundle that a function begins with has ${largest}${late.join('')}.`;
}

function stackSentence(httpStack?: Results['httpStack']): string {
  if (!httpStack) return '';
  return `The HTTP stack around a handler takes ${httpStack.silentMicroseconds.toFixed(0)} microseconds a request, and ${httpStack.loggingMicroseconds.toFixed(0)} with its log line and metric.`;
}

/** The cost table of the runbook. */
function costFigures(measurements: Measurements): string {
  const dollars = (amount: number) => amount.toFixed(2);
  const any = dollars(requestPrice(true));
  const rows = quotedOf(measurements).map(({ name, figures }) => {
    const { table, compute, total } = priceOfOperation(figures);
    return [name, unitsOf(figures.cost), dollars(table), dollars(compute), dollars(total)];
  });
  const { importUnits, imports } = measurements;
  if (importUnits && imports) rows.push(importCosts(importUnits.result, imports.result, dollars));
  return markdownTable(['a million times', 'units of the table', 'table', 'compute', `with the ${any}`], rows);
}

/** The request waits while the worker works: both are paid for as long as an import took. */
function importCosts(
  units: Results['importUnits'],
  imports: Results['imports'],
  dollars: (amount: number) => string,
): string[] {
  const perRow = { readUnits: units.readUnits / units.rows, writeUnits: units.writeUnitsPerRow };
  const said = { readUnits: Number(perRow.readUnits.toFixed(2)), writeUnits: Number(perRow.writeUnits.toFixed(2)) };
  const milliseconds = median(imports.map(({ rows, importSeconds }) => (importSeconds * 1_000) / rows));
  const workers = queues.filter(({ name }) => name === 'imports').map(workerFunction);
  const compute = [endpointFunction(confirmRemoteSync), ...workers]
    .map(({ memoryMegabytes }) => lambdaPrice({ milliseconds, memoryMegabytes }))
    .reduce((sum, price) => sum + price, 0);
  return [
    'import a row, with thousands of others',
    unitsOf(said),
    dollars(tablePrice(perRow)),
    dollars(compute),
    'no request of its own',
  ];
}

function unitsOf({ readUnits, writeUnits }: { readonly readUnits: number; readonly writeUnits: number }): string {
  const counted = (count: number, name: string) => (count === 0 ? [] : `${count} ${count === 1 ? name : `${name}s`}`);
  return [counted(readUnits, 'read'), counted(writeUnits, 'write')].flat().join(', ');
}
