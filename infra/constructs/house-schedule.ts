import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { scheduleFunction } from '#infra/functions.ts';
import type { Platform } from '#infra/platform.ts';
import type { ScheduleDefinition } from '#shared/schedules.ts';
import { HouseFunction } from './house-function.ts';

export interface HouseScheduleProps {
  readonly definition: ScheduleDefinition;
  readonly platform: Platform;
}

/** EventBridge delivers each tick at least once. A queue takes those that Lambda did not accept. */
export class HouseSchedule extends Construct {
  readonly definition: ScheduleDefinition;
  readonly handler: HouseFunction;
  readonly undeliveredName: string;

  constructor(scope: Construct, { definition, platform }: HouseScheduleProps) {
    super(scope, definition.name);
    this.definition = definition;
    this.handler = new HouseFunction(this, { definition: scheduleFunction(definition), platform });
    /** The next tick does the work of one that failed, or that no function could take until then. */
    this.handler.lambda.configureAsyncInvoke({
      retryAttempts: 0,
      maxEventAge: Duration.minutes(definition.everyMinutes),
    });
    this.undeliveredName = `${platform.config.prefix}-${definition.name}-undelivered`;
    const undelivered = new Queue(this, 'Undelivered', {
      queueName: this.undeliveredName,
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    new Rule(this, 'Rule', {
      schedule: Schedule.rate(Duration.minutes(definition.everyMinutes)),
      targets: [
        new LambdaTarget(this.handler.lambda, {
          deadLetterQueue: undelivered,
          retryAttempts: 0,
        }),
      ],
    });
    Validations.of(this.handler).acknowledge({
      id: 'Serverless-LambdaAsyncFailureDestination',
      reason:
        'Nobody needs the event of a run that failed: the next tick does its work. Alarms ring on errors and on silence.',
    });
    Validations.of(undelivered).acknowledge(
      { id: 'Serverless-SQSRedrivePolicy', reason: 'It is a dead-letter queue, with an alarm.' },
      { id: 'AwsSolutions-SQS3', reason: 'It is a dead-letter queue, of an EventBridge rule.' },
    );
  }
}
