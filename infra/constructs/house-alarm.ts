import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

export interface HouseAlarmProps {
  readonly metric: IMetric;
  /** Above it the alarm goes off; in the unit of the metric. */
  readonly threshold: number;
  /** Periods in a row that must be above. */
  readonly periods: number;
  /** Who is hurt, and by what: whoever is woken by the alarm reads this first. */
  readonly hurts: string;
  readonly topic: ITopic;
}

/** An alarm that says whom the failure hurts. Silence is health: no requests, no failures. */
export class HouseAlarm extends Alarm {
  constructor(scope: Construct, id: string, { metric, threshold, periods, hurts, topic }: HouseAlarmProps) {
    super(scope, id, {
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: `Hurts ${hurts}`,
    });
    this.addAlarmAction(new SnsAction(topic));
    this.addOkAction(new SnsAction(topic));
  }
}
