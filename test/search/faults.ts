import type { Cloud } from '#scripts/local/cloud.ts';
import { schedules } from '#shared/schedules.ts';
import { given } from '#test/support/given.ts';
import { Dice } from './dice.ts';
import { faultInjector } from './fault-injector.ts';
import { Findings } from './findings.ts';
import { begin, EVERYTHING, play } from './rounds.ts';
import { Crew, times } from './work/crew.ts';
import { reckon } from './work/reckoning.ts';

interface WorkPlan {
  readonly operations: number;
  readonly seed: number;
  /** A share of all calls of the functions to AWS, from 0 to 1. */
  readonly faultShare: number;
  readonly users?: number;
}

const USERS = 16;

/** Operations between two strikes of the schedules: few enough for the sample in `npm test` to have one. */
const STRIKE = 50;

/**
 * Users and schedules at work while calls to DynamoDB, SQS and KMS fail in every way. All that users do either succeeds or ends in a problem that
 * the document knows; and what is there in the end is what the answers have told, once, with all sums right.
 */
export async function workUnderFaults(cloud: Cloud, plan: WorkPlan) {
  const { operations, seed, faultShare, users = USERS } = plan;
  const findings = new Findings();
  const blame = (fault: string) => findings.blame(`With faults in ${faultShare} of the calls: ${fault}`);
  const founder = await given.user();
  const { organization } = founder;
  const others = await times(users - 1, () => given.user({ organization }));
  const crew = new Crew([founder, ...others], new Dice(seed), findings, blame);
  const scene = await begin(EVERYTHING, crew);
  const injector = faultInjector(faultShare, seed);
  const stop = cloud.intercept(injector.interceptor);
  await play(EVERYTHING, scene, users, operations / users, async (done) => {
    if (done % STRIKE === 0) for (const { name } of schedules) await cloud.fireSchedule(name, new Date());
  });
  stop();
  if (faultShare === 0) findings.blameOverload();
  const [calls, faults, { count: requests, outcomes }] = [injector.calls(), injector.faults(), findings];
  await reckon(scene, cloud).catch((error) => blame(String(error)));
  return { requests, calls, faults, outcomes, violations: findings.violations };
}

const FAULT_SHARE = 0.05;

/** The most that retries may cost: services that multiply their traffic keep a failing part from getting well. */
const MAX_TRAFFIC = 1.3;

/** Here retries run out, and requests end in a 503. */
const STORM_SHARE = 0.5;

/** Work without faults and with them, and a quarter of it when hardly anything works. */
export async function searchFaults(cloud: Cloud, operations: number, seed: number) {
  const undisturbed = await workUnderFaults(cloud, { operations, seed, faultShare: 0 });
  const disturbed = await workUnderFaults(cloud, { operations, seed, faultShare: FAULT_SHARE });
  const storm = await workUnderFaults(cloud, { operations: operations / 4, seed, faultShare: STORM_SHARE });
  const callsEach = ({ calls, requests }: typeof storm) => calls / requests;
  const traffic = callsEach(disturbed) / callsEach(undisturbed);
  const violations = [
    ...[undisturbed, disturbed, storm].flatMap((each) => each.violations),
    ...(traffic <= MAX_TRAFFIC ? [] : [`The traffic is multiplied by ${traffic}`]),
  ];
  const { calls, faults, outcomes } = disturbed;
  const others = { outcomesWithoutFaults: undisturbed.outcomes, outcomesInStorm: storm.outcomes };
  return { operations, calls, faults, traffic, outcomes, ...others, violations };
}
