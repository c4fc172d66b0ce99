import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ALL_TIME } from './growth.ts';
import type { ImportSpeed } from './import.ts';
import { LOAD_BUDGET } from './load-time.ts';
import { markdownTable, withFigures } from './markdown.ts';
import type { OperationFigures, OperationsReport } from './operations.ts';
import { requestPrice, tablePrice } from './prices.ts';
import type { Measured, Measurements, Results } from './results.ts';
import type { Percentiles, Simulated } from './simulate.ts';
import { median } from './statistics.ts';

/** The figures that the README and the runbook quote are written into them, so that they are those of the report. Samples are not quoted. */
export async function quoteMeasurements(measurements: Measurements): Promise<void> {
  const operations = quotable(measurements.operations);
  if (!operations) return;
  await writeFigures('README.md', readmeFigures(operations, measurements));
  await writeFigures('infra/RUNBOOK.md', costFigures(operations, measurements));
}

function quotable<T>(measured: Measured<T> | undefined): T | undefined {
  return measured && measured.effort !== 'sample' ? measured.result : undefined;
}

async function writeFigures(document: string, figures: string): Promise<void> {
  const file = join(import.meta.dirname, '../..', document);
  await writeFile(file, withFigures(await readFile(file, 'utf8'), figures));
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

function quotedOf({ measured }: OperationsReport): { readonly name: string; readonly figures: OperationFigures }[] {
  return Object.entries(QUOTED).flatMap(([operationId, name]) =>
    measured.filter((figures) => figures.operationId === operationId).map((figures) => ({ name, figures })),
  );
}

function readmeFigures(operations: OperationsReport, measurements: Measurements): string {
  const head = [
    '',
    'round trips',
    'read units',
    'write units',
    'p50 / p99 ms',
    'requests/s, 16 callers',
    '$ per million requests',
  ];
  const rows = quotedOf(operations).map(({ name, figures: { cost, alone, together, price } }) => [
    name,
    String(cost.roundTrips),
    String(cost.readUnits),
    String(cost.writeUnits),
    `${alone.p50Milliseconds.toFixed(1)} / ${alone.p99Milliseconds.toFixed(1)}`,
    together.throughput.toFixed(0),
    price.total.toFixed(2),
  ]);
  const sentences = [
    importSentence(quotable(measurements.imports), quotable(measurements.importUnits)),
    loadSentence(quotable(measurements.loadTimes)),
    stackSentence(quotable(measurements.httpStack)),
    simulationSentence(quotable(measurements.simulation)),
  ].filter((sentence) => sentence !== '');
  return [markdownTable(head, rows), growthText(measurements.growth), ...sentences].filter(Boolean).join('\n\n');
}

/** The curves stay as they were unless a million entries were among the sizes, and only then there is something to say of so many. */
function growthText(growth: Measurements['growth']): string {
  if (!quotable(growth)) return '';
  const curves = '![What lists and summaries take as entries grow](scripts/bench/curves.svg)';
  const largest = growth?.effort === 'large' ? growth.result.at(-1) : undefined;
  const ofAllTime = largest?.readings.find(({ name }) => name === ALL_TIME);
  if (!largest || !ofAllTime) return curves;
  return `${curves}\n\nThe curves are of what is asked about one year. A list of all time reads the ledger of every month: with ${largest.entries.toLocaleString('en')} entries over ${largest.days.toLocaleString('en')} days ${ofAllTime.readUnits} read units in ${ofAllTime.roundTrips} round trips.`;
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
  const [, ...functions] = loadTimes;
  const ratios = functions.map(({ processorRatio }) => processorRatio);
  const over = ratios.filter((ratio) => ratio > LOAD_BUDGET).length;
  const largest = Math.max(...functions.map(({ bytes }) => bytes)) / 1_024;
  return `A cold function loads in ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} times (median ${median(ratios).toFixed(2)}) the processor's time of a bundle that only creates the document client, ${over} of ${ratios.length} in more than the ${LOAD_BUDGET} times that are allowed; the largest bundle has ${largest.toFixed(0)} KiB.`;
}

function stackSentence(httpStack?: Results['httpStack']): string {
  if (!httpStack) return '';
  return `The HTTP stack around a handler takes ${httpStack.silentMicroseconds.toFixed(0)} microseconds a request, and ${httpStack.loggingMicroseconds.toFixed(0)} with its log line and metric.`;
}

function simulationSentence(scenes?: Results['simulation']): string {
  const [first] = scenes ?? [];
  if (!first) return '';
  const quoted = scenes?.filter(({ isQuoted }) => isQuoted) ?? [];
  return [
    `Simulated past this machine with DynamoDB's published limits (seed ${first.seed}), p50 / p99:`,
    '',
    ...quoted.map(sceneSentence),
  ].join('\n');
}

function sceneSentence({ name, confirm, unfinishedShare, imported, ...others }: Simulated): string {
  const seconds = ({ p50Milliseconds, p99Milliseconds }: Percentiles) =>
    `${(p50Milliseconds / 1_000).toFixed(1)} / ${(p99Milliseconds / 1_000).toFixed(1)} s`;
  const { p50Milliseconds, p99Milliseconds } = others.neighbourCreate;
  const requests = [others.neighbourCreate, others.neighbourList, others.colleagueCreate];
  const sum = (count: (percentiles: Percentiles) => number) => requests.reduce((all, each) => all + count(each), 0);
  return [
    `- ${name}: the confirm ${seconds(confirm)}, ${(unfinishedShare * 100).toFixed(0)} % of them answered 202 before all is imported`,
    `all imported ${seconds(imported)}`,
    `a neighbour's new entry ${p50Milliseconds.toFixed(0)} / ${p99Milliseconds.toFixed(0)} ms`,
    `${sum(({ refused }) => refused)} of ${sum(({ count }) => count).toLocaleString('en')} other requests answered 503`,
  ].join('; ');
}

/** The cost table of the runbook. */
function costFigures(operations: OperationsReport, measurements: Measurements): string {
  const dollars = (amount: number) => amount.toFixed(2);
  const any = dollars(requestPrice(true));
  const rows = quotedOf(operations).map(({ name, figures: { cost, price } }) => [
    name,
    unitsOf(cost),
    dollars(price.table),
    dollars(price.compute),
    dollars(price.total),
  ]);
  const units = quotable(measurements.importUnits);
  if (units) rows.push(importCosts(units, dollars));
  return markdownTable(['a million times', 'units of the table', 'table', 'compute', `with the ${any}`], rows);
}

function importCosts(units: Results['importUnits'], dollars: (amount: number) => string): string[] {
  const perRow = { readUnits: units.readUnits / units.rows, writeUnits: units.writeUnitsPerRow };
  const said = { readUnits: Number(perRow.readUnits.toFixed(2)), writeUnits: Number(perRow.writeUnits.toFixed(2)) };
  return [
    'import a row, with thousands of others',
    unitsOf(said),
    dollars(tablePrice(perRow)),
    'under 0.10',
    'no request of its own',
  ];
}

function unitsOf({ readUnits, writeUnits }: { readonly readUnits: number; readonly writeUnits: number }): string {
  const counted = (count: number, name: string) => (count === 0 ? [] : `${count} ${count === 1 ? name : `${name}s`}`);
  return [counted(readUnits, 'read'), counted(writeUnits, 'write')].flat().join(', ');
}
