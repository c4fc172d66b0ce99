import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endpointFunction, workerFunction } from '#infra/functions.ts';
import { confirmRemoteSync } from '#shared/contract/remote/imports.ts';
import { queues } from '#shared/queues.ts';
import { markdownTable, withFigures } from './markdown.ts';
import type { OperationFigures } from './operations.ts';
import { lambdaPrice, priceOfOperation, requestPrice, tablePrice } from './prices.ts';
import type { Measurements, Results } from './results.ts';
import { median } from './statistics.ts';

/** Writes the figures that the runbook quotes into it, so that they are those of the report. */
export async function quoteMeasurements(measurements: Measurements): Promise<void> {
  for (const [document, figures] of Object.entries(quotesOf(measurements))) {
    const file = join(import.meta.dirname, '../..', document);
    await writeFile(file, withFigures(await readFile(file, 'utf8'), figures));
  }
}

/** What each document says, by its path; parts that were never measured are left out. */
export function quotesOf(measurements: Measurements): Readonly<Record<string, string>> {
  return { 'infra/RUNBOOK.md': costFigures(measurements) };
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
