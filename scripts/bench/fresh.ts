import { v7 as uuidV7 } from 'uuid';
import type { Cloud } from '#scripts/local/cloud.ts';
import { insertClient } from '#shared/data/clients/clients.ts';
import { newClient } from '#shared/domain/clients/client.ts';
import { UNITS_PER_SECOND } from '#shared/domain/invoices/billing-time.ts';
import { type Caller, type Input, newCaller, type Reply } from './caller.ts';
import { type FreshTable, freshTable } from './fresh-table.ts';
import { importAll } from './import.ts';
import { markdownTable } from './markdown.ts';
import { untilQuiet } from './meter.ts';
import { seed } from './seed.ts';

/** The requests that write in many transactions, on a table that throttles as a fresh one does. */

const FULL = 10_000;
const SAMPLE = 500;

const PROJECTS = 10;
const DAYS_OF_MONTH = 30;
const UNTIL = '2026-12-01';
const MONTH = { dateFrom: '2026-11-01', dateTo: '2026-11-30' };

const TEXTS = { usual: 60, longest: 2_000 } as const;

type Text = keyof typeof TEXTS;

interface Scene {
  readonly count: number;
  readonly days: number;
  readonly text: Text;
}

interface Outcome {
  readonly requests: number;
  readonly answer: string;
}

type Measure = (title: string, work: () => Promise<Outcome>) => Promise<void>;

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  const count = isSample ? SAMPLE : FULL;
  const rows: string[][] = [];
  const measureRow: Measure = async (title, work) => {
    rows.push([title, ...(await onFreshTable(cloud, work))]);
    console.log(rows.at(-1)?.join(', '));
  };
  for (const text of ['usual', 'longest'] as const) {
    for (const days of [DAYS_OF_MONTH, 1]) {
      const scene = { count, days, text };
      await measureInvoice(cloud, scene, measureRow);
      await measureUndo(cloud, scene, measureRow);
    }
  }
  const { table, partitionKey } = UNITS_PER_SECOND;
  return [
    `${count.toLocaleString('en')} entries, of a month or of one day, with texts of ${TEXTS.usual} letters (usual) or ${TEXTS.longest} (longest), on a table that takes ${table.toLocaleString('en')} write units a second, and ${partitionKey.toLocaleString('en')} of one partition key, and saves one second's units for a burst. What does not fit is refused before anything is written, and an undo that was not enough is sent again. Transactions take no time here beyond that of the emulator.`,
    markdownTable(['request', 'answer', 'requests', 'seconds', 'writes', 'throttled', 'write units'], rows),
  ].join('\n\n');
}

const titleOf = (what: string, { days, text }: Scene) =>
  `${what} of ${days === 1 ? 'one day' : `${days} days`}, ${text} texts`;

/** Bills all or, where that is refused, a part. That is then credited, in two halves, and the first half billed again. */
async function measureInvoice(cloud: Cloud, scene: Scene, measureRow: Measure): Promise<void> {
  const { by, clientId, projectId } = await seeded(cloud, scene);
  let made: Reply['body'] | undefined;
  let timeEntries: object = {};
  const bill = (title: string) =>
    measureRow(title, async () => {
      const { answer, data } = await ask(by, 'createInvoice', { body: { clientId, timeEntries } });
      made = data;
      return { requests: 1, answer };
    });
  const billPart = (what: string, wanted: object) => {
    timeEntries = { ...MONTH, groupBy: 'project', ...wanted };
    return bill(titleOf(what, scene));
  };
  await billPart('a billing', {});
  if (!made && scene.days > 1) await billPart('a billing of 14 days', { dateTo: '2026-11-14' });
  if (!made) await billPart('a billing of one of ten projects', { projectId });
  const params = { id: made.id };
  await by.call('sendInvoice', { params });
  const credit = (title: string, body: object) =>
    measureRow(title, async () => {
      const { answer } = await ask(by, 'createCreditNote', { params, body: { reason: 'Corrected', ...body } });
      return { requests: 1, answer };
    });
  const lines = made.lineItems.map(({ id, entryIds }: { id: string; entryIds: string[] }) => ({
    lineItemId: id,
    entryIds: entryIds.slice(0, entryIds.length / 2),
  }));
  await credit('a credit of half of what was billed', { lines });
  await bill('a billing of what was credited');
  await credit('a credit of the rest', {});
}

async function measureUndo(cloud: Cloud, scene: Scene, measureRow: Measure): Promise<void> {
  const by = await newCaller(cloud);
  const id = await importAll(by, { rows: rowsOf(scene) });
  await untilQuiet(cloud);
  await measureRow(titleOf('an undo', scene), () => untilDone(by, 'undoRemoteSync', { params: { id } }));
}

async function seeded(cloud: Cloud, { count, days, text }: Scene) {
  const by = await newCaller(cloud);
  const { organizationId, userId } = by;
  const client = newClient({ name: 'Globex' }, organizationId, uuidV7(), new Date());
  await insertClient(client);
  const plan = { days, projects: PROJECTS, until: UNTIL, lanes: 1, description: descriptionOf(text) };
  // A tenth of what is seeded is not billable.
  const perProject = Math.ceil(count / PROJECTS / 0.9);
  const entries = perProject * PROJECTS;
  const [project] = await seed({ organizationId, userId, clientIds: [client.id], entries, ...plan });
  return { by, clientId: client.id, projectId: project?.id };
}

const descriptionOf = (text: Text): string => 'Notes on it. '.repeat(TEXTS[text]).slice(0, TEXTS[text]);

function rowsOf({ count, days, text }: Scene) {
  return Array.from({ length: count }, (_, i) => ({
    date: `2026-11-${String(1 + (i % days)).padStart(2, '0')}`,
    durationMinutes: 15 + (i % 480),
    description: descriptionOf(text),
    project: null,
    client: null,
    user: 'Ada Byron',
    externalId: String(600_000_000 + i),
    billable: true,
    rate: 95.5,
    currency: 'USD',
  }));
}

async function onFreshTable(cloud: Cloud, work: () => Promise<Outcome>): Promise<string[]> {
  const table: FreshTable = freshTable(cloud.dynamoEndpoint);
  const end = cloud.intercept(table.interceptor);
  const startedAt = performance.now();
  try {
    const { answer, requests } = await work();
    const seconds = (performance.now() - startedAt) / 1_000;
    const { written, throttled, units } = table.figures();
    return [
      answer,
      String(requests),
      seconds.toFixed(1),
      ...[written, throttled, units].map((each) => each.toLocaleString('en')),
    ];
  } finally {
    end();
  }
}

async function ask(by: Caller, operationId: string, input: Input): Promise<{ answer: string; data?: Reply['body'] }> {
  try {
    return { answer: 'done', data: (await by.call(operationId, input)).body.data };
  } catch (error) {
    return { answer: /"code":"(\w+)"/.exec(String(error))?.[1] ?? String(error) };
  }
}

const MAX_REQUESTS = 10;

async function untilDone(by: Caller, operationId: string, input: Input): Promise<Outcome> {
  for (let requests = 1; ; requests++) {
    const { answer } = await ask(by, operationId, input);
    if (answer !== 'temporarily_unavailable' || requests === MAX_REQUESTS) return { requests, answer };
  }
}
