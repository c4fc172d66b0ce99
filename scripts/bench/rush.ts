import { v7 as uuidV7 } from 'uuid';
import type { Cloud } from '#scripts/local/cloud.ts';
import { ensureUser } from '#shared/data/organization/users.ts';
import { mapInParallel } from '#shared/data/table/parallel.ts';
import { type Caller, callerWithKey, endpointOf, type Input, newCaller, pathOf } from './caller.ts';
import { markdownTable } from './markdown.ts';
import { seed } from './seed.ts';
import { percentile } from './statistics.ts';
import { drive, type Lap, type TrafficCaller } from './traffic.ts';

/** Many users do the same at the same moment, in one project, and meet in the same items of the table. */

interface Rush {
  readonly name: string;
  readonly operationId: string;
  /** Each has a key, of which an organization has at most 1,000. */
  readonly requests: number;
  /** Over which the requests are spread. */
  readonly milliseconds: number;
  readonly prepare: (by: Caller, projectId: string) => Promise<Input>;
}

const stops = { operationId: 'stopTimer', prepare: runningTimer };

const RUSHES: readonly Rush[] = [
  { ...stops, name: '200 timers stopped within a second, cold', requests: 200, milliseconds: 1_000 },
  { ...stops, name: '200 timers stopped within a second, warm', requests: 200, milliseconds: 1_000 },
  { ...stops, name: '40 timers stopped a second, for 20 seconds', requests: 800, milliseconds: 20_000 },
  { operationId: 'sendInvoice', prepare: draft, name: '200 invoices sent at once', requests: 200, milliseconds: 0 },
];

const SAMPLE_DIVISOR = 20;

async function runningTimer(by: Caller, projectId: string): Promise<Input> {
  const { body } = await by.call('startTimer', { body: { projectId } });
  return { params: { sessionId: body.data.id } };
}

async function draft(by: Caller): Promise<Input> {
  const client = (await by.call('createClient', { body: { name: `Client ${uuidV7()}` } })).body.data;
  const lineItems = [{ name: 'Work', quantity: '1', unit: 'hour', price: '100' }];
  const { body } = await by.call('createInvoice', { body: { clientId: client.id, currency: 'USD', lineItems } });
  return { params: { id: body.data.id } };
}

export async function measure(cloud: Cloud, isSample: boolean): Promise<string> {
  const rows: string[][] = [];
  for (const { name, operationId, requests, milliseconds, prepare } of RUSHES) {
    const { organizationId, userId } = await newCaller(cloud);
    const [project] = await seed({ organizationId, userId, entries: 0, days: 1, projects: 1, until: '2026-01-01' });
    const count = isSample ? requests / SAMPLE_DIVISOR : requests;
    const { method } = endpointOf(operationId);
    const prepareCaller = async (position: number): Promise<TrafficCaller> => {
      const user = await ensureUser(organizationId, `User ${position}`);
      const by = await callerWithKey(cloud, { organizationId, userId: user.id });
      const path = pathOf(operationId, await prepare(by, project?.id ?? ''));
      const beginsAfterMilliseconds = (position * milliseconds) / requests;
      return { apiKey: by.apiKey, beginsAfterMilliseconds, steps: [{ method, path }] };
    };
    const callers = await mapInParallel([...Array(count).keys()], prepareCaller, HANDS);
    const laps = await drive({ url: cloud.url, seconds: 0, callers });
    rows.push([name, String(count), ...figuresOf(laps)]);
    console.log(rows.at(-1)?.join(', '));
  }
  return [
    'For each row one organization, one project, and a user for each request, on a cloud with conflicts and frozen instances.',
    markdownTable(['', 'requests', 'refused', 'p50', 'p99'], rows),
  ].join('\n\n');
}

/** How many preparations run at a time. */
const HANDS = 8;

function figuresOf(laps: readonly Lap[]): string[] {
  const refused = laps.filter(({ status }) => status >= 300).length;
  const seconds = laps.map(({ milliseconds }) => milliseconds / 1_000);
  return [String(refused), ...[0.5, 0.99].map((share) => `${percentile(seconds, share).toFixed(2)} s`)];
}
