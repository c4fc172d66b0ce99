import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { WARM_UP } from '#infra/functions.ts';
import type { HouseFunction } from './house-function.ts';

/** Lambda keeps an idle instance for some minutes, and documents no number. */
const EVERY = Duration.minutes(5);

/** Keeps one instance of a function alive. It has a rule of its own, since a rule takes five targets. */
export class HouseWarmth extends Rule {
  constructor(handler: HouseFunction) {
    super(handler, 'Warmth', {
      schedule: Schedule.rate(EVERY),
      targets: [new LambdaTarget(handler.lambda, { event: RuleTargetInput.fromText(WARM_UP), retryAttempts: 0 })],
    });
    Validations.of(this).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'Nobody misses a call that keeps a function warm: the next one comes five minutes later.',
    });
  }
}
