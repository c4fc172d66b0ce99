import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { endpointFunction } from '#infra/functions.ts';
import { REGION } from '#scripts/local/names.ts';
import { endpointOf } from './caller.ts';
import type { Effort } from './effort.ts';
import { markdownTable } from './markdown.ts';
import { median } from './statistics.ts';
import { PRODUCTS, PROJECTS, TEAM_OF } from './team-data.ts';
import type { Requests } from './team-handler.ts';
import { MONTH } from './team-rates.ts';
import type { Version, VersionPlan } from './team-version.ts';
import { startWorker, type Worker } from './worker.ts';

/** Compares the processor's time that functions take for a request, in this version and in another one, in turns. */

export interface ProcessorTime {
  readonly name: string;
  /** Medians of the rounds, for each request. */
  readonly milliseconds: number;
  readonly otherMilliseconds: number;
  /** This version's time, divided by the other version's time: the median of the rounds. */
  readonly share: number;
  /** The greatest acceptable share. */
  readonly target: number;
}

interface Question extends Pick<ProcessorTime, 'name' | 'target'> {
  readonly operationId: string;
  readonly query: Readonly<Record<string, string>>;
  readonly count: number;
}

const QUESTIONS: readonly Question[] = [
  { name: 'page of 100 entries', target: 1 / 3, operationId: 'listEntries', query: { limit: '100' }, count: 25 },
  { name: "month's summary", target: 1 / 2, operationId: 'summarizeEntries', query: MONTH, count: 75 },
  { name: 'page of 50 products', target: 1 / 3, operationId: 'listProducts', query: { limit: '50' }, count: 75 },
];

const ROUNDS: Readonly<Record<Effort, number>> = { sample: 1, full: 11 };
const WARM_UP_ROUNDS = 2;

/** @param directory a checkout of the other version, with its packages */
export async function measureProcessor(directory: string, effort: Effort): Promise<ProcessorTime[]> {
  const workers: Worker[] = [];
  const start = (...settings: Parameters<typeof startWorker>): Worker => {
    const worker = startWorker(...settings);
    workers.push(worker);
    return worker;
  };
  try {
    const times: ProcessorTime[] = [];
    const [own, other] = await Promise.all(
      [join(import.meta.dirname, '../..'), resolve(directory)].map((root) => boot(start, root, effort)),
    );
    if (!own || !other) throw new Error('A version is missing.');
    for (const question of QUESTIONS) times.push(await compare(start, [own, other], question, ROUNDS[effort]));
    return times;
  } finally {
    for (const worker of workers.reverse()) await worker.end();
  }
}

type Start = typeof startWorker;

async function boot(start: Start, root: string, effort: Effort): Promise<Version> {
  const { entries, days, until } = TEAM_OF[effort];
  const plan: VersionPlan = { past: { entries, days, until, projects: PROJECTS }, products: PRODUCTS };
  const worker = start(join(import.meta.dirname, 'team-version.ts'), { args: [root] });
  return (await worker.ask(plan)) as Version;
}

async function compare(
  start: Start,
  versions: readonly [Version, Version],
  question: Question,
  rounds: number,
): Promise<ProcessorTime> {
  const asked = versions.map((version) => askerOf(start, version, question));
  const measured: [own: number, other: number][] = [];
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    const [own = 0, other = 0] = [await asked[0]?.(), await asked[1]?.()];
    if (round >= 0) measured.push([own, other]);
  }
  const { name, target } = question;
  return {
    name,
    milliseconds: median(measured.map(([own]) => own)),
    otherMilliseconds: median(measured.map(([, other]) => other)),
    share: median(measured.map(([own, other]) => own / other)),
    target,
  };
}

function askerOf(start: Start, version: Version, question: Question): () => Promise<number> {
  const { credentials, dynamoEndpoint, apiKey, functions } = version;
  const { operationId, query, count } = question;
  const { name } = endpointFunction(endpointOf(operationId));
  const deployed = functions.find((each) => each.name.endsWith(`-${name}`));
  if (!deployed) throw new Error(`A version has no function ${name}.`);
  const worker = start(join(import.meta.dirname, 'team-handler.ts'), {
    args: [deployed.file, deployed.exportName],
    env: {
      ...deployed.environment,
      AWS_REGION: REGION,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_DYNAMODB: dynamoEndpoint,
    },
  });
  const requests: Requests = { event: eventOf(operationId, query, apiKey), count };
  return async () => v.parse(v.number(), await worker.ask(requests));
}

function eventOf(operationId: string, query: Question['query'], apiKey: string) {
  const { method, path } = endpointOf(operationId);
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: new URLSearchParams(query).toString(),
    queryStringParameters: query,
    headers: { authorization: `Bearer ${apiKey}`, accept: '*/*', host: 'localhost', 'user-agent': 'bench' },
    requestContext: { requestId: 'request', http: { method, path, sourceIp: '127.0.0.1' } },
    isBase64Encoded: false,
  };
}

const SUBJECT =
  "The time of the processor that a function's process takes for a warm request, against that of another version on the same data of a team, in turns.";

/** As Markdown. */
export function processorText(times: readonly ProcessorTime[]): string {
  const table = markdownTable(
    ['milliseconds of the processor', 'this version', 'the other', 'share', 'wanted'],
    times.map(({ name, milliseconds, otherMilliseconds, share, target }) => [
      name,
      ...[milliseconds, otherMilliseconds, share, target].map((value) => value.toFixed(2)),
    ]),
  );
  return `${SUBJECT}\n\n${table}`;
}
