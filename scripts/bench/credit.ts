import { v7 as uuidV7 } from 'uuid';
import type { Cloud } from '#scripts/local/cloud.ts';
import { insertClient } from '#shared/data/clients/clients.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { type Caller, type Input, newCaller } from './caller.ts';
import { markdownTable } from './markdown.ts';
import { metered, untilQuiet } from './meter.ts';
import { seed } from './seed.ts';

/** The cost of credits of an invoice with many entries, and of lists of them. */

interface Size {
  /** On the invoice */
  readonly entries: number;
  readonly creditNotes: number;
}

const SAMPLE: Size = { entries: 500, creditNotes: 4 };

const FULL: Size = { entries: 5_000, creditNotes: 20 };

const PROJECTS = 10;
const DAYS = 28;
const MONTH = { dateFrom: '2026-02-01', dateTo: '2026-02-28' };
const UNTIL = '2026-03-01';

const count = (value: number): string => value.toLocaleString('en');

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  const size = isSample ? SAMPLE : FULL;
  return [
    `An invoice with ${count(size.entries)} entries in ${PROJECTS} lines is credited whole. Then the same entries are billed again, half of them are credited by name, and more of them one by one until there are ${size.creditNotes} credit notes. Entries of a line that is credited in parts are read, for their days, hours and amounts. Seconds are those of one caller, of a function that has answered before.`,
    markdownTable(['request', 'calls', 'read units', 'write units', 'seconds'], await rowsOf(cloud, size)),
  ].join('\n\n');
}

async function rowsOf(cloud: Cloud, { entries, creditNotes }: Size): Promise<string[][]> {
  const by = await newCaller(cloud);
  const clientId = await seedWork(by, entries);
  const rowOf = (title: string, operationId: string, input: Input) =>
    measuredRow(cloud, title, () => by.call(operationId, input));

  const { params } = await sentInvoice(by, clientId, entries);
  const whole = { params, body: { reason: 'Cancelled' } };
  const dryRun = { ...whole, query: { dryRun: 'true' } };
  // The first one warms the function up.
  await by.call('createCreditNote', dryRun);
  const rows = [
    await rowOf('a dry run of the whole', 'createCreditNote', dryRun),
    await rowOf('a credit of the whole', 'createCreditNote', whole),
  ];

  const again = await sentInvoice(by, clientId, entries);
  const credit = (lines: readonly object[]) => ({ params: again.params, body: { reason: 'Corrected', lines } });
  const halves = again.lineItems.map(({ id, entryIds }) => ({
    lineItemId: id,
    entryIds: entryIds.slice(0, entryIds.length / 2),
  }));
  rows.push(await rowOf(`a credit of ${count(entries / 2)} named entries`, 'createCreditNote', credit(halves)));

  const [line] = again.lineItems;
  for (const entryId of line?.entryIds.slice(2 - creditNotes) ?? []) {
    await by.call('createCreditNote', credit([{ lineItemId: line?.id, entryIds: [entryId] }]));
  }
  await by.call('listCreditNotes');
  for (const limit of [creditNotes / 4, creditNotes]) {
    const query = { limit: String(limit) };
    rows.push(await rowOf(`a list of ${limit} of ${creditNotes} credit notes`, 'listCreditNotes', { query }));
  }
  const rest = { params: again.params, body: { reason: 'Cancelled' } };
  rows.push(await rowOf('a credit of all that is left then', 'createCreditNote', rest));
  return rows;
}

async function measuredRow(cloud: Cloud, title: string, request: () => Promise<unknown>): Promise<string[]> {
  await untilQuiet(cloud);
  const startedAt = performance.now();
  const { cost } = await metered(cloud, request);
  const seconds = (performance.now() - startedAt) / 1_000;
  return [title, ...[cost.calls, cost.readUnits, cost.writeUnits].map(count), seconds.toFixed(2)];
}

/** @returns the id of the client that it is for */
async function seedWork({ organizationId, userId }: Caller, entries: number): Promise<string> {
  const client = newClient({ name: 'Globex' }, organizationId, uuidV7(), new Date());
  await insertClient(client);
  // A tenth of what is seeded is not billable.
  const perProject = Math.ceil(entries / PROJECTS / 0.9);
  const plan = { entries: perProject * PROJECTS, days: DAYS, projects: PROJECTS, until: UNTIL, lanes: 1 };
  await seed({ organizationId, userId, clientIds: [client.id], ...plan });
  return client.id;
}

interface SentInvoice {
  readonly params: { readonly id: string };
  readonly lineItems: readonly { readonly id: string; readonly entryIds: readonly string[] }[];
}

/** @throws Error if it has not as many entries */
async function sentInvoice(by: Caller, clientId: string, entries: number): Promise<SentInvoice> {
  const timeEntries = { ...MONTH, groupBy: 'project' };
  const { id, lineItems } = (await by.call('createInvoice', { body: { clientId, timeEntries } })).body.data;
  const billed = lineItems.flatMap(({ entryIds }: SentInvoice['lineItems'][number]) => entryIds).length;
  if (billed !== entries) throw new Error(`${billed} of ${entries} entries were billed.`);
  await by.call('sendInvoice', { params: { id } });
  return { params: { id }, lineItems };
}
