import type { Cloud } from '#scripts/local/cloud.ts';
import { everyFault, faultInjector } from './fault-injector.ts';
import { hire } from './hire.ts';
import { reckon } from './reckoning.ts';
import { ScheduledWork } from './scheduled-work.ts';

/**
 * Users and schedules at work while calls to DynamoDB, SQS and KMS fail in every way. Whatever users do either succeeds or ends in a problem that
 * the document knows; and what is there in the end is what the answers have told, once, with all sums right.
 */
interface FaultFigures {
  readonly operations: number;
  /** Of the functions to AWS. */
  readonly calls: number;
  readonly faults: Readonly<Record<string, number>>;
  /** By operation and status. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly violations: readonly string[];
}

interface WorkPlan {
  readonly operations: number;
  readonly seed: number;
  /** Of all calls: from 0 to 1. */
  readonly faultShare: number;
  readonly users?: number;
  /** Entries that are there before. */
  readonly past?: number;
}

const USERS = 16;

/** Operations between two lines that say how far it is. */
const PROGRESS = 500;

/** Operations between two strikes of the schedules: few enough for the sample in `npm test` to have one. */
const STRIKE = 50;

export async function workUnderFaults(cloud: Cloud, plan: WorkPlan): Promise<FaultFigures> {
  const { operations, seed, faultShare, users = USERS, past } = plan;
  const actors = await hire(users, seed, past);
  const scheduled = await ScheduledWork.begin(cloud);
  const injector = faultInjector(everyFault(faultShare), seed);
  const startedAt = performance.now();
  let done = 0;
  const stop = cloud.intercept(injector.interceptor);
  try {
    await Promise.all(
      actors.map(async (actor) => {
        for (let i = 0; i < operations / users; i++) {
          await actor.step();
          const count = ++done;
          if (count % PROGRESS === 0) console.error(`faults: ${count} of ${operations} operations`);
          if (count % STRIKE === 0) await scheduled.strike();
        }
      }),
    );
  } finally {
    stop();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  const [calls, faults] = [injector.calls(), injector.faults()];
  const violations = [...actors.flatMap((actor) => actor.violations), ...(await reckon(cloud, actors, scheduled))];
  return { operations, calls, faults, outcomes: sumOf(actors.map(({ outcomes }) => outcomes)), seconds, violations };
}

function sumOf(counts: readonly ReadonlyMap<string, number>[]): Record<string, number> {
  const sum = new Map<string, number>();
  for (const [name, count] of counts.flatMap((each) => [...each])) sum.set(name, (sum.get(name) ?? 0) + count);
  return Object.fromEntries([...sum].sort());
}

interface Comparison {
  readonly seconds: number;
  readonly seed: number;
  readonly faultShare: number;
  /** Without other faults than those that a cloud has every day: conflicts, frozen and ended functions. */
  readonly undisturbed: FaultFigures;
  readonly disturbed: FaultFigures;
  /** A quarter of the work while half of all calls fail: here retries run out, and requests end in a 503. */
  readonly storm: FaultFigures;
  /** How many times as many calls an operation takes with faults. */
  readonly traffic: number;
  readonly violations: readonly string[];
}

const FAULT_SHARE = 0.05;

/** What retries may cost: services that multiply their traffic when something fails keep it from getting well. */
const MAX_TRAFFIC = 1.3;

const STORM_SHARE = 0.5;

/** What faults show does not need as much work. */
const MAX_DISTURBED = 3_000;

/** Of the answers on an ordinary day. */
const MAX_OVERLOADED_SHARE = 1 / 200;

/**
 * Work without faults and with them, and some of it when hardly anything works. @param past of where there are some
 * faults
 */
export async function compareFaults(cloud: Cloud, operations: number, seed: number, past = 0): Promise<Comparison> {
  const work = (plan: Omit<WorkPlan, 'seed'>) => workUnderFaults(cloud, { ...plan, seed });
  const undisturbed = await work({ operations, faultShare: 0 });
  const disturbed = await work({ operations: Math.min(operations, MAX_DISTURBED), faultShare: FAULT_SHARE, past });
  const storm = await work({ operations: disturbed.operations / 4, faultShare: STORM_SHARE });
  const traffic = callsEach(disturbed) / callsEach(undisturbed);
  const overloadedShare = overloadedShareOf(undisturbed);
  const violations = [
    ...undisturbed.violations.map((violation) => `Without faults: ${violation}`),
    ...disturbed.violations,
    ...storm.violations.map((violation) => `When hardly anything works: ${violation}`),
    ...(!(overloadedShare < MAX_OVERLOADED_SHARE) ? [`Of the answers, ${overloadedShare} are 503`] : []),
    ...(!(traffic <= MAX_TRAFFIC) ? [`The traffic is multiplied by ${traffic}`] : []),
  ];
  const seconds = undisturbed.seconds + disturbed.seconds + storm.seconds;
  return { seed, seconds, faultShare: FAULT_SHARE, undisturbed, disturbed, storm, traffic, violations };
}

const callsEach = ({ calls, operations }: FaultFigures): number => calls / operations;

function overloadedShareOf({ outcomes }: FaultFigures): number {
  const all = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const overloaded = Object.entries(outcomes).filter(([name]) => / 503\b/.test(name));
  return overloaded.reduce((sum, [, count]) => sum + count, 0) / all;
}
