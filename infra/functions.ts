import * as v from 'valibot';
import {
  type Area,
  type Endpoint,
  kebabCase,
  MAX_TIMEOUT_SECONDS,
  takesIdempotencyKey,
} from '#shared/contract/endpoint.ts';
import { type QueueDefinition, queues } from '#shared/queues.ts';
import { routes } from '#shared/routes.ts';
import { type ScheduleDefinition, schedules } from '#shared/schedules.ts';
import { type AccessTable, access } from './access.ts';

/** Build and stacks both derive the functions from these tables. */

export interface Tables {
  readonly routes: readonly Endpoint[];
  readonly queues: readonly QueueDefinition[];
  readonly schedules: readonly ScheduleDefinition[];
  readonly access: AccessTable;
}

export const tables: Tables = { routes, queues, schedules, access };

export interface FunctionDefinition {
  /** In kebab case. It names the function in the cloud, so it is unique over all areas. */
  readonly name: string;
  /** The source is `functions/<area>/<name>.ts`. */
  readonly area: Area;
  /** It takes an API key, and leases tokens from the key's item. */
  readonly authenticates: boolean;
  /** It keeps answers for callers who send a request again. */
  readonly keepsAnswers?: boolean;
  /** It records events with what it changes. */
  readonly leavesEvents?: boolean;
  readonly memoryMegabytes: number;
  readonly timeoutSeconds: number;
  readonly ownConcurrency?: number;
}

/** A usual request takes a third less time than with half of it, for 2 to 6 % of its price (`infra/RUNBOOK.md`, "Memory"). */
const DEFAULT_MEMORY_MEGABYTES = 1_024;

/** Far above any request that does not call the provider, and below the gateway's 30 s. */
const DEFAULT_TIMEOUT_SECONDS = 10;

const DEAD_LETTER_TIMEOUT_SECONDS = 60;

const DEFAULTS = {
  authenticates: false,
  memoryMegabytes: DEFAULT_MEMORY_MEGABYTES,
  timeoutSeconds: DEFAULT_TIMEOUT_SECONDS,
} as const;

export function endpointFunction(endpoint: Endpoint): FunctionDefinition {
  const { operationId, area, scope } = endpoint;
  const { memoryMegabytes = DEFAULT_MEMORY_MEGABYTES, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = endpoint;
  return {
    name: kebabCase(operationId),
    area,
    authenticates: scope !== null,
    keepsAnswers: takesIdempotencyKey(endpoint),
    leavesEvents: endpoint.events !== undefined,
    memoryMegabytes,
    timeoutSeconds,
    ownConcurrency: endpoint.ownConcurrency,
  };
}

/** Answers 404 and 405 in our own format. */
export const unmatchedRouteFunction: FunctionDefinition = { ...DEFAULTS, name: 'unmatched-route', area: 'meta' };

/** An event that only keeps an instance alive. Callers cannot send it: an event of the gateway is always an object. */
export const WARM_UP = 'warm-up';

/** The minimum of AWS for a queue. Workers of dead letters are in no hurry. */
export const LEAST_WORKERS = 2;

export function workerFunction(queue: QueueDefinition): FunctionDefinition {
  const { worker, area, timeoutSeconds, leavesEvents } = queue;
  return { ...DEFAULTS, name: worker, area, timeoutSeconds, leavesEvents };
}

/** @returns undefined for a queue whose dead letters nobody needs */
export function deadLetterFunction(queue: QueueDefinition): FunctionDefinition | undefined {
  const { area, deadLetterWorker: name, leavesEvents } = queue;
  if (name === undefined) return undefined;
  return { ...DEFAULTS, name, area, timeoutSeconds: DEAD_LETTER_TIMEOUT_SECONDS, leavesEvents };
}

export function scheduleFunction({ name, area, timeoutSeconds, leavesEvents }: ScheduleDefinition): FunctionDefinition {
  return { ...DEFAULTS, name, area, timeoutSeconds, leavesEvents };
}

export function functionsOf({ routes, queues, schedules }: Tables): FunctionDefinition[] {
  return [
    ...routes.map(endpointFunction),
    unmatchedRouteFunction,
    ...queues.map(workerFunction),
    ...queues.flatMap((queue) => deadLetterFunction(queue) ?? []),
    ...schedules.map(scheduleFunction),
  ];
}

const LAMBDA_SECONDS = 900;

const limits = v.object({
  memoryMegabytes: v.pipe(v.number(), v.integer(), v.minValue(128), v.maxValue(10_240)),
  timeoutSeconds: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LAMBDA_SECONDS)),
  ownConcurrency: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

const endpointLimits = v.object({
  ...limits.entries,
  timeoutSeconds: v.pipe(limits.entries.timeoutSeconds, v.maxValue(MAX_TIMEOUT_SECONDS)),
});

/** @throws Error of one line, which names each function and member that Lambda would refuse, or that does not exist */
export function assertWithinLimits(all: Tables): void {
  const endpoints = new Set(all.routes.map(({ operationId }) => kebabCase(operationId)));
  const functions = functionsOf(all);
  const complaints = functions.flatMap((definition) => {
    const { issues = [] } = v.safeParse(endpoints.has(definition.name) ? endpointLimits : limits, definition);
    return issues.map((issue) => `${definition.name}.${v.getDotPath(issue)}: ${issue.message}`);
  });
  const names = new Set(functions.map(({ name }) => name));
  const unknown = Object.keys(all.access).filter((name) => !names.has(name));
  complaints.push(...unknown.map((name) => `${name}: there is no such function`));
  if (complaints.length > 0) throw new Error(`The functions are wrong. ${complaints.join('; ')}`);
}
